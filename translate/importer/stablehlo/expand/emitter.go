package expand

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// emitter appends StableHLO operations to a block.
type emitter struct{ *mlir.Builder }

// op appends an operation with one result, named without its dialect.
func (e emitter) op(name string, t mlir.Type, operands ...*mlir.Value) *mlir.Value {
	return e.with(name, t, nil, operands...)
}

func (e emitter) with(name string, t mlir.Type, attrs mlir.Attrs, operands ...*mlir.Value) *mlir.Value {
	return e.Create("stablehlo."+name, operands, []mlir.Type{t}, attrs).Result()
}

// same appends an operation whose result has the type of its first operand.
func (e emitter) same(name string, operands ...*mlir.Value) *mlir.Value {
	return e.op(name, operands[0].Type, operands...)
}

func tensorOf(v *mlir.Value) mlir.TensorType { return v.Type.(mlir.TensorType) }

// of is a tensor type of other elements.
func of(t mlir.TensorType, elem mlir.Type) mlir.TensorType {
	return mlir.TensorType{Shape: t.Shape, Elem: elem}
}

// number is a tensor like x whose elements are all v.
func (e emitter) number(x *mlir.Value, v float64) *mlir.Value { return e.splat(tensorOf(x), v) }

func (e emitter) splat(t mlir.TensorType, v float64) *mlir.Value {
	if _, ok := t.Elem.(mlir.IntegerType); ok {
		return e.constant(mlir.DenseInts(t, []int64{int64(v)}))
	}
	return e.constant(mlir.DenseFloats(t, []float64{v}))
}

func (e emitter) constant(a mlir.DenseAttr) *mlir.Value {
	return e.with("constant", a.Type, mlir.Attrs{{Name: "value", Value: a}})
}

func (e emitter) add(x, y *mlir.Value) *mlir.Value { return e.same("add", x, y) }
func (e emitter) sub(x, y *mlir.Value) *mlir.Value { return e.same("subtract", x, y) }
func (e emitter) mul(x, y *mlir.Value) *mlir.Value { return e.same("multiply", x, y) }
func (e emitter) div(x, y *mlir.Value) *mlir.Value { return e.same("divide", x, y) }
func (e emitter) neg(x *mlir.Value) *mlir.Value    { return e.same("negate", x) }
func (e emitter) abs(x *mlir.Value) *mlir.Value    { return e.same("abs", x) }

func (e emitter) sel(p, x, y *mlir.Value) *mlir.Value { return e.op("select", x.Type, p, x, y) }

func (e emitter) compare(direction string, x, y *mlir.Value) *mlir.Value {
	return e.with("compare", of(tensorOf(x), mlir.I1), mlir.Attrs{{Name: "comparison_direction",
		Value: mlir.OpaqueAttr{Text: "#stablehlo<comparison_direction " + direction + ">"}}}, x, y)
}

// convert changes the element type.
func (e emitter) convert(x *mlir.Value, elem mlir.Type) *mlir.Value {
	if mlir.SameType(tensorOf(x).Elem, elem) {
		return x
	}
	return e.op("convert", of(tensorOf(x), elem), x)
}

func (e emitter) reshape(x *mlir.Value, dims []int) *mlir.Value {
	if slices.Equal(tensorOf(x).Shape, dims) {
		return x
	}
	return e.op("reshape", mlir.TensorType{Shape: dims, Elem: tensorOf(x).Elem}, x)
}

// broadcast gives x other extents; dims are the places of its dimensions.
func (e emitter) broadcast(x *mlir.Value, shape, dims []int) *mlir.Value {
	if slices.Equal(tensorOf(x).Shape, shape) {
		return x
	}
	return e.with("broadcast_in_dim", mlir.TensorType{Shape: shape, Elem: tensorOf(x).Elem},
		mlir.Attrs{{Name: "broadcast_dimensions", Value: mlir.Ints(dims)}}, x)
}

func (e emitter) transpose(x *mlir.Value, perm []int) *mlir.Value {
	shape := make([]int, len(perm))
	for i, d := range perm {
		shape[i] = tensorOf(x).Shape[d]
	}
	return e.with("transpose", mlir.TensorType{Shape: shape, Elem: tensorOf(x).Elem},
		mlir.Attrs{{Name: "permutation", Value: mlir.Ints(perm)}}, x)
}

// swapped is x with its last two dimensions swapped.
func (e emitter) swapped(x *mlir.Value) *mlir.Value {
	perm := shape.UpTo(len(tensorOf(x).Shape))
	n := len(perm)
	perm[n-1], perm[n-2] = n-2, n-1
	return e.transpose(x, perm)
}

// part is the n elements of dimension dim from first on.
func (e emitter) part(x *mlir.Value, dim, first, n int) *mlir.Value {
	t := tensorOf(x)
	start, limit, strides := make([]int, len(t.Shape)), slices.Clone(t.Shape), make([]int, len(t.Shape))
	for i := range strides {
		strides[i] = 1
	}
	start[dim], limit[dim] = first, first+n
	shape := slices.Clone(t.Shape)
	shape[dim] = n
	return e.with("slice", mlir.TensorType{Shape: shape, Elem: t.Elem}, mlir.Attrs{
		{Name: "start_indices", Value: mlir.Ints(start)}, {Name: "limit_indices", Value: mlir.Ints(limit)},
		{Name: "strides", Value: mlir.Ints(strides)}}, x)
}

func (e emitter) concatenate(dim int, list ...*mlir.Value) *mlir.Value {
	t := tensorOf(list[0])
	shape := slices.Clone(t.Shape)
	shape[dim] = 0
	for _, v := range list {
		shape[dim] += tensorOf(v).Shape[dim]
	}
	return e.with("concatenate", mlir.TensorType{Shape: shape, Elem: t.Elem},
		mlir.Attrs{{Name: "dimension", Value: mlir.Int(dim)}}, list...)
}

// iota counts along a dimension.
func (e emitter) iota(t mlir.TensorType, dim int) *mlir.Value {
	return e.with("iota", t, mlir.Attrs{{Name: "iota_dimension", Value: mlir.Int(dim)}})
}
