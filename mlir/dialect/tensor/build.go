package tensor

import "github.com/go-acap/acap/mlir"

func values(first *mlir.Value, rest []*mlir.Value) []*mlir.Value {
	return append([]*mlir.Value{first}, rest...)
}

// Empty appends a tensor of unspecified contents; dims are the dynamic extents.
func Empty(b *mlir.Builder, t mlir.TensorType, dims ...*mlir.Value) *mlir.Value {
	return b.Create("tensor.empty", dims, []mlir.Type{t}, nil).Result()
}

// Extract appends the element at the indices.
func Extract(b *mlir.Builder, t *mlir.Value, indices ...*mlir.Value) *mlir.Value {
	return b.Create("tensor.extract", values(t, indices), []mlir.Type{elementOf(t.Type)}, nil).Result()
}

// Insert appends a tensor that differs from t in one element.
func Insert(b *mlir.Builder, x, t *mlir.Value, indices ...*mlir.Value) *mlir.Value {
	operands := append([]*mlir.Value{x, t}, indices...)
	return b.Create("tensor.insert", operands, []mlir.Type{t.Type}, nil).Result()
}

// Cast appends a change between static and dynamic extents.
func Cast(b *mlir.Builder, t *mlir.Value, to mlir.Type) *mlir.Value {
	return b.Create("tensor.cast", []*mlir.Value{t}, []mlir.Type{to}, nil).Result()
}

// Bitcast appends a change of the element type that keeps the bits.
func Bitcast(b *mlir.Builder, t *mlir.Value, to mlir.Type) *mlir.Value {
	return b.Create("tensor.bitcast", []*mlir.Value{t}, []mlir.Type{to}, nil).Result()
}

// Dim appends the extent of a dimension.
func Dim(b *mlir.Builder, t, dim *mlir.Value) *mlir.Value {
	return b.Create("tensor.dim", []*mlir.Value{t, dim}, []mlir.Type{mlir.Index}, nil).Result()
}

// FromElements appends a tensor of the given elements, row-major.
func FromElements(b *mlir.Builder, t mlir.TensorType, elements ...*mlir.Value) *mlir.Value {
	return b.Create("tensor.from_elements", elements, []mlir.Type{t}, nil).Result()
}

// Splat appends a tensor of equal elements; dims are the dynamic extents.
func Splat(b *mlir.Builder, t mlir.TensorType, x *mlir.Value, dims ...*mlir.Value) *mlir.Value {
	return b.Create("tensor.splat", values(x, dims), []mlir.Type{t}, nil).Result()
}

// boundShape returns the extents that sizes give.
func boundShape(sizes []Bound) []int {
	shape := make([]int, len(sizes))
	for i, s := range sizes {
		shape[i] = s.Static
		if s.Value != nil {
			shape[i] = mlir.Dynamic
		}
	}
	return shape
}

// ExtractSlice appends a part of a tensor, of the same rank.
func ExtractSlice(b *mlir.Builder, t *mlir.Value, s Slice) *mlir.Value {
	return ExtractSliceTo(b, t, s, mlir.TensorType{
		Shape: boundShape(s.Sizes), Elem: elementOf(t.Type)})
}

// ExtractSliceTo is [ExtractSlice] with a result type that may leave out extents
// of 1.
func ExtractSliceTo(b *mlir.Builder, t *mlir.Value, s Slice, to mlir.TensorType) *mlir.Value {
	op := mlir.NewOp("tensor.extract_slice", []*mlir.Value{t}, []mlir.Type{to}, nil)
	s.set(op)
	return b.Insert(op).Result()
}

// InsertSlice appends a tensor that differs from dest in the part that source fills.
func InsertSlice(b *mlir.Builder, source, dest *mlir.Value, s Slice) *mlir.Value {
	op := mlir.NewOp("tensor.insert_slice", []*mlir.Value{source, dest},
		[]mlir.Type{dest.Type}, nil)
	s.set(op)
	return b.Insert(op).Result()
}

