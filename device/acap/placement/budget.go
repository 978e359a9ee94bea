package placement

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
)

// budget is the mem-tile memory of a group of kernels, in bytes: all their weights, plus the largest set of activations
// that one kernel keeps while it runs.
type budget struct {
	machine *machine.Machine
	kept    map[program.Coord]int // bytes of weights
	passing map[program.Coord]int
	known   map[*mapper.Choice]needs
}

// needs is the bytes that a kernel takes of mem tiles.
type needs struct{ kept, passing map[program.Coord]int }

// newBudget returns the mem tiles of a machine without weights. Kernels pass through them.
func newBudget(m *machine.Machine, kernels []*mapper.Choice) *budget {
	r := &budget{m, make(map[program.Coord]int), make(map[program.Coord]int), make(map[*mapper.Choice]needs)}
	// One part of this number of parts of a mem tile is kept for what passes: other mappings may need more than those
	// so far.
	const part = 16
	r.each(func(at program.Coord) { r.passing[at] = m.Mem.Memory.Int() / part })
	for _, c := range kernels {
		for at, n := range r.needs(c).passing {
			r.passing[at] = max(r.passing[at], n)
		}
	}
	return r
}

// each visits all mem tiles.
func (r *budget) each(visit func(program.Coord)) {
	for row := 1; row <= r.machine.Grid.MemRows; row++ {
		for col := range r.machine.Grid.Cols {
			visit(program.Coord{Col: col, Row: row})
		}
	}
}

// needs returns what a kernel takes of every mem tile: all of it where that is not known.
func (r *budget) needs(c *mapper.Choice) needs {
	n, ok := r.known[c]
	if ok {
		return n
	}
	built, err := c.Program()
	if err == nil {
		built.Lower()
		n = needs{built.ResidentBytes(), built.Passing()}
	} else {
		n.passing = make(map[program.Coord]int)
		r.each(func(at program.Coord) { n.passing[at] = r.machine.Mem.Memory.Int() })
	}
	r.known[c] = n
	return n
}

// left is the bytes of a mem tile that are left.
func (r *budget) left(at program.Coord) int {
	return r.machine.Mem.Memory.Int() - r.kept[at] - r.passing[at]
}

// all returns the bytes that are left in all mem tiles together, and bounds the bytes left in the fullest and in the
// emptiest tile.
func (r *budget) all() float64 {
	sum := 0.0
	r.each(func(at program.Coord) { sum += float64(max(0, r.left(at))) })
	return sum
}

func (r *budget) bounds() (least, most int) {
	least = r.machine.Mem.Memory.Int()
	r.each(func(at program.Coord) { least, most = min(least, r.left(at)), max(most, r.left(at)) })
	return least, most
}

// keep has the weights of some kernels, and of no others, lie there.
func (r *budget) keep(kernels []*mapper.Choice) {
	clear(r.kept)
	for _, c := range kernels {
		if keepsWeights(c) {
			for at, n := range r.needs(c).kept {
				r.kept[at] += n
			}
		}
	}
}

// passes reports whether a kernel finds space beside all weights.
func (r *budget) passes(c *mapper.Choice) bool {
	if len(r.kept) == 0 {
		return true
	}
	for at, n := range r.needs(c).passing {
		if r.kept[at]+n > r.machine.Mem.Memory.Int() {
			return false
		}
	}
	return true
}

// take makes space for the weights of a kernel and what passes while it runs, if there is any.
func (r *budget) take(c *mapper.Choice) bool {
	n, fits := r.needs(c), true
	r.each(func(at program.Coord) {
		all := r.kept[at] + n.kept[at] + max(r.passing[at], n.passing[at])
		fits = fits && all <= r.machine.Mem.Memory.Int()
	})
	if !fits {
		return false
	}
	for at, bytes := range n.kept {
		r.kept[at] += bytes
	}
	for at, bytes := range n.passing {
		r.passing[at] = max(r.passing[at], bytes)
	}
	return true
}
