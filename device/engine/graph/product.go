package graph

import (
	"sort"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Product matches a body that multiplies two loads, each perhaps converted to
// the type of the result. It returns the inputs.
func (n *Node) Product() (a, b int, ok bool) {
	if len(n.Ins) != 2 && len(n.Ins) != 1 || len(n.Outs) != 1 || n.Outs[0].Reduce == nil {
		return 0, 0, false
	}
	acc := n.Outs[0].Reduce.Type
	i := &n.Body[n.Outs[0].Value]
	if i.Op != kernel.Mul || i.Type != acc {
		return 0, 0, false
	}
	a, okA := n.Factor(i.A, acc)
	b, okB := n.Factor(i.B, acc)
	return a, b, okA && okB && a != b
}

// Factor matches a load that is perhaps reinterpreted as unsigned and converted.
func (n *Node) Factor(v int, acc dtype.DType) (input int, ok bool) {
	i := &n.Body[v]
	if i.Op == kernel.Cast {
		i = &n.Body[i.A]
	}
	as := i.Type
	for i.Op == kernel.Bitcast {
		i = &n.Body[i.A]
	}
	if i.Op != kernel.Load || as == dtype.Bool || !ExactIn(acc, as) {
		return 0, false
	}
	n.Ins[i.Port].As = as
	return i.Port, true
}

// Accumulator is the type in which kernels sum products of a type. Narrow integers wrap
// round, so that a wider sum has the right bits when it is cut.
func Accumulator(d dtype.DType) dtype.DType {
	switch d {
	case dtype.F16, dtype.BF16:
		return dtype.F32
	case dtype.I8, dtype.U8, dtype.I16:
		return dtype.I32
	}
	return d
}

// ExactIn reports whether every value of type d is one of acc, so that the
// operand may be converted while it is multiplied.
func ExactIn(acc, d dtype.DType) bool {
	switch {
	case acc == d:
		return true
	case acc.IsFloat() != d.IsFloat():
		return false
	}
	return acc.Size() > d.Size()
}

// Accumulates reports whether kernels sum products of these types in acc.
func Accumulates(acc, a, b dtype.DType) bool {
	switch acc {
	case dtype.F32, dtype.F64:
		return a.IsFloat() && b.IsFloat()
	case dtype.I32, dtype.I64:
		return a.IsInt() && b.IsInt()
	}
	return false
}

// Role is the part of a loop in a product of matrices.
type Role uint8

const (
	RoleBatch Role = iota
	RoleM
	RoleN
	roleK
)

// Roles classifies the loops of a product. Of several k loops, all operands must
// walk through them as through one.
func (n *Node) Roles(a, b int) ([]Role, bool) {
	roles := make([]Role, len(n.Extents))
	var k []int
	for l := range n.Extents {
		inA, inB := n.Ins[a].Strides[l] != 0, n.Ins[b].Strides[l] != 0
		switch {
		case l >= n.Par && !(inA && inB):
			return nil, false
		case l >= n.Par:
			roles[l] = roleK
			k = append(k, l)
		case inA && !inB:
			roles[l] = RoleM
		case inB && !inA:
			roles[l] = RoleN
		}
	}
	sort.SliceStable(k, func(i, j int) bool {
		return n.Ins[b].Strides[k[i]] > n.Ins[b].Strides[k[j]]
	})
	for i := 1; i < len(k); i++ {
		for _, in := range []int{a, b} {
			s := n.Ins[in].Strides
			if s[k[i-1]] != s[k[i]]*n.Extents[k[i]] {
				return nil, false
			}
		}
	}
	return roles, true
}

// Contract rewrites the node: the loops in the order batch, m, n, k with one k.
func (n *Node) Contract(a, b int, roles []Role, acc dtype.DType) {
	var order []int
	for r := RoleBatch; r < roleK; r++ {
		for l := range roles {
			if roles[l] == r {
				order = append(order, l)
			}
		}
	}
	depth, inner := 1, -1
	for l, r := range roles {
		if r == roleK {
			depth *= n.Extents[l]
			if inner < 0 || n.Ins[b].Strides[l] < n.Ins[b].Strides[inner] {
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
	ins := []Access{n.Ins[a], n.Ins[b]}
	for i := range ins {
		ins[i].Strides = append(pick(ins[i].Strides), ins[i].Strides[inner])
	}
	n.LoopRoles = make([]Role, 0, len(order))
	for _, l := range order {
		n.LoopRoles = append(n.LoopRoles, roles[l])
	}
	n.Outs[0].Strides = pick(n.Outs[0].Strides)
	n.Outs[0].Reduce = nil
	n.Extents, n.Ins = append(pick(n.Extents), depth), ins
	n.Kind, n.Acc, n.Body = Contract, acc, nil
}

// AsOf is the type as which the node reads a tensor.
func (n *Node) AsOf(t *Tensor) dtype.DType {
	for _, a := range n.Ins {
		if a.Tensor == t {
			return a.As
		}
	}
	return dtype.Invalid
}

// Convolution has the facts of a convolution node besides its accesses; its loops are n, groups, k of a group, p, q,
// without loops of extent 1.
type Convolution struct {
	Shape    kernel.Convolution // extents, strides, dilations, padding
	X, W     [4]int             // strides of n, c, h, w and of k, c, r, s
	N, G, K  int                // number of the loop, or -1
	P, Q     int
	Channels int // of a group
}
