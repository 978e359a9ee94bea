package stablehlo

import "github.com/go-acap/acap/mlir"

// features returns the feature dimension of a batch normalisation, the others, and its epsilon.
func (c *block) features(op *mlir.Operation, x *mlir.Value) (dim int, rest []int, epsilon float64) {
	rank := len(shapeOf(x))
	dim = c.dims("feature_index", []int{c.integer(op, "feature_index", 0)}, rank)[0]
	e, _ := op.Attrs.Get("epsilon").(mlir.FloatAttr)
	return dim, others(rank, []int{dim}), e.Value
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
	dim, _, epsilon := c.features(op, in[0])
	c.set(op, c.normalized(in[0], in[1], in[2], in[3], in[4], dim, epsilon))
}

func (c *block) normalized(x, scale, offset, mean, variance *mlir.Value, dim int, epsilon float64) *mlir.Value {
	centred := c.sub(x, c.along(mean, x, dim))
	factor := c.along(c.mul(scale, c.scale(variance, epsilon)), x, dim)
	return c.aten("add.Tensor", c.mul(centred, factor), c.along(offset, x, dim), 1)
}

func (c *block) batchNormTraining(op *mlir.Operation) {
	in := c.in(op) // x, scale, offset
	dim, rest, epsilon := c.features(op, in[0])
	mean := c.aten("mean.dim", in[0], rest, false)
	left := c.aten("mean.dim", c.sub(in[0], c.along(mean, in[0], dim)), rest, false) // what rounding took from the mean
	mean = c.aten("add.Tensor", mean, left, 1)
	variance := c.aten("var.correction", in[0], rest, 0, false)
	c.set(op, c.normalized(in[0], in[1], in[2], mean, variance, dim, epsilon), mean, variance)
}

// batchNormGradient gives the gradients of the operand, the scale and the offset.
func (c *block) batchNormGradient(op *mlir.Operation) {
	in := c.in(op) // x, scale, mean, variance, gradient of the output
	x, scale, mean, variance, g := in[0], in[1], in[2], in[3], in[4]
	dim, rest, epsilon := c.features(op, x)
	count := 1.0
	for _, d := range rest {
		count *= float64(shapeOf(x)[d])
	}
	inverse := c.scale(variance, epsilon)
	hat := c.mul(c.sub(x, c.along(mean, x, dim)), c.along(inverse, x, dim))
	offset := c.aten("sum.dim_IntList", g, rest, false)
	gradScale := c.aten("sum.dim_IntList", c.mul(g, hat), rest, false)
	inner := c.sub(c.sub(c.aten("mul.Scalar", g, count), c.along(offset, x, dim)), c.mul(hat, c.along(gradScale, x, dim)))
	factor := c.along(c.aten("mul.Scalar", c.mul(scale, inverse), 1/count), x, dim)
	c.set(op, c.mul(inner, factor), gradScale, offset)
}
