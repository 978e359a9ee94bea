package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// Canonical returns an equal nest with the fewest loops: loops of extent 1 are dropped, loops are put in the order in
// which most operands lie in memory, and neighbours that every operand walks through as one are merged. Back ends start
// from it. n itself does not change.
func (n *Nest) Canonical() *Nest {
	c := &canonical{n: n, indexed: n.indexed()}
	list := make([]canonicalLoop, len(n.Outer)+len(n.Inner))
	for i := range list {
		list[i] = canonicalLoop{from: []int{i}, extent: n.Extent(i), stride: make([]int, len(n.Access))}
		for k := range n.Access {
			list[i].stride[k] = n.Access[k].Stride(i)
		}
	}
	outer := c.merge(c.order(list[:len(n.Outer):len(n.Outer)]))
	inner := c.merge(c.order(list[len(n.Outer):]))
	return c.build(outer, inner)
}

type canonicalLoop struct {
	from   []int // loops of the original nest
	extent int
	stride []int // of each access
}

type canonical struct {
	n       *Nest
	indexed []bool
}

// indexed returns for each loop whether some instruction reads its index.
func (n *Nest) indexed() []bool {
	set := make([]bool, len(n.Outer)+len(n.Inner))
	for _, s := range n.Stages {
		for k := range s.Body {
			if i := &s.Body[k]; i.Op == Index {
				set[i.Port] = true
			}
		}
	}
	return set
}

// order drops loops of extent 1 and sorts the others by falling strides, in the memory of the list: strides of written
// ports count first, then strides of the other ports in turn.
func (c *canonical) order(loops []canonicalLoop) []canonicalLoop {
	kept := slices.DeleteFunc(loops, func(l canonicalLoop) bool { return l.extent == 1 })
	slices.SortStableFunc(kept, func(x, y canonicalLoop) int {
		switch {
		case c.outside(&x, &y):
			return -1
		case c.outside(&y, &x):
			return 1
		}
		return 0
	})
	return kept
}

// outside reports whether loop x belongs outside loop y.
func (c *canonical) outside(x, y *canonicalLoop) bool {
	for _, written := range []bool{true, false} {
		for i, a := range c.n.Access {
			sx, sy := abs(x.stride[i]), abs(y.stride[i])
			if a.Write == written && sx != sy && (sx != 0 && sy != 0) {
				return sx > sy
			}
		}
	}
	// A loop that the operands do not walk along is cheapest outside.
	for i := range c.n.Access {
		if zx, zy := x.stride[i] == 0, y.stride[i] == 0; zx != zy {
			return zx
		}
	}
	return false
}

func abs(x int) int { return max(x, -x) }

// merge merges neighbours, in the memory of the list.
func (c *canonical) merge(loops []canonicalLoop) []canonicalLoop {
	merged := loops[:0]
	for _, l := range loops {
		if k := len(merged) - 1; k >= 0 && c.mergeable(&merged[k], &l) {
			merged[k].from = append(merged[k].from, l.from...)
			merged[k].extent *= l.extent
			merged[k].stride = l.stride
			continue
		}
		merged = append(merged, l)
	}
	return merged
}

func (c *canonical) mergeable(outer, inner *canonicalLoop) bool {
	for _, l := range [2]*canonicalLoop{outer, inner} {
		if slices.ContainsFunc(l.from, func(from int) bool { return c.indexed[from] }) {
			return false
		}
	}
	for i, s := range outer.stride {
		if s != inner.stride[i]*inner.extent {
			return false
		}
	}
	return true
}

func (c *canonical) build(outer, inner []canonicalLoop) *Nest {
	list := func(of []canonicalLoop, number func(l *canonicalLoop) int) (list []int) {
		for k := range of {
			list = append(list, number(&of[k]))
		}
		return list
	}
	extent := func(l *canonicalLoop) int { return l.extent }
	n := &Nest{Name: c.n.Name, Outer: list(outer, extent), Inner: list(inner, extent), Access: slices.Clone(c.n.Access),
		Stages: slices.Clone(c.n.Stages)}
	for i := range n.Access {
		stride := func(l *canonicalLoop) int { return l.stride[i] }
		n.Access[i].Outer, n.Access[i].Inner = list(outer, stride), list(inner, stride)
	}
	to := c.number(outer, inner)
	for s := range n.Stages {
		body := slices.Clone(n.Stages[s].Body)
		n.Stages[s].Body = body
		for k := range body {
			switch i := &body[k]; {
			case i.Op != Index:
			case to[i.Port] < 0:
				*i = Instr{Op: Const, Type: dtype.I64}
			default:
				i.Port = to[i.Port]
			}
		}
	}
	return n
}

// number returns the new number of each loop of the original nest, -1 for those that are dropped.
func (c *canonical) number(outer, inner []canonicalLoop) []int {
	to := make([]int, len(c.indexed))
	for i := range to {
		to[i] = -1
	}
	n := 0
	for _, loops := range [][]canonicalLoop{outer, inner} {
		for _, l := range loops {
			for _, from := range l.from {
				to[from] = n
			}
			n++
		}
	}
	return to
}
