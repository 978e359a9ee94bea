package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// erfLimit is where erf is 1 in f32; erfOver and erfUnder are the coefficients of x²'s powers, highest first, of the
// quotient x·P(x²)/Q(x²) that is erf between the limits (Eigen's minimax approximation, which XLA has as well).
const erfLimit = 3.832506856900711

var (
	erfOver  = []float64{0.00022905065861350646, 0.0034082910107109506, 0.050955695062380861, 0.18520832239976145, 1.128379143519084}
	erfUnder = []float64{-1.1791602954361697e-7, 0.000023547966471313185, 0.0010179625278914885, 0.014070470171167667,
		0.11098505178285362, 0.49746925110067538, 1}
)

// Decompose replaces functions of chlo by operations of StableHLO, which portable artifacts hold alone: erf of f32 and
// narrower floats, whose error is a few units in the last place of f32. Other functions stay.
func Decompose(module *mlir.Operation) error {
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name != "chlo.erf" {
			return nil
		}
		t, ok := op.Result().Type.(mlir.TensorType)
		if !ok || mlir.BitWidth(t.Elem) > 32 || slices.Contains(t.Shape, mlir.Dynamic) {
			return nil
		}
		single := mlir.TensorType{Shape: t.Shape, Elem: mlir.F32}
		d := decomposer{&r.Builder, single}
		x := d.convert(op.Operands[0], single)
		low, high := d.scalar(-erfLimit), d.scalar(erfLimit)
		x = d.op("clamp", single, low, x, high)
		square := d.op("multiply", single, x, x)
		over, under := d.polynomial(square, erfOver), d.polynomial(square, erfUnder)
		r.Replace(d.convert(d.op("divide", single, d.op("multiply", single, x, over), under), t))
		return nil
	})
}

// decomposer appends operations on tensors of a type.
type decomposer struct {
	*mlir.Builder
	t mlir.TensorType
}

func (d decomposer) op(name string, t mlir.Type, operands ...*mlir.Value) *mlir.Value {
	return d.Create("stablehlo."+name, operands, []mlir.Type{t}, nil).Result()
}

func (d decomposer) constant(t mlir.TensorType, v float64) *mlir.Value {
	a := mlir.DenseFloats(t, []float64{v})
	return d.Create("stablehlo.constant", nil, []mlir.Type{t}, mlir.Attrs{{Name: "value", Value: a}}).Result()
}

func (d decomposer) scalar(v float64) *mlir.Value {
	return d.constant(mlir.TensorType{Elem: mlir.F32}, v)
}

func (d decomposer) convert(x *mlir.Value, t mlir.TensorType) *mlir.Value {
	if mlir.SameType(x.Type, t) {
		return x
	}
	return d.op("convert", t, x)
}

// polynomial is Horner's sum.
func (d decomposer) polynomial(x *mlir.Value, coefficients []float64) *mlir.Value {
	sum := d.constant(d.t, coefficients[0])
	for _, c := range coefficients[1:] {
		sum = d.op("add", d.t, d.op("multiply", d.t, sum, x), d.constant(d.t, c))
	}
	return sum
}
