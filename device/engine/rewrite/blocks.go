package rewrite

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// mostRounded is how many rows a product rounds to 8 bits at most. With more of a format that has no code, the values
// of the blocks are written once for all rows, and products of floats are as fast.
func mostRounded(f dtype.Format) int {
	if _, ok := f.Group(); ok {
		return math.MaxInt
	}
	switch f {
	case dtype.Q4_0, dtype.Q4_1, dtype.Q5_0, dtype.Q5_1, dtype.Q8_0, dtype.MXFP4, dtype.IQ4_NL, dtype.IQ4_XS,
		dtype.Q2_K, dtype.Q3_K, dtype.Q4_K, dtype.Q5_K, dtype.Q6_K:
		return math.MaxInt
	}
	return 8
}

// readBlocks has products read the packed blocks in place of the values that an acap.unpack gives. Values that no other
// node reads are then not written at all.
func (r *rewriter) readBlocks(fixed bool) {
	changed := false
	for _, n := range r.Nodes {
		if n.Kind == graph.Contract && n.Acc == dtype.F32 {
			changed = readBlocks(n, fixed) || changed
		}
	}
	if changed {
		r.Live()
	}
}

// readBlocks does so for a product whose right operand is unpacked. The summed loop has to walk along the values of
// blocks, and the others over whole ones.
func readBlocks(n *graph.Node, fixed bool) bool {
	a, k := n.Ins[1], n.Par
	by := a.Tensor.Producer()
	if by == nil || by.Kind != graph.Ordered || by.Op.Name != "acap.unpack" || !n.Ins[0].Type().IsFloat() {
		return false
	}
	f := acap.Format(by.Op)
	if a.Strides[k] != 1 || n.Extents[k]%f.Block() != 0 || !a.StartsAtBlocks(k, f.Block()) {
		return false
	}
	blocks := graph.Access{Tensor: by.Ins[0].Tensor, As: dtype.U8, Format: f, Offset: a.Offset / f.Block() * f.Bytes(),
		Strides: slices.Clone(a.Strides)}
	for l, stride := range a.Strides {
		blocks.Strides[l] = stride / f.Block() * f.Bytes()
	}
	blocks.Strides[k] = f.Bytes()
	n.Ins[1] = blocks
	rows := 1
	for l, role := range n.LoopRoles {
		if role == graph.RoleM {
			rows *= n.Extents[l]
		}
	}
	n.Rounded = !fixed && acap.Rounds(by.Op) && rows <= mostRounded(f) && n.Ins[0].Type() == dtype.F32 && n.Ins[0].Strides[k] == 1
	return true
}
