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
	to := mlir.TensorType{Shape: boundShape(s.Sizes), Elem: elementOf(t.Type)}
	op := mlir.NewOp("tensor.extract_slice", []*mlir.Value{t}, []mlir.Type{to}, nil)
	s.set(op)
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
