package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Slice takes size elements of every dimension, from offset in steps of stride. A slice that was inserted into t is
// known without t: so who writes to a view twice reads no tensor between, and both writes may be in its memory.
func (l *Lowering) Slice(t Lowered, offsets, sizes, strides []int) Lowered {
	if shape.Equal(sizes, t.Shape()) && allEqual(offsets, 0) && allEqual(strides, 1) {
		return t
	}
	at := region{offsets, sizes, strides}
	if v := l.inserted(t.V, at); v != nil {
		return Lowered{v, t.D}
	}
	to := LoweredType(TensorType{t.D, sizes})
	op := l.create("tensor.extract_slice", []*mlir.Value{t.V}, []mlir.Type{to}, at.attrs(segments(1, 0, 0, 0))...)
	return Lowered{op.Result(), t.D}
}

// InsertSlice returns into with the elements at a slice replaced by t.
func (l *Lowering) InsertSlice(t, into Lowered, offsets, strides []int) Lowered {
	at := region{offsets, t.Shape(), strides}
	for {
		op, was, ok := l.insertion(into.V)
		if !ok || !was.same(at) {
			break
		}
		into.V = op.Operands[1]
	}
	op := l.create("tensor.insert_slice", []*mlir.Value{t.V, into.V}, []mlir.Type{into.V.Type}, at.attrs(segments(1, 1, 0, 0, 0))...)
	return Lowered{op.Result(), into.D}
}

func (r region) attrs(segments mlir.Named) []mlir.Named {
	return []mlir.Named{
		{Name: "static_offsets", Value: mlir.Ints(r.offsets)},
		{Name: "static_sizes", Value: mlir.Ints(r.sizes)},
		{Name: "static_strides", Value: mlir.Ints(r.strides)}, segments,
	}
}

func (r region) same(q region) bool {
	return shape.Equal(r.offsets, q.offsets) && shape.Equal(r.sizes, q.sizes) && shape.Equal(r.strides, q.strides)
}

// apart reports whether one dimension of two regions shows that no element is in both.
func (r region) apart(q region) bool {
	for d := range r.offsets {
		if r.offsets[d]+(r.sizes[d]-1)*r.strides[d] < q.offsets[d] || q.offsets[d]+(q.sizes[d]-1)*q.strides[d] < r.offsets[d] {
			return true
		}
	}
	return false
}

// mostInsertions bounds how many insertions are looked at for a slice.
const mostInsertions = 64

// inserted is the value that was inserted at a slice, where insertions behind it left the slice alone; else nil.
func (l *Lowering) inserted(v *mlir.Value, at region) *mlir.Value {
	for range mostInsertions {
		op, was, ok := l.insertion(v)
		switch {
		case !ok:
			return nil
		case was.same(at):
			return op.Operands[0]
		case !was.apart(at):
			return nil
		}
		v = op.Operands[1]
	}
	return nil
}

// insertion returns the operation that made v by inserting a value of v's rank, as [Lowering.InsertSlice] does, and
// where.
func (l *Lowering) insertion(v *mlir.Value) (op *mlir.Operation, at region, ok bool) {
	if op = l.made(v, "tensor.insert_slice"); op == nil || len(op.Operands) != 2 {
		return nil, at, false
	}
	for name, list := range map[string]*[]int{"static_offsets": &at.offsets, "static_sizes": &at.sizes, "static_strides": &at.strides} {
		if *list, ok = mlir.IntList(op.Attrs.Get(name)); !ok {
			return nil, at, false
		}
	}
	t, ok := op.Operands[0].Type.(mlir.TensorType)
	return op, at, ok && shape.Equal(t.Shape, at.sizes)
}
