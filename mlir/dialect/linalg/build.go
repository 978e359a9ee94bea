package linalg

import "github.com/go-acap/acap/mlir"

// Generic appends a linalg.generic and returns its results, one for each output.
// The maps belong to ins and then to outs; iterators holds [Parallel] or [Reduction] for each loop; body returns the
// elements to yield.
func Generic(b *mlir.Builder, ins, outs []*mlir.Value, maps []mlir.AffineMap,
	iterators []string, body func(b *mlir.Builder, args []*mlir.Value) []*mlir.Value) []*mlir.Value {
	mapList := make(mlir.ArrayAttr, len(maps))
	for i, m := range maps {
		mapList[i] = mlir.AffineMapAttr{Map: m}
	}
	op := structured("linalg.generic", ins, outs, mlir.Attrs{
		{Name: "indexing_maps", Value: mapList},
		{Name: "iterator_types", Value: iteratorAttr(iterators)},
		segments(len(ins), len(outs)),
	})
	block := op.AddRegion().AddBlock()
	for _, v := range op.Operands {
		block.AddArg(elementOf(v.Type))
	}
	inner := b.In(block)
	inner.Create("linalg.yield", body(inner, block.Args), nil, nil)
	return b.Insert(op).Results
}

// structured makes an operation with a result for each output that is a tensor.
func structured(name string, ins, outs []*mlir.Value, attrs mlir.Attrs) *mlir.Operation {
	op := mlir.NewOp(name, append(append([]*mlir.Value(nil), ins...), outs...), nil, attrs)
	resultsLikeOutputs(op)
	return op
}

// Named appends the named operation ("matmul") and returns its result, or nil for
// memrefs. The attributes are those besides operandSegmentSizes.
func Named(b *mlir.Builder, name string, ins []*mlir.Value, out *mlir.Value,
	attrs mlir.Attrs) *mlir.Value {
	n := namedOps[name]
	if n == nil {
		panic("BUG: linalg: no named operation " + name)
	}
	attrs = append(append(mlir.Attrs(nil), attrs...), segments(len(ins), 1))
	op := structured("linalg."+name, ins, []*mlir.Value{out}, attrs)
	op.Loc = b.Loc
	if err := addPayload(op, n.payload); err != nil {
		panic("BUG: linalg: " + err.Error())
	}
	return b.Insert(op).Result()
}

// Fill appends out with every element equal to the scalar x.
func Fill(b *mlir.Builder, x, out *mlir.Value) *mlir.Value {
	return Named(b, "fill", []*mlir.Value{x}, out, nil)
}

// MatMul appends out + x·y for matrices m×k and k×n.
func MatMul(b *mlir.Builder, x, y, out *mlir.Value) *mlir.Value {
	return Named(b, "matmul", []*mlir.Value{x, y}, out, nil)
}

// BatchMatMul appends out + x·y for stacks of matrices.
func BatchMatMul(b *mlir.Builder, x, y, out *mlir.Value) *mlir.Value {
	return Named(b, "batch_matmul", []*mlir.Value{x, y}, out, nil)
}

// Steps are the distances of a window, one for each spatial dimension.
type Steps struct {
	Strides   []int // between windows
	Dilations []int // between the elements of a window
}

// Window appends a convolution or pooling by name ("conv_2d_nchw_fchw",
// "pooling_nchw_max") of unpadded input; a pooling's weight is a tensor that only
// gives the window its shape.
func Window(b *mlir.Builder, name string, input, weight, out *mlir.Value, steps Steps) *mlir.Value {
	return Named(b, name, []*mlir.Value{input, weight}, out, mlir.Attrs{
		{Name: "dilations", Value: windowAttr(steps.Dilations)},
		{Name: "strides", Value: windowAttr(steps.Strides)},
	})
}

func windowAttr(values []int) mlir.Attribute {
	ints := make([]int64, len(values))
	for i, v := range values {
		ints[i] = int64(v)
	}
	return mlir.DenseInts(mlir.TensorType{Shape: []int{len(values)}, Elem: mlir.I64}, ints)
}
