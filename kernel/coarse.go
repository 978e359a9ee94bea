package kernel

import "github.com/go-acap/acap/base/dtype"

// Moves reports whether all that a nest does is to copy elements of its first operand to places in its second.
func (n *Nest) Moves() bool { return n.moves() && n.Stages[0].Body[0].Port == 0 }

// moves reports whether all that a nest does is to copy elements of one of two operands to places in the other.
func (n *Nest) moves() bool {
	if len(n.Stages) != 1 || len(n.Access) != 2 || len(n.Stages[0].Body) != 2 {
		return false
	}
	s := &n.Stages[0]
	load, store := &s.Body[0], &s.Body[1]
	return !s.Once && len(s.Reduce)+len(s.Keep) == 0 && load.Op == Load && store.Op == Store && load.Port != store.Port &&
		store.A == 0
}

// Coarse returns an equal nest that copies integers of four bytes instead of shorter elements. It returns n itself if n
// does more than copy, or if runs of elements do not begin and end at multiples of four bytes.
func (n *Nest) Coarse() *Nest {
	if !n.Moves() || n.Access[0].DType.Size() >= 4 {
		return n
	}
	if c := n.Canonical(); len(c.Inner) == 0 && c.coarsen(dtype.I32) {
		return c
	}
	return n
}

// coarsen makes a copy of elements of a longer type, if both operands are contiguous along one loop, and reports whether.
func (n *Nest) coarsen(t dtype.DType) bool {
	each, run := t.Size()/n.Access[0].DType.Size(), -1
	for l, extent := range n.Outer {
		if n.Access[0].Outer[l] == 1 && n.Access[1].Outer[l] == 1 && extent%each == 0 {
			run = l
		}
	}
	if run < 0 {
		return false
	}
	for i := range n.Access {
		a := &n.Access[i]
		for l, stride := range a.Outer {
			if l != run && stride%each != 0 {
				return false
			}
		}
		if a.Offset%each != 0 {
			return false
		}
	}
	n.Outer[run] /= each
	for i := range n.Access {
		a := &n.Access[i]
		for l := range a.Outer {
			if l != run {
				a.Outer[l] /= each
			}
		}
		a.Offset, a.Len, a.DType = a.Offset/each, a.Len/each, t
	}
	b := NewBody()
	b.Store(1, b.Load(0, t))
	n.Stages = []Stage{{Body: b.Body()}}
	return true
}
