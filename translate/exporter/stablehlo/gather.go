package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// gather reads elements of x at index tensors of extents dims, one for each dimension of x. A dimension that is indexed
// by a loop as it is stays whole in a slice; the indices of the other dimensions say where slices begin.
func (w *writer) gather(x *mlir.Value, at []*mlir.Value, dims []int) *mlir.Value {
	whole := wholeDims(x, at, dims)
	var offset, collapsed, kept, places []int // places: the loop of each dimension of x
	sizes := slices.Repeat([]int{1}, len(at))
	var data []*mlir.Value
	for k, v := range at {
		if d := whole[k]; d >= 0 {
			offset, sizes[k], places = append(offset, d), dims[d], append(places, d)
			continue
		}
		collapsed, data = append(collapsed, k), append(data, v)
	}
	if len(data) == 0 {
		return w.broadcast(x, dims, places)
	}
	start, limit := make([]int, len(dims)), slices.Clone(dims)
	for d, n := range dims {
		if slices.Contains(offset, d) {
			limit[d] = 1
		} else {
			kept = append(kept, n)
		}
	}
	for i, v := range data {
		if len(offset) > 0 && len(shapeOf(v.Type)) > 0 {
			data[i] = w.reshape(w.slice(v, start, limit, slices.Repeat([]int{1}, len(dims))), kept)
		}
	}
	text := "#stablehlo.gather<"
	if len(offset) > 0 {
		text += "offset_dims = " + list(offset) + ", "
	}
	text += "collapsed_slice_dims = " + list(collapsed) + ", start_index_map = " + list(collapsed) + ", index_vector_dim = " + list([]int{len(kept)})[1:]
	return w.create("gather", tensor(elemOf(x.Type), dims), mlir.Attrs{
		{Name: "dimension_numbers", Value: mlir.OpaqueAttr{Text: text[:len(text)-1] + ">"}}, ints("slice_sizes", sizes)}, x, w.coordinates(data, kept))
}

// wholeDims gives the loop that indexes each dimension of x as it is, from the first element to the last; -1 for a
// dimension whose index is computed. The loops are in order, and no other index depends on them.
func wholeDims(x *mlir.Value, at []*mlir.Value, dims []int) []int {
	whole := make([]int, len(at))
	for k, v := range at {
		whole[k] = -1
		if v.Def == nil || v.Def.Name != "stablehlo.iota" || !slices.Equal(shapeOf(v.Type), dims) {
			continue
		}
		d, _ := v.Def.Attrs.Get("iota_dimension").(mlir.IntegerAttr)
		if loop := int(d.Value); shapeOf(x.Type)[k] == dims[loop] && loop > slices.Max(append(whole[:k:k], -1)) {
			whole[k] = loop
		}
	}
	for _, d := range whole {
		if d >= 0 && slices.ContainsFunc(shape.UpTo(len(at)), func(i int) bool { return whole[i] < 0 && dependsOnLoop(at[i], d) }) {
			return slices.Repeat([]int{-1}, len(at))
		}
	}
	return whole
}

// pointwise are the operations whose elements depend on the elements of their operands at the same place.
var pointwise = map[string]bool{"stablehlo.add": true, "stablehlo.subtract": true, "stablehlo.multiply": true, "stablehlo.divide": true,
	"stablehlo.remainder": true, "stablehlo.maximum": true, "stablehlo.minimum": true, "stablehlo.clamp": true, "stablehlo.select": true,
	"stablehlo.compare": true, "stablehlo.convert": true, "stablehlo.and": true, "stablehlo.or": true, "stablehlo.not": true,
	"stablehlo.negate": true, "stablehlo.floor": true}

// dependsOnLoop reports whether elements of v may differ along a dimension.
func dependsOnLoop(v *mlir.Value, d int) bool {
	if len(shapeOf(v.Type)) == 0 {
		return false
	}
	def := v.Def
	switch {
	case def == nil:
		return true
	case def.Name == "stablehlo.iota":
		dim, _ := def.Attrs.Get("iota_dimension").(mlir.IntegerAttr)
		return int(dim.Value) == d
	case def.Name == "stablehlo.broadcast_in_dim":
		places, _ := mlir.IntList(def.Attrs.Get("broadcast_dimensions"))
		at := slices.Index(places, d)
		return at >= 0 && shapeOf(def.Operands[0].Type)[at] != 1 && dependsOnLoop(def.Operands[0], at)
	case pointwise[def.Name]:
		return slices.ContainsFunc(def.Operands, func(o *mlir.Value) bool { return dependsOnLoop(o, d) })
	}
	return true
}
