package timing

import "github.com/go-acap/acap/device/acap/machine"

// banks is the memory of cores, as it is and as it was where the machine's kernels were measured.
type banks struct {
	own, ran *machine.Tile
	alike    bool // no wait differs
}

func banksOf(m *machine.Machine) banks {
	ran := m.Core
	if measured := &m.Compute.MeasuredBanks; measured.Banks.Value > 0 {
		ran.Banks, ran.BankBytes = measured.Banks, measured.Bytes
	}
	alike := m.Core.Banks.Value == ran.Banks.Value && m.Core.BankBytes.Value == ran.BankBytes.Value
	return banks{&m.Core, &ran, alike && !m.Compute.FreeBanks}
}

// banked returns the cycles of a step on a core, from the cycles that a measured kernel takes. The measured cycles
// contain waits for the memory banks of the measured array; banked replaces these waits by the waits for the banks of
// this machine. No core beats its peak.
func (t *tiles) banked(cycles, padded, rate float64) float64 {
	b := &t.e.banks
	if b.alike {
		return cycles
	}
	free := max(padded/rate, cycles-t.waits(b.ran, cycles, padded))
	if t.e.machine.Compute.FreeBanks {
		return free
	}
	return free + t.waits(b.own, free, padded)
}

// waits returns how many of the cycles in which a core computes a step it waits for a bank of its memory that a
// channel uses. While a core computes with a tile of each operand, channels fill the next
// ones and send the last result. A channel takes a bank for a cycle with every access; in that cycle the core finds it
// taken as often as it reads or writes there. Where buffers lie the machine says, as for programs.
func (t *tiles) waits(memory *machine.Tile, computing, padded float64) (cycles float64) {
	g, c := &t.e.mapping, t.c
	width, access := memory.BankBytes.Value, memory.Access.Value
	if width == 0 {
		return 0
	}
	if access == 0 {
		access = width
	}
	rings := [...]struct {
		bytes, depth int
		moved, used  float64 // bytes of a step, by channels and by the core
	}{
		{c.A.Bytes(g.TK, g.TM), g.Depth, float64(c.A.Bytes(g.TK, g.TM)), padded * t.e.costs[operandA].loaded / float64(2*t.e.nn)},
		{c.B.Bytes(g.TK, g.TN), g.Depth, float64(c.B.Bytes(g.TK, g.TN)) / float64(t.onceB),
			padded * t.e.costs[operandB].loaded / float64(2*t.e.mm)},
		{int(t.tileOut), g.OutDepth, float64(t.tileOut) / float64(t.e.Steps), float64(g.TM * g.TN * c.Acc.Size())},
	}
	var sizes, first []int
	for _, r := range rings {
		first = append(first, len(sizes))
		for range max(1, r.depth) {
			sizes = append(sizes, r.bytes)
		}
	}
	at := memory.Place(sizes)
	bank := func(ring, slot int) int { return at[first[ring]+slot%max(1, rings[ring].depth)] / memory.BankSize() }
	const phases = 2
	for phase := range phases {
		for i := range rings {
			for j := range rings {
				if next := bank(i, phase+1); next == bank(j, phase) && (i != j || rings[i].depth > 1) {
					cycles += float64(rings[i].moved / access * min(1, rings[j].used/(2*width)/computing) / phases)
				}
			}
		}
	}
	return cycles
}
