package program

import (
	"errors"
	"fmt"
)

// ResidentBytes returns the bytes of each mem tile that resident weights of a lowered program take.
func (p *Program) ResidentBytes() map[Coord]int {
	out := make(map[Coord]int)
	for i := range p.FIFOs {
		if f := &p.FIFOs[i]; f.Resident != nil {
			out[f.Producer] += aligned(f.Resident.Bytes(p.Args))
		}
	}
	return out
}

// Passing returns the bytes of each mem tile that a lowered program needs while it runs, its
// resident weights aside.
func (p *Program) Passing() map[Coord]int {
	out := make(map[Coord]int)
	for i := range p.Buffers {
		if b := &p.Buffers[i]; b.Tile.Row >= 1 && b.Tile.Row <= p.Machine.Grid.MemRows {
			out[b.Tile] += aligned(b.Object.Bytes())
		}
	}
	for c, n := range p.ResidentBytes() {
		out[c] -= n
	}
	return out
}

// CheckResidency reports why lowered programs that run one after the other cannot keep all their weights on
// the array, nil if they can: beside the weights of all, every mem tile must have space for what
// each program passes through it.
func CheckResidency(programs []*Program) error {
	residents, passing := make(map[Coord]int), make(map[Coord]int)
	most := make(map[Coord]string)
	for _, p := range programs {
		for c, n := range p.ResidentBytes() {
			residents[c] += n
		}
		for c, n := range p.Passing() {
			if n > passing[c] {
				passing[c], most[c] = n, p.Name
			}
		}
	}
	var errs []error
	for _, c := range inOrder(residents) {
		n := residents[c]
		if space := programs[0].Machine.Mem.Memory.Int(); n+passing[c] > space {
			errs = append(errs, fmt.Errorf("%s: %d bytes are resident and %s needs %d besides, of %d", name(c), n, most[c],
				passing[c], space))
		}
	}
	return errors.Join(errs...)
}

// RetainedArrays returns the retained arrays of a program, each once.
func (p *Program) RetainedArrays() (list []*Retained) {
	seen := make(map[*Retained]bool)
	for i := range p.FIFOs {
		if s := p.FIFOs[i].Retained; s != nil && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}
