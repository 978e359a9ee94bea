package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

func ints(name string, list []int) mlir.Named { return mlir.Named{Name: name, Value: mlir.Ints(list)} }

// broadcast gives x extents; dimension i of x becomes dimension places[i].
func (w *writer) broadcast(x *mlir.Value, dims, places []int) *mlir.Value {
	if slices.Equal(shapeOf(x.Type), dims) && slices.Equal(places, shape.UpTo(len(dims))) {
		return x
	}
	if places == nil {
		places = []int{}
	}
	return w.create("broadcast_in_dim", tensor(elemOf(x.Type), dims), mlir.Attrs{ints("broadcast_dimensions", places)}, x)
}

func (w *writer) reshape(x *mlir.Value, dims []int) *mlir.Value {
	if slices.Equal(shapeOf(x.Type), dims) {
		return x
	}
	return w.create("reshape", tensor(elemOf(x.Type), dims), nil, x)
}

func (w *writer) transpose(x *mlir.Value, perm []int) *mlir.Value {
	if slices.Equal(perm, shape.UpTo(len(perm))) {
		return x
	}
	dims := make([]int, len(perm))
	for i, p := range perm {
		dims[i] = shapeOf(x.Type)[p]
	}
	return w.create("transpose", tensor(elemOf(x.Type), dims), mlir.Attrs{ints("permutation", perm)}, x)
}

func (w *writer) slice(x *mlir.Value, start, limit, strides []int) *mlir.Value {
	dims := make([]int, len(start))
	for i := range dims {
		dims[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i]
	}
	if slices.Equal(dims, shapeOf(x.Type)) {
		return x
	}
	return w.create("slice", tensor(elemOf(x.Type), dims), mlir.Attrs{ints("start_indices", start),
		ints("limit_indices", limit), ints("strides", strides)}, x)
}

// padded surrounds x with a value and puts interior elements between its own.
func (w *writer) padded(x, value *mlir.Value, low, high, interior []int) *mlir.Value {
	dims := slices.Clone(shapeOf(x.Type))
	for i, n := range dims {
		dims[i] = n + max(0, n-1)*interior[i] + low[i] + high[i]
	}
	if slices.Equal(dims, shapeOf(x.Type)) {
		return x
	}
	return w.create("pad", tensor(elemOf(x.Type), dims), mlir.Attrs{ints("edge_padding_low", low),
		ints("edge_padding_high", high), ints("interior_padding", interior)}, x, value)
}

// bounds reads the static offsets, sizes and strides of a slice.
func (w *writer) bounds(op *mlir.Operation) (offsets, sizes, strides []int) {
	var lists [3][]int
	for i, name := range []string{"static_offsets", "static_sizes", "static_strides"} {
		list, ok := mlir.IntList(op.Attrs.Get(name))
		if !ok || slices.Contains(list, mlir.DynamicStride) {
			w.fail("%s that are not known", name)
		}
		lists[i] = list
	}
	return lists[0], lists[1], lists[2]
}

func (w *writer) extractSlice(op *mlir.Operation) {
	x := w.value(op.Operands[0])
	offsets, sizes, strides := w.bounds(op)
	limit := make([]int, len(offsets))
	for i := range limit {
		limit[i] = offsets[i]
		if sizes[i] > 0 {
			limit[i] += (sizes[i]-1)*strides[i] + 1
		}
	}
	w.set(op, w.reshape(w.slice(x, offsets, limit, strides), shapeOf(op.Result().Type)))
}

// insertSlice pads the part to the whole and takes it where it lies.
func (w *writer) insertSlice(op *mlir.Operation) {
	into := op.Operands[1]
	dims := shapeOf(into.Type)
	offsets, sizes, strides := w.bounds(op)
	part := w.reshape(w.value(op.Operands[0]), sizes)
	if shape.Size(sizes) == 0 {
		w.set(op, w.value(into))
		return
	}
	high, interior := make([]int, len(dims)), make([]int, len(dims))
	for i, n := range dims {
		interior[i] = strides[i] - 1
		high[i] = n - offsets[i] - (sizes[i]-1)*strides[i] - 1
	}
	elem := elemOf(into.Type)
	if n := w.fillOf(into); n != nil {
		w.set(op, w.padded(part, n, offsets, high, interior))
		return
	}
	here := w.padded(part, w.number(0, elem), offsets, high, interior)
	mask := w.broadcast(w.number(1, mlir.I1), sizes, nil)
	mask = w.padded(mask, w.number(0, mlir.I1), offsets, high, interior)
	w.set(op, w.create("select", here.Type, nil, mask, here, w.value(into)))
}

// fillOf returns the number that a tensor is full of, or nil.
func (w *writer) fillOf(v *mlir.Value) *mlir.Value {
	if v.Def == nil {
		return nil
	}
	switch v.Def.Name {
	case "linalg.fill":
		return w.value(v.Def.Operands[0])
	case "tensor.empty":
		return w.number(0, elemOf(v.Type))
	}
	return nil
}

func (w *writer) pad(op *mlir.Operation) {
	low, ok := mlir.IntList(op.Attrs.Get("static_low"))
	high, also := mlir.IntList(op.Attrs.Get("static_high"))
	block := op.Body()
	if !ok || !also || len(op.Operands) != 1 || block == nil || len(block.Ops) == 0 {
		w.fail("amounts that are not known")
	}
	yield := block.Terminator()
	value := yield.Operands[0]
	if value.Def != nil && value.Def.Block == block && value.Def.Name == "arith.constant" {
		w.values[value] = w.constant(value.Def.Attrs.Get("value"))
	}
	w.set(op, w.padded(w.value(op.Operands[0]), w.value(value), low, high, slices.Repeat([]int{0}, len(low))))
}

// iota counts along a dimension.
func (w *writer) iota(dim int, dims []int) *mlir.Value {
	return w.create("iota", tensor(mlir.I64, dims), mlir.Attrs{{Name: "iota_dimension", Value: mlir.Int(dim)}})
}

// coordinates puts index tensors of extents dims side by side, along a dimension after these.
func (w *writer) coordinates(at []*mlir.Value, dims []int) *mlir.Value {
	column := append(slices.Clone(dims), 1)
	parts := make([]*mlir.Value, len(at))
	for i, v := range at {
		if len(shapeOf(v.Type)) == 0 && len(dims) > 0 {
			v = w.broadcast(v, dims, nil)
		}
		parts[i] = w.reshape(v, column)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return w.create("concatenate", tensor(mlir.I64, append(slices.Clone(dims), len(parts))),
		mlir.Attrs{{Name: "dimension", Value: mlir.Int(len(dims))}}, parts...)
}
