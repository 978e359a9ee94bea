package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// move times rearrangements: DMA only, no core takes part.
func (e *estimate) move(v *workload.Move) error {
	m, g := e.machine, &e.mapping
	size := v.DType.Size()
	readRun, writeRun := v.Runs()
	bytes := float64(v.Elements) * float64(size)
	shareR, shareW := MoveShares(m, v)
	read, write := bytes/shareR, bytes/shareW
	e.Cores = 0
	e.Rounds, e.Steps = 1, 1
	e.Step.DDR = e.ddr(read, write)
	// A DMA moves words of four bytes; runs of less waste the rest.
	waste := max(1, 4/float64(min(readRun, writeRun)*size))
	e.Step.Shim = e.shim(bytes*waste, bytes*waste)
	hops := float64(m.Grid.Rows()) * m.Stream.Hop.Value / m.Clock.Value
	e.Fill, e.Drain = hops, hops
	if v.Indexed {
		// The controller reads every index and issues a descriptor for its run.
		setup := m.Stream.BDSetup.Value / m.Clock.Value
		e.Step.Core = float64(v.Elements) / float64(readRun) * setup / float64(g.Cols)
	}
	e.flatTraffic(e.read, e.write)
	e.L1 = 0
	if m.Grid.MemRows > 0 {
		e.L2 = e.ReadL3 + e.WriteL3
	}
	return nil
}

// MoveShares returns the shares of the memory's rate that both sides of a
// rearrangement reach by the length of their runs.
func MoveShares(m *machine.Machine, v *workload.Move) (read, write float64) {
	r, w := v.Runs()
	return runShare(m, r*v.DType.Size()), runShare(m, w*v.DType.Size())
}

// runShare is the share of the DDR rate for runs of n bytes: the machine's
// burst rule, for accesses of 64 bytes at least, of which less is wanted.
func runShare(m *machine.Machine, n int) float64 {
	const access = 64
	return m.DDR.BurstShare(max(n, access)) * min(1, float64(n)/access)
}