// Pad appends a tensor with static widths of padding of one value.
func Pad(b *mlir.Builder, t *mlir.Value, low, high []int, padding *mlir.Value) *mlir.Value {
	from := t.Type.(mlir.TensorType)
	to := mlir.TensorType{Elem: from.Elem, Shape: make([]int, len(from.Shape))}
	for i, n := range from.Shape {
		to.Shape[i] = mlir.Dynamic
		if n != mlir.Dynamic {
			to.Shape[i] = low[i] + n + high[i]
		}
	}
	op := mlir.NewOp("tensor.pad", []*mlir.Value{t}, []mlir.Type{to}, nil)
	setPad(op, Statics(low...), Statics(high...), false)
	args := make([]mlir.Type, len(low))
	for i := range args {
		args[i] = mlir.Index
	}
	body := op.AddRegion().AddBlock(args...)
	b.In(body).Create("tensor.yield", []*mlir.Value{padding}, nil, nil)
	return b.Insert(op).Result()
}

// Generate appends a tensor whose elements body computes from their indices; dims
// are the dynamic extents.
func Generate(b *mlir.Builder, t mlir.TensorType, dims []*mlir.Value,
	body func(b *mlir.Builder, indices []*mlir.Value) *mlir.Value) *mlir.Value {
	op := mlir.NewOp("tensor.generate", dims, []mlir.Type{t}, nil)
	args := make([]mlir.Type, len(t.Shape))
	for i := range args {
		args[i] = mlir.Index
	}
	inner := b.In(op.AddRegion().AddBlock(args...))
	inner.Create("tensor.yield", []*mlir.Value{body(inner, inner.Block.Args)}, nil, nil)
	return b.Insert(op).Result()
}

// ExpandShape appends a tensor with some extents split; the result is static.
func ExpandShape(b *mlir.Builder, t *mlir.Value, groups [][]int, to mlir.TensorType) *mlir.Value {
	op := mlir.NewOp("tensor.expand_shape", []*mlir.Value{t}, []mlir.Type{to}, nil)
	setExpandShape(op, reassociationAttr(groups), Statics(to.Shape...))
	return b.Insert(op).Result()
}

// CollapseShape appends a tensor with each group of extents merged into one.
func CollapseShape(b *mlir.Builder, t *mlir.Value, groups [][]int) *mlir.Value {
	from := t.Type.(mlir.TensorType)
	to := mlir.TensorType{Elem: from.Elem, Shape: make([]int, len(groups))}
	for i, g := range groups {
		to.Shape[i] = product(from.Shape, g)
	}
	return b.Create("tensor.collapse_shape", []*mlir.Value{t}, []mlir.Type{to}, mlir.Attrs{
		{Name: "reassociation", Value: reassociationAttr(groups)}}).Result()
}

// product returns the product of some extents; one dynamic makes it dynamic.
func product(shape []int, dims []int) int {
	n := 1
	for _, d := range dims {
		if shape[d] == mlir.Dynamic {
			return mlir.Dynamic
		}
		n *= shape[d]
	}
	return n
}

// Reshape appends a tensor of the same elements in the shape that a 1-D integer
// tensor gives.
func Reshape(b *mlir.Builder, t, shape *mlir.Value, to mlir.Type) *mlir.Value {
	return b.Create("tensor.reshape", []*mlir.Value{t, shape}, []mlir.Type{to}, nil).Result()
}

// Concat appends static tensors joined along a dimension.
func Concat(b *mlir.Builder, dim int, parts ...*mlir.Value) *mlir.Value {
	first := parts[0].Type.(mlir.TensorType)
	to := mlir.TensorType{Elem: first.Elem, Shape: append([]int(nil), first.Shape...)}
	for _, part := range parts[1:] {
		to.Shape[dim] += part.Type.(mlir.TensorType).Shape[dim]
	}
	return b.Create("tensor.concat", parts, []mlir.Type{to}, mlir.Attrs{
		{Name: "dim", Value: mlir.Int(dim)}}).Result()
}
