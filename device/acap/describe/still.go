package describe

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Still returns an equal nest in which what is read at computed places does not move: the
// way that such a port goes along the loops is part of the place. A core has to find any
// element of such an array, so to the array it is a table however much of the place the
// loops say, and what the loops alone say is a place in it, too. n itself does not change.
func Still(n *kernel.Nest) *kernel.Nest {
	tables := make(map[int]bool)
	for _, g := range Gathers(n) {
		tables[g.Port] = true
	}
	if len(tables) == 0 {
		return n
	}
	still := &kernel.Nest{Name: n.Name, Outer: n.Outer, Inner: n.Inner, Access: slices.Clone(n.Access)}
	for port := range tables {
		a := &still.Access[port]
		a.Outer, a.Inner = make([]int, len(n.Outer)), make([]int, len(n.Inner))
	}
	for _, s := range n.Stages {
		still.Stages = append(still.Stages, stillStage(n, s, tables))
	}
	return still
}

// stillStage returns a stage that adds the way of the tables' ports to the places.
func stillStage(n *kernel.Nest, s kernel.Stage, tables map[int]bool) kernel.Stage {
	b := kernel.NewBody()
	values := make([]int, len(s.Body))
	for k, i := range s.Body {
		i = i.Renumbered(values)
		if tables[i.Port] {
			switch i.Op {
			case kernel.Load:
				i = kernel.Instr{Op: kernel.LoadAt, Type: i.Type, Port: i.Port,
					A: way(b, n, i.Port, s.Once, b.Const(dtype.I64, 0))}
			case kernel.LoadAt:
				i.A = way(b, n, i.Port, s.Once, i.A)
			}
		}
		values[k] = b.Emit(i)
	}
	return withBody(s, b.Body(), values)
}

// way adds to a place how far a port has come along the loops.
func way(b *kernel.Builder, n *kernel.Nest, port int, once bool, place int) int {
	a := &n.Access[port]
	extents, strides := n.Outer, a.Outer
	if !once { // where inner indices are 0
		extents, strides = slices.Concat(n.Outer, n.Inner), slices.Concat(a.Outer, a.Inner)
	}
	for loop, stride := range strides {
		if stride != 0 && extents[loop] > 1 {
			step := b.ConstBits(dtype.I64, uint64(stride))
			place = b.Binary(kernel.Add, place, b.Binary(kernel.Mul, b.Index(loop), step))
		}
	}
	return place
}
