package engine

import (
	"slices"
	"sort"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// asContraction turns the node of a sum of products of two operands into a
// contraction, if its loops fall into batch, m, n and k: those that both
// operands and the result walk along, A and the result, B and the result, both
// operands but not the result.
func (s *structured) asContraction(list []folding) bool {
	n := s.node
	a, b, ok := n.product()
	if !ok || len(list) != 1 || list[0].kind != kernel.ReduceSum {
		return false
	}
	acc := accumulator(n.outs[0].reduce.Type)
	if !accumulates(acc, n.ins[a].t.dtype, n.ins[b].t.dtype) || n.outs[0].reduce.Init != 0 ||
		s.tooSmall() || n.longDot() {
		return false
	}
	roles, ok := n.roles(a, b)
	if !ok {
		return s.reorder()
	}
	// The loop along which the result lies side by side belongs to B.
	for l, r := range roles {
		if r == roleM && n.outs[0].strides[l] == 1 {
			a, b = b, a
			roles, _ = n.roles(a, b)
			break
		}
	}
	n.contract(a, b, roles, acc)
	s.g.add(n)
	return true
}

// longDot reports whether a product is a few dot products so long that their sums are better split
// among threads, as those of any reduction.
func (n *node) longDot() bool {
	return product(n.extents[:n.par]) < fewRows && product(n.extents[n.par:]) > callRow
}

// reorder copies the operands of a product of matrices so that its k loops lie
// behind one another, and builds it again.
func (s *structured) reorder() bool {
	if s.reordered || !s.matrixProduct() {
		return false
	}
	s.rebuild(func(o operand) bool {
		for d, e := range o.m.Results {
			if s.reduction[e.Value] && len(o.dims[d]) > 1 {
				return true
			}
		}
		return false
	})
	return true
}

// rebuild builds the node again, with copies of the inputs that a condition names.
func (s *structured) rebuild(copied func(o operand) bool) {
	again := *s
	again.reordered, again.node, again.loops, again.order = true, nil, nil, nil
	again.ins = slices.Clone(s.ins)
	for i, o := range again.ins {
		if copied(o) {
			again.ins[i].view = s.g.sharedCopy(o.view)
		}
	}
	again.build()
	s.rebuilt = true
}

// matrixProduct reports whether the maps of the inputs are permutations of loops,
// so that copies of the operands in order have one loop for each of theirs.
func (s *structured) matrixProduct() bool {
	k := 0
	for _, r := range s.reduction {
		if r {
			k++
		}
	}
	for _, o := range s.ins {
		for _, e := range o.m.Results {
			if e.Kind != mlir.AffineDim {
				return false
			}
		}
	}
	return k == 1 && len(s.ins) == 2
}

// tooSmall keeps tiny sums of products, such as a dot product of three numbers,
// as nests.
func (s *structured) tooSmall() bool { return s.node.points() < 64 }

// product matches a body that multiplies two loads, each perhaps converted to
// the type of the result. It returns the inputs.
func (n *node) product() (a, b int, ok bool) {
	if len(n.ins) != 2 && len(n.ins) != 1 || len(n.outs) != 1 || n.outs[0].reduce == nil {
		return 0, 0, false
	}
	acc := n.outs[0].reduce.Type
	i := &n.body[n.outs[0].value]
	if i.Op != kernel.Mul || i.Type != acc {
		return 0, 0, false
	}
	a, okA := n.factor(i.A, acc)
	b, okB := n.factor(i.B, acc)
	return a, b, okA && okB && a != b
}

// factor matches a load that is perhaps reinterpreted as unsigned and converted.
func (n *node) factor(v int, acc dtype.DType) (input int, ok bool) {
	i := &n.body[v]
	if i.Op == kernel.Cast {
		i = &n.body[i.A]
	}
	as := i.Type
	for i.Op == kernel.Bitcast {
		i = &n.body[i.A]
	}
	if i.Op != kernel.Load || as == dtype.Bool || !exactIn(acc, as) {
		return 0, false
	}
	n.ins[i.Port].as = as
	return i.Port, true
}

// accumulator is the type in which kernels sum products of a type. Narrow integers wrap
// round, so that a wider sum has the right bits when it is cut.
func accumulator(d dtype.DType) dtype.DType {
	switch d {
	case dtype.F16, dtype.BF16:
		return dtype.F32
	case dtype.I8, dtype.U8, dtype.I16:
		return dtype.I32
	}
	return d
}

// exactIn reports whether every value of type d is one of acc, so that the
// operand may be converted while it is multiplied.
func exactIn(acc, d dtype.DType) bool {
	switch {
	case acc == d:
		return true
	case acc.IsFloat() != d.IsFloat():
		return false
	}
	return acc.Size() > d.Size()
}

// accumulates reports whether kernels sum products of these types in acc.
func accumulates(acc, a, b dtype.DType) bool {
	switch acc {
	case dtype.F32, dtype.F64:
		return a.IsFloat() && b.IsFloat()
	case dtype.I32, dtype.I64:
		return a.IsInt() && b.IsInt()
	}
	return false
}

type role uint8

const (
	roleBatch role = iota
	roleM
	roleN
	roleK
)

// roles classifies the loops of a product. Of several k loops, all operands must
// walk through them as through one.
func (n *node) roles(a, b int) ([]role, bool) {
	roles := make([]role, len(n.extents))
	var k []int
	for l := range n.extents {
		inA, inB := n.ins[a].strides[l] != 0, n.ins[b].strides[l] != 0
		switch {
		case l >= n.par && !(inA && inB):
			return nil, false
		case l >= n.par:
			roles[l] = roleK
			k = append(k, l)
		case inA && !inB:
			roles[l] = roleM
		case inB && !inA:
			roles[l] = roleN
		}
	}
	sort.SliceStable(k, func(i, j int) bool {
		return n.ins[b].strides[k[i]] > n.ins[b].strides[k[j]]
	})
	for i := 1; i < len(k); i++ {
		for _, in := range []int{a, b} {
			s := n.ins[in].strides
			if s[k[i-1]] != s[k[i]]*n.extents[k[i]] {
				return nil, false
			}
		}
	}
	return roles, true
}

// contract rewrites the node: the loops in the order batch, m, n, k with one k.
func (n *node) contract(a, b int, roles []role, acc dtype.DType) {
	var order []int
	for r := roleBatch; r < roleK; r++ {
		for l := range roles {
			if roles[l] == r {
				order = append(order, l)
			}
		}
	}
	depth, inner := 1, -1
	for l, r := range roles {
		if r == roleK {
			depth *= n.extents[l]
			if inner < 0 || n.ins[b].strides[l] < n.ins[b].strides[inner] {
				inner = l
			}
		}
	}
	pick := func(list []int) []int {
		out := make([]int, len(order))
		for i, l := range order {
			out[i] = list[l]
		}
		return out
	}
	ins := []access{n.ins[a], n.ins[b]}
	for i := range ins {
		ins[i].strides = append(pick(ins[i].strides), ins[i].strides[inner])
	}
	n.loopRoles = make([]role, 0, len(order))
	for _, l := range order {
		n.loopRoles = append(n.loopRoles, roles[l])
	}
	n.outs[0].strides = pick(n.outs[0].strides)
	n.outs[0].reduce = nil
	n.extents, n.ins = append(pick(n.extents), depth), ins
	n.kind, n.acc, n.body = nodeContract, acc, nil
}
