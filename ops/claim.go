package ops

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// _checked is self, of which every element fits. An element that does not fit is an error when the call runs: it is
// read from a place out of range, and claims says what the operator that checks is told about it.
func init() {
	register(&Op{
		Schema: "_checked(Tensor self, Tensor fits, str operator) -> Tensor",
		Infer:  inferSame,
		Expand: func(e Emit, c *Call) []Value {
			one := e.Full([]int{1}, 1, c.DTypeOf(0))
			return []Value{e.Mul(c.Tensor(0), e.Call("take", one, e.To(e.Call("logical_not", c.Tensor(1)), dtype.I64)))}
		},
		Samples: samplesOf(Sample{S(2, 3), given(dtype.Bool, []int{2, 3}, 1, 1, 1, 1, 1, 1), "bernoulli"}),
	})
}

// claims say, for operators that check elements, what is wrong with a row of numbers, "" if nothing.
var claims = map[string]func(row []float64) string{
	"bernoulli": noProbability, "bernoulli.Tensor": noProbability, "multinomial": noWeights,
	"normal": noDeviation, "poisson": noRate,
}

// divisions are the operators that round quotients, or give remainders, and have no such result for integers and 0.
var divisions = setOf("div.Tensor_mode", "divide.Tensor_mode", "floor_divide", "fmod.Tensor", "remainder.Tensor", "remainder.Scalar_Tensor")

func init() {
	for name := range divisions {
		claims[name] = noDivisor
	}
}

func noDivisor(row []float64) string {
	if slices.Contains(row, 0) {
		return "integers cannot be divided by 0, which an element of other is: replace it (masked_fill), or divide floats"
	}
	return ""
}

func noRate(row []float64) string {
	for _, v := range row {
		if !(v >= 0) {
			return fmt.Sprintf("%v is not a rate, which is not negative", v)
		}
	}
	return ""
}

func noProbability(row []float64) string {
	for _, p := range row {
		if !(p >= 0 && p <= 1) {
			return fmt.Sprintf("%v is not a probability", p)
		}
	}
	return ""
}

func noWeights(row []float64) string {
	sum := 0.0
	for _, w := range row {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return fmt.Sprintf("%v is not a weight: weights are finite and not negative", w)
		}
		sum += w
	}
	if sum == 0 {
		return "the weights of a row are all 0"
	}
	return ""
}

func noDeviation(row []float64) string {
	for _, v := range row {
		if v < 0 {
			return fmt.Sprintf("%v is not a standard deviation, which is not negative", v)
		}
	}
	return ""
}

// rowsOf are the elements of a buffer along its last dimension.
func rowsOf(b *buf.Buffer) [][]float64 {
	n := b.Len()
	if len(b.Shape) > 0 {
		n = max(b.Shape[len(b.Shape)-1], 1)
	}
	var rows [][]float64
	for i := 0; i < b.Len(); i += n {
		row := make([]float64, n)
		for k := range row {
			row[k] = b.Float64(i + k)
		}
		rows = append(rows, row)
	}
	return rows
}
