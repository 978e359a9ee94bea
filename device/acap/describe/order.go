package describe

import (
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// orders adds to the inputs of a nest what their number of elements does not say:
// the order of broadcasts that do not simply repeat, and tables.
func orders(in []workload.Stream, n *kernel.Nest, rows, cols int) {
	tables := make(map[int]bool)
	reads, rounds := make(map[int]int), make(map[int]int)
	for _, g := range Gathers(n) {
		tables[g.Port] = true
		rounds[g.Port] = max(rounds[g.Port], g.Round+1)
		if reads[g.Port]++; g.Row {
			reads[g.Port] += cols - 1
		}
	}
	next := 0
	for i := range n.Access {
		a := &n.Access[i]
		if a.Write {
			continue
		}
		s := &in[next]
		next++
		outer, inner := loops(n.Outer, a.Outer), loops(n.Inner, a.Inner)
		switch {
		case tables[i]:
			if len(moving(outer)) == 0 && len(moving(inner)) == 0 {
				s.Table, s.Reads, s.Rounds = a.Len, reads[i], rounds[i]
			}
		case len(tables) > 0 && len(moving(outer)) == 0 && len(moving(inner)) > 0 && rows > 1:
			// A core that keeps a table has no space for a row of the table's length.
			s.Walk = &workload.Walk{Outer: outer, Inner: inner}
		case !plain(outer, inner, int(s.Elements), rows, cols):
			s.Walk = &workload.Walk{Outer: outer, Inner: inner}
		}
	}
}

func loops(extents, strides []int) []workload.Loop {
	var out []workload.Loop
	for i, n := range extents {
		stride := 0
		if i < len(strides) {
			stride = strides[i]
		}
		out = append(out, workload.Loop{Size: n, Stride: stride})
	}
	return out
}

// moving returns the loops that matter to an array.
func moving(list []workload.Loop) []workload.Loop {
	var out []workload.Loop
	for _, l := range list {
		if l.Size > 1 && l.Stride != 0 {
			out = append(out, l)
		}
	}
	return out
}

func trips(list []workload.Loop) int {
	n := 1
	for _, l := range list {
		n *= l.Size
	}
	return n
}

// plain reports whether the number of elements says all: one for every point, one
// row for all rows, one value per row, or an array that repeats, all read forwards.
func plain(outer, inner []workload.Loop, elements, rows, cols int) bool {
	for _, list := range [2][]workload.Loop{outer, inner} {
		for _, l := range list {
			if l.Stride < 0 && l.Size > 1 {
				return false
			}
		}
	}
	o, i := trips(moving(outer)), trips(moving(inner))
	switch {
	case rows <= 1:
		return i == 1 || i == trips(inner)
	case len(moving(outer)) == 0:
		return true
	case elements != o*i:
		return false
	case len(inner) > 0:
		perRow := len(moving(inner)) == 0
		return o == rows && (i == cols || perRow && elements > cols)
	}
	// An array repeats when no loop within those that matter has a stride of 0.
	seen := false
	for _, l := range outer {
		if l.Size > 1 && l.Stride == 0 && seen {
			return false
		}
		seen = seen || l.Size > 1 && l.Stride != 0
	}
	return true
}
