package convert

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// asContraction turns the node of a sum of products of two operands into a
// contraction, if its loops fall into batch (both operands and the result walk along the loop), m (A and the result), n
// (B and the result) and k (both operands, but not the result).
func (s *structured) asContraction(list []folding) bool {
	n := s.Node
	a, b, ok := n.Product()
	if !ok || len(list) != 1 || list[0].kind != kernel.ReduceSum {
		return false
	}
	acc := graph.Accumulator(n.Outs[0].Reduce.Type)
	if !graph.Accumulates(acc, n.Ins[a].Tensor.DType, n.Ins[b].Tensor.DType) || n.Outs[0].Reduce.Init != 0 ||
		!s.g.fixed && (s.tooSmall() || longDot(n)) {
		return false
	}
	roles, ok := n.Roles(a, b)
	if !ok {
		return s.reorder()
	}
	// The loop along which the result lies side by side belongs to B.
	for l, r := range roles {
		if r == graph.RoleM && n.Outs[0].Strides[l] == 1 {
			a, b = b, a
			roles, _ = n.Roles(a, b)
			break
		}
	}
	n.Contract(a, b, roles, acc)
	s.g.add(n)
	return true
}

// longDot reports whether a product is a few dot products so long that their sums are better split among threads, as
// the sums of a reduction are.
func longDot(n *graph.Node) bool {
	return shape.Size(n.Extents[:n.Par]) < graph.FewRows && shape.Size(n.Extents[n.Par:]) > graph.CallRow
}

// reorder copies the operands of a product of matrices so that its k loops lie
// behind one another, and builds it again.
func (s *structured) reorder() bool {
	if s.reordered || !s.matrixProduct() {
		return false
	}
	s.rebuild(func(o operand) bool {
		for d, e := range o.m.Results {
			if s.reduction[e.Value] && len(o.Dims[d]) > 1 {
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
	again.reordered, again.Node, again.loops, again.order = true, nil, nil, nil
	again.ins = slices.Clone(s.ins)
	for i, o := range again.ins {
		if copied(o) {
			again.ins[i].View = s.g.sharedCopy(o.View)
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
func (s *structured) tooSmall() bool { return s.Node.Points() < 64 }
