package stablehlo

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// converted changes the element type of a tensor from one (with its sign) to another.
func (c *block) converted(x *mlir.Value, from, to mlir.Type) *mlir.Value {
	if mlir.SameType(from, to) {
		return x
	}
	dims := shapeOf(x)
	return c.generic(signlessElem(to), dims, []operand{{x, mlir.Identity(len(dims))}},
		func(s scalars, e []*mlir.Value) *mlir.Value { return s.convert(e[0], from, to) })
}

// accumulator is the type in which sums of a result type are kept.
func (c *block) accumulator(t mlir.Type) mlir.Type {
	if isNarrow(t) {
		c.fail("is not supported for elements of 2 or 4 bits")
	}
	if isHalf(t) || isTiny(t) {
		return mlir.F32
	}
	return t
}

// storedElem is the type to which sums of a result type are rounded.
func storedElem(t mlir.Type) mlir.Type {
	if isTiny(t) {
		return t
	}
	return signlessElem(t)
}

func (c *block) dot(op *mlir.Operation) {
	left, right := len(operandShape(op, 0)), len(operandShape(op, 1))
	if left < 1 || right < 1 {
		c.fail("operands without dimensions")
	}
	c.contract(op, nil, nil, []int{left - 1}, []int{0})
}

func operandShape(op *mlir.Operation, i int) []int {
	return op.Operands[i].Type.(mlir.TensorType).Shape
}

func (c *block) dotGeneral(op *mlir.Operation) {
	f := hlo.Fields(op.Attrs.Get("dot_dimension_numbers"))
	c.contract(op, f["lhs_batching_dimensions"], f["rhs_batching_dimensions"],
		f["lhs_contracting_dimensions"], f["rhs_contracting_dimensions"])
}

// contract multiplies as batches of matrices: [batch, m, k]·[batch, k, n].
func (c *block) contract(op *mlir.Operation, leftBatch, rightBatch, leftK, rightK []int) {
	in := c.in(op)
	out := op.Result().Type.(mlir.TensorType)
	left, right := shapeOf(in[0]), shapeOf(in[1])
	c.dims("batching and contracting dimensions", append(leftBatch[:len(leftBatch):len(leftBatch)], leftK...), len(left))
	c.dims("batching and contracting dimensions", append(rightBatch[:len(rightBatch):len(rightBatch)], rightK...), len(right))
	if len(leftBatch) != len(rightBatch) || len(leftK) != len(rightK) {
		c.fail("other numbers of dimensions left and right")
	}
	batch, k := 1, 1
	for i := range leftBatch {
		c.same(left[leftBatch[i]], right[rightBatch[i]])
		batch *= left[leftBatch[i]]
	}
	for i := range leftK {
		c.same(left[leftK[i]], right[rightK[i]])
		k *= left[leftK[i]]
	}
	leftFree, rightFree := others(len(left), leftBatch, leftK), others(len(right), rightBatch, rightK)
	m, n := size(left, leftFree), size(right, rightFree)
	acc := c.accumulator(out.Elem)
	x := c.operandOf(op, in[0], 0, out.Elem)
	y := c.operandOf(op, in[1], 1, out.Elem)
	x = c.permuted(x, concat(leftBatch, leftFree, leftK))
	y = c.permuted(y, concat(rightBatch, rightK, rightFree))
	var product *mlir.Value
	l := c.shapes()
	d := mlir.DTypeOf(signlessElem(acc))
	if len(leftBatch) == 0 {
		product = l.Contract(lowered(c.reshaped(x, []int{m, k})), lowered(c.reshaped(y, []int{k, n})), d).V
	} else {
		product = l.Contract(lowered(c.reshaped(x, []int{batch, m, k})), lowered(c.reshaped(y, []int{batch, k, n})), d).V
	}
	c.set(op, c.converted(c.reshaped(product, out.Shape), signlessElem(acc), storedElem(out.Elem)))
}

// operandOf converts an operand of a product to the result's type, unless products of its own
// type are exact in it: half types, and signed integers of 8 bits.
func (c *block) operandOf(op *mlir.Operation, x *mlir.Value, i int, to mlir.Type) *mlir.Value {
	from := operandElem(op, i)
	other := operandElem(op, 1-i)
	if mlir.SameType(from, other) && (isHalf(from) && isFloat(to) && !mlir.SameType(to, mlir.F64) ||
		mlir.SameType(from, mlir.I8) && mlir.SameType(to, mlir.I32)) {
		return x
	}
	return c.converted(x, from, to)
}

func (c *block) same(a, b int) {
	if a != b {
		c.fail("extents %d and %d differ", a, b)
	}
}

// others lists the dimensions that no list has.
func others(rank int, lists ...[]int) []int {
	used := map[int]bool{}
	for _, l := range lists {
		for _, d := range l {
			used[d] = true
		}
	}
	var out []int
	for d := range rank {
		if !used[d] {
			out = append(out, d)
		}
	}
	return out
}

func size(dims, which []int) int {
	n := 1
	for _, d := range which {
		n *= dims[d]
	}
	return n
}

