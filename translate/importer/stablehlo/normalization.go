package stablehlo

import "github.com/go-acap/acap/mlir"

// features are what a batch normalisation keeps apart: a dimension of its operand, and the dimensions over which each
// feature has a mean and a variance.
type features struct {
	dim     int
	rest    []int
	epsilon float64 // is added to variances
}

func (c *block) features(op *mlir.Operation, x *mlir.Value) features {
	rank := len(shapeOf(x))
	dim := c.dims("feature_index", []int{c.integer(op, "feature_index", 0)}, rank)[0]
	e, _ := op.Attrs.Get("epsilon").(mlir.FloatAttr)
	return features{dim, others(rank, []int{dim}), e.Value}
}

// along gives a vector of features the rank of x.
func (c *block) along(v, x *mlir.Value, dim int) *mlir.Value {
	dims := make([]int, len(shapeOf(x)))
	for i := range dims {
		dims[i] = 1
	}
	dims[dim] = shapeOf(x)[dim]
	return c.aten("view", v, dims)
}

func (c *block) mul(x, y *mlir.Value) *mlir.Value { return c.aten("mul.Tensor", x, y) }
func (c *block) sub(x, y *mlir.Value) *mlir.Value { return c.aten("sub.Tensor", x, y, 1) }

// scale is 1/√(variance + ε).
func (c *block) scale(variance *mlir.Value, epsilon float64) *mlir.Value {
	return c.aten("rsqrt", c.aten("add.Scalar", variance, epsilon, 1))
}

func (c *block) batchNormInference(op *mlir.Operation) {
	in := c.in(op) // x, scale, offset, mean, variance
	c.set(op, c.normalized(in[0], in[1], in[2], in[3], in[4], c.features(op, in[0])))
}

// normalized is (x - mean)·scale/√(variance + ε) + offset.
func (c *block) normalized(x, scale, offset, mean, variance *mlir.Value, f features) *mlir.Value {
	centred := c.sub(x, c.along(mean, x, f.dim))
	factor := c.along(c.mul(scale, c.scale(variance, f.epsilon)), x, f.dim)
	return c.aten("add.Tensor", c.mul(centred, factor), c.along(offset, x, f.dim), 1)
}

func (c *block) batchNormTraining(op *mlir.Operation) {
	in := c.in(op) // x, scale, offset
	f := c.features(op, in[0])
	mean := c.aten("mean.dim", in[0], f.rest, false)
	left := c.aten("mean.dim", c.sub(in[0], c.along(mean, in[0], f.dim)), f.rest, false) // what rounding took from the mean
	mean = c.aten("add.Tensor", mean, left, 1)
	variance := c.aten("var.correction", in[0], f.rest, 0, false)
	c.set(op, c.normalized(in[0], in[1], in[2], mean, variance, f), mean, variance)
}

// batchNormGradient gives the gradients of the operand, the scale and the offset.
func (c *block) batchNormGradient(op *mlir.Operation) {
	in := c.in(op) // x, scale, mean, variance, gradient of the output
	x, scale, mean, variance, g := in[0], in[1], in[2], in[3], in[4]
	f := c.features(op, x)
	count := 1.0
	for _, d := range f.rest {
		count *= float64(shapeOf(x)[d])
	}
	inverse := c.scale(variance, f.epsilon)
	hat := c.mul(c.sub(x, c.along(mean, x, f.dim)), c.along(inverse, x, f.dim))
	offset := c.aten("sum.dim_IntList", g, f.rest, false)
	gradScale := c.aten("sum.dim_IntList", c.mul(g, hat), f.rest, false)
	inner := c.sub(c.sub(c.aten("mul.Scalar", g, count), c.along(offset, x, f.dim)), c.mul(hat, c.along(gradScale, x, f.dim)))
	factor := c.along(c.aten("mul.Scalar", c.mul(scale, inverse), 1/count), x, f.dim)
	c.set(op, c.mul(inner, factor), gradScale, offset)
}
