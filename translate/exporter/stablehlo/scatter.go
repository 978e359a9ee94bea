package stablehlo

import (
	"fmt"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// scatter writes an acap.scatter. Where one index moves a whole slice, slices are scattered; else
// single elements, each with the coordinates of its place.
func (w *writer) scatter(op *mlir.Operation) {
	updates, index, into := w.value(op.Operands[0]), w.value(op.Operands[1]), w.value(op.Operands[2])
	dims, axis := shapeOf(updates.Type), acap.Axis(op)
	rank := len(dims)
	f := w.foldingOf(op, elemOf(into.Type))
	updates, into = w.as(updates, f.elem), w.as(into, f.elem)
	var numbers string
	if shape.Size(shapeOf(index.Type)) == shapeOf(index.Type)[axis] {
		window := append(shape.UpTo(axis), shape.UpTo(rank)[axis+1:]...)
		numbers = fmt.Sprintf("update_window_dims = %s, inserted_window_dims = [%d], scatter_dims_to_operand_dims = [%d], "+
			"index_vector_dim = 1", list(window), axis, axis)
		index = w.broadcast(w.reshape(index, []int{shapeOf(index.Type)[axis]}), []int{dims[axis]}, []int{0})
		index = w.reshape(index, []int{dims[axis], 1})
	} else {
		numbers = fmt.Sprintf("inserted_window_dims = %s, scatter_dims_to_operand_dims = %s, index_vector_dim = %d",
			list(shape.UpTo(rank)), list(shape.UpTo(rank)), rank)
		index = w.coordinates(w.places(index, dims, axis), dims)
	}
	scattered := mlir.NewOp("stablehlo.scatter", []*mlir.Value{into, index, updates}, []mlir.Type{into.Type}, mlir.Attrs{
		{Name: "indices_are_sorted", Value: mlir.Bool(false)},
		{Name: "scatter_dimension_numbers", Value: mlir.OpaqueAttr{Text: "#stablehlo.scatter<" + numbers + ">"}},
		{Name: "unique_indices", Value: mlir.Bool(false)}})
	single := tensor(f.elem, []int{})
	block := scattered.AddRegion().AddBlock(single, single)
	outer := w.b
	w.b = outer.In(block)
	result := block.Args[1]
	if acap.Kind(op) != acap.Assign {
		result = f.combine(w, block.Args[0], result)
	}
	w.b.Create("stablehlo.return", []*mlir.Value{result}, nil, nil)
	w.b = outer
	w.set(op, w.as(w.b.Insert(scattered).Result(), elemOf(op.Result().Type)))
}

// places gives each update its place in all dimensions: its own, but along the axis the index.
func (w *writer) places(index *mlir.Value, dims []int, axis int) []*mlir.Value {
	at := make([]*mlir.Value, len(dims))
	for d := range at {
		if d != axis {
			at[d] = w.iota(d, dims)
		}
	}
	// Extents of 1 stand for the updates' extents.
	kept, places := []int{}, []int{}
	for i, n := range shapeOf(index.Type) {
		if n == dims[i] {
			kept, places = append(kept, n), append(places, i)
		}
	}
	at[axis] = w.broadcast(w.reshape(index, kept), dims, places)
	return at
}