func concat(lists ...[]int) []int {
	out := []int{}
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func (c *block) convolution(op *mlir.Operation) {
	in := c.in(op)
	out := op.Result().Type.(mlir.TensorType)
	d, ok := hlo.ConvolutionOf(op.Attrs.Get("dimension_numbers"))
	rank := len(d.InputSpatial)
	if !ok || len(shapeOf(in[0])) != rank+2 || len(shapeOf(in[1])) != rank+2 || len(out.Shape) != rank+2 ||
		len(d.KernelSpatial) != rank || len(d.OutputSpatial) != rank {
		c.fail("the dimension numbers do not fit")
	}
	elem := c.accumulator(out.Elem)
	x := c.permuted(c.converted(in[0], operandElem(op, 0), elem), concat([]int{d.InputBatch, d.InputFeature}, d.InputSpatial))
	w := c.permuted(c.converted(in[1], operandElem(op, 1), elem),
		concat([]int{d.KernelOutput, d.KernelInput}, d.KernelSpatial))
	x = c.windowed(op, x, rank)
	var reverse []int
	for i, set := range c.list(op, "window_reversal", rank, 0) {
		if set != 0 {
			reverse = append(reverse, i+2)
		}
	}
	w = c.reversed(w, reverse)
	features, batches := c.integer(op, "feature_group_count", 1), c.integer(op, "batch_group_count", 1)
	if batches > 1 { // group j of the batch with group j of the kernel: features of one image
		dims := shapeOf(x)
		if dims[0]%batches != 0 || features != 1 {
			c.fail("batch_group_count %d of a batch of %d", batches, dims[0])
		}
		b := dims[0] / batches
		x = c.reshaped(x, concat([]int{batches, b}, dims[1:]))
		x = c.permuted(x, concat([]int{1, 0}, shape.UpTo(len(dims) + 1)[2:]))
		x = c.reshaped(x, concat([]int{b, batches * dims[1]}, dims[2:]))
		features = batches
	}
	strides, dilation := c.list(op, "window_strides", rank, 1), c.list(op, "rhs_dilation", rank, 1)
	r := c.convolved(x, w, strides, dilation, features)
	perm := make([]int, rank+2)
	perm[d.OutputBatch], perm[d.OutputFeature] = 0, 1
	for i, p := range d.OutputSpatial {
		perm[p] = i + 2
	}
	c.set(op, c.converted(c.permuted(r, perm), signlessElem(elem), storedElem(out.Elem)))
}

// windowed pads and dilates the input [batch, feature, spatial…] of a convolution.
func (c *block) windowed(op *mlir.Operation, x *mlir.Value, rank int) *mlir.Value {
	padding := c.list(op, "padding", 2*rank, 0)
	low, high, interior := make([]int, rank+2), make([]int, rank+2), make([]int, rank+2)
	for i, n := range c.list(op, "lhs_dilation", rank, 1) {
		low[i+2], high[i+2], interior[i+2] = padding[2*i], padding[2*i+1], n-1
	}
	return c.padded(x, c.zero(elemOf(x)), low, high, interior)
}

// zero is a tensor without dimensions that holds 0.
func (c *block) zero(elem mlir.Type) *mlir.Value {
	t := mlir.TensorType{Elem: elem}
	if isFloat(elem) {
		return arith.Constant(c.b, mlir.DenseFloats(t, []float64{0}))
	}
	return arith.Constant(c.b, mlir.DenseInts(t, []int64{0}))
}

// convolved slides kernels [output, input of a group, spatial…] over [batch, feature, spatial…].
func (c *block) convolved(x, w *mlir.Value, strides, dilation []int, groups int) *mlir.Value {
	in, k := shapeOf(x), shapeOf(w)
	rank := len(strides)
	if groups < 1 || in[1] != k[1]*groups || k[0]%groups != 0 {
		c.fail("%d groups of %d input and %d output features, kernels of %d", groups, in[1], k[0], k[1])
	}
	out := []int{in[0], k[0]}
	for i := range rank {
		extent := (k[i+2]-1)*dilation[i] + 1
		if k[i+2] == 0 || strides[i] < 1 || dilation[i] < 1 {
			c.fail("an empty window, or a step below 1")
		}
		out = append(out, max(0, (in[i+2]-extent+strides[i])/strides[i]))
	}
	if rank >= 1 && rank <= 3 && isFloat(elemOf(x)) && shape.Size(out) > 0 && shape.Size(k) > 0 {
		zeros := make([]int, rank)
		return c.aten("convolution", x, w, nil, strides, zeros, dilation, false, zeros, groups)
	}
	// loops: batch, group, output feature of the group, spatial…, input feature, window…
	n := 3 + rank + 1 + rank
	loops := parallel(n)
	read, kernel, to := mlir.AffineMap{Dims: n}, mlir.AffineMap{Dims: n}, mlir.AffineMap{Dims: n}
	read.Results = []*mlir.AffineExpr{mlir.Dim(0), mlir.Dim(1), mlir.Dim(3 + rank)}
	kernel.Results = []*mlir.AffineExpr{mlir.Dim(1), mlir.Dim(2), mlir.Dim(3 + rank)}
	to.Results = []*mlir.AffineExpr{mlir.Dim(0), mlir.Dim(1), mlir.Dim(2)}
	loops[3+rank] = reduction
	for i := range rank {
		at, window := mlir.Dim(3+i), mlir.Dim(4+rank+i)
		loops[4+rank+i] = reduction
		read.Results = append(read.Results, at.Times(strides[i]).Plus(window.Times(dilation[i])))
		kernel.Results = append(kernel.Results, window)
		to.Results = append(to.Results, at)
	}
	x = c.reshaped(x, concat([]int{in[0], groups, k[1]}, in[2:]))
	w = c.reshaped(w, concat([]int{groups, k[0] / groups, k[1]}, k[2:]))
	start := c.filled(c.zero(elemOf(x)), concat([]int{in[0], groups, k[0] / groups}, out[2:]))
	r := c.fold(loops, []operand{{x, read}, {w, kernel}}, []operand{{start, to}},
		func(s scalars, e []*mlir.Value) []*mlir.Value {
			if isFloat(e[0].Type) {
				return []*mlir.Value{s.binary("addf", e[2], s.binary("mulf", e[0], e[1]))}
			}
			return []*mlir.Value{s.binary("addi", e[2], s.binary("muli", e[0], e[1]))}
		})[0]
	return c.reshaped(r, out)
}
