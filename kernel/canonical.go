package kernel

import (
	"sort"

	"github.com/go-acap/acap/base/dtype"
)

// Canonical returns an equal nest with the fewest loops: loops of extent 1 are
// dropped, loops are put in the order in which most operands lie in memory, and
// neighbours that every operand walks through as one are merged. Back ends start
// from it. n itself does not change.
func (n *Nest) Canonical() *Nest {
	n = n.fuseIndices()
	c := &canonical{n: n, indexed: n.indexed()}
	for i := range len(n.Outer) + len(n.Inner) {
		c.loops = append(c.loops, canonicalLoop{from: []int{i}, extent: n.extent(i), stride: c.strides(i)})
	}
	outer := c.merge(c.order(c.loops[:len(n.Outer):len(n.Outer)]))
	inner := c.merge(c.order(c.loops[len(n.Outer):]))
	return c.build(outer, inner)
}

type canonicalLoop struct {
	from   []int // loops of the original nest
	extent int
	stride []int // of each access
}

type canonical struct {
	n       *Nest
	indexed map[int]bool
	loops   []canonicalLoop
}

// indexed returns the loops whose index some instruction reads.
func (n *Nest) indexed() map[int]bool {
	set := make(map[int]bool)
	for _, s := range n.Stages {
		for _, i := range s.Body {
			if i.Op == Index {
				set[i.Port] = true
			}
		}
	}
	return set
}

func (c *canonical) strides(loop int) []int {
	s := make([]int, len(c.n.Access))
	for i := range c.n.Access {
		s[i] = c.n.Access[i].stride(loop)
	}
	return s
}

// order drops loops of extent 1 and sorts the others by falling strides: those
// of written ports count first, then those of the other ports in turn.
func (c *canonical) order(loops []canonicalLoop) []canonicalLoop {
	var kept []canonicalLoop
	for _, l := range loops {
		if l.extent != 1 {
			kept = append(kept, l)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return c.outside(&kept[i], &kept[j]) })
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

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

func (c *canonical) merge(loops []canonicalLoop) []canonicalLoop {
	var merged []canonicalLoop
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
		for _, from := range l.from {
			if c.indexed[from] {
				return false
			}
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
	n := &Nest{Name: c.n.Name}
	number := make(map[int]int) // original loop to new loop
	for i, l := range append(append([]canonicalLoop(nil), outer...), inner...) {
		for _, from := range l.from {
			number[from] = i
		}
	}
	for _, l := range outer {
		n.Outer = append(n.Outer, l.extent)
	}
	for _, l := range inner {
		n.Inner = append(n.Inner, l.extent)
	}
	for i, a := range c.n.Access {
		a.Outer, a.Inner = nil, nil
		for _, l := range outer {
			a.Outer = append(a.Outer, l.stride[i])
		}
		for _, l := range inner {
			a.Inner = append(a.Inner, l.stride[i])
		}
		n.Access = append(n.Access, a)
	}
	for _, s := range c.n.Stages {
		s.Body = append(Body(nil), s.Body...)
		for k := range s.Body {
			if i := &s.Body[k]; i.Op == Index {
				if to, ok := number[i.Port]; ok {
					i.Port = to
				} else {
					*i = Instr{Op: Const, Type: dtype.I64}
				}
			}
		}
		n.Stages = append(n.Stages, s)
	}
	return n
}
