package kernel

import "github.com/go-acap/acap/base/dtype"

// fuseIndices merges neighbouring loops i and j whose indices are only read
// together, as i·extent(j) + j: that is the index of the one loop that they make.
// Window gradients, which take an image apart into blocks, have such indices.
func (n *Nest) fuseIndices() *Nest {
	for i := 0; i+1 < len(n.Outer)+len(n.Inner); {
		if i+1 != len(n.Outer) && n.walkedAsOne(i) && n.indexedAsOne(i) {
			n = n.fused(i)
		} else {
			i++
		}
	}
	return n
}

// Extent returns the extent of a loop: outer loops come first.
func (n *Nest) Extent(loop int) int {
	if loop < len(n.Outer) {
		return n.Outer[loop]
	}
	return n.Inner[loop-len(n.Outer)]
}

// Stride returns the stride of a loop.
func (a *Access) Stride(loop int) int {
	if loop < len(a.Outer) {
		return a.Outer[loop]
	}
	return a.Inner[loop-len(a.Outer)]
}

// walkedAsOne reports whether every operand walks through loops i and i+1 as
// through one.
func (n *Nest) walkedAsOne(i int) bool {
	for k := range n.Access {
		a := &n.Access[k]
		if a.Stride(i) != a.Stride(i+1)*n.Extent(i+1) {
			return false
		}
	}
	return true
}

// The parts that an instruction can have in an index of two loops.
const (
	noPart = iota
	outerIndex
	innerIndex
	scaledIndex // outer index · extent of the inner loop
	wholeIndex
)

// indexParts finds the parts of the index of loops i and i+1 in a body.
func (n *Nest) indexParts(b Body, i int) []int {
	parts := make([]int, len(b))
	is := func(x, y, p, q int) bool { return parts[x] == p && parts[y] == q || parts[x] == q && parts[y] == p }
	extent := func(x int) bool {
		return b[x].Op == Const && b[x].Type == dtype.I64 && b[x].Imm == uint64(n.Extent(i+1))
	}
	for k := range b {
		switch in := &b[k]; {
		case in.Op == Index && in.Port == i:
			parts[k] = outerIndex
		case in.Op == Index && in.Port == i+1:
			parts[k] = innerIndex
		case in.Op == Mul && (parts[in.A] == outerIndex && extent(in.B) || parts[in.B] == outerIndex && extent(in.A)):
			parts[k] = scaledIndex
		case in.Op == Add && is(in.A, in.B, scaledIndex, innerIndex):
			parts[k] = wholeIndex
		}
	}
	return parts
}

// indexedAsOne reports whether the indices of loops i and i+1 are read, and only
// as parts of their common index.
func (n *Nest) indexedAsOne(i int) bool {
	whole := false
	for _, s := range n.Stages {
		parts := n.indexParts(s.Body, i)
		for k := range s.Body {
			whole = whole || parts[k] == wholeIndex
			for _, o := range s.Body[k].Operands() {
				switch p := parts[o]; {
				case p == outerIndex && parts[k] != scaledIndex,
					(p == innerIndex || p == scaledIndex) && parts[k] != wholeIndex:
					return false
				}
			}
		}
		read := append([]int(nil), s.Keep...)
		for _, r := range s.Reduce {
			if read = append(read, r.Value); r.Kind.IsArg() {
				read = append(read, r.Arg)
			}
		}
		for _, k := range read {
			if parts[k] != noPart && parts[k] != wholeIndex {
				return false
			}
		}
	}
	return whole
}

// fused merges loops i and i+1.
func (n *Nest) fused(i int) *Nest {
	f := &Nest{Name: n.Name, Outer: n.Outer, Inner: n.Inner}
	merge := func(values []int, at, merged int) []int {
		out := append([]int(nil), values[:at]...)
		return append(append(out, merged), values[at+2:]...)
	}
	product := n.Extent(i) * n.Extent(i+1)
	at, outer := i, i < len(n.Outer)
	if outer {
		f.Outer = merge(n.Outer, at, product)
	} else {
		at -= len(n.Outer)
		f.Inner = merge(n.Inner, at, product)
	}
	for _, a := range n.Access {
		if outer {
			a.Outer = merge(a.Outer, at, a.Outer[at+1])
		} else {
			a.Inner = merge(a.Inner, at, a.Inner[at+1])
		}
		f.Access = append(f.Access, a)
	}
	for _, s := range n.Stages {
		parts := n.indexParts(s.Body, i)
		s.Body = append(Body(nil), s.Body...)
		for k := range s.Body {
			in := &s.Body[k]
			switch {
			case parts[k] == wholeIndex:
				*in = Instr{Op: Index, Type: dtype.I64, Port: i}
			case parts[k] != noPart: // nothing reads it any more
				*in = Instr{Op: Const, Type: dtype.I64}
			case in.Op == Index && in.Port > i+1:
				in.Port--
			}
		}
		f.Stages = append(f.Stages, s)
	}
	return f
}
