package ops

import (
	"math/rand/v2"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// Sample is one list of arguments of an operator. Tensors are given as [T],
// which tests fill with values.
type Sample []any

// T describes a tensor of a sample: its type and the range of its values.
type T struct {
	DType     dtype.DType
	Shape     []int
	Low, High float64 // the default is [-2, 2)

	Values []float64 // if there are any, the elements in order, for what no range describes
}

// given is a tensor with given elements, for samples: triangles, indices, pivots.
func given(d dtype.DType, dims []int, values ...float64) T {
	return T{DType: d, Shape: dims, Values: values}
}

// S is a float32 tensor of the given shape, for samples.
func S(dims ...int) T { return T{DType: dtype.F32, Shape: dims} }

// SIn is a float32 tensor with values in [low, high).
func SIn(low, high float64, dims ...int) T {
	return T{DType: dtype.F32, Shape: dims, Low: low, High: high}
}

// Fill makes a buffer with values drawn from r.
func (t T) Fill(r *rand.Rand) *buf.Buffer {
	low, high := t.Low, t.High
	if low == 0 && high == 0 {
		low, high = -2, 2
	}
	b := buf.New(t.DType, t.Shape)
	for i := range b.Len() {
		v := low + (high-low)*r.Float64()
		if t.DType == dtype.Bool { // half of them true
			v = float64(r.IntN(2))
		}
		if t.Values != nil {
			v = t.Values[i]
		}
		b.SetFloat64(i, v)
	}
	return b
}

// Args fills a sample: every T becomes a [BufferValue], also inside lists.
func (s Sample) Args(r *rand.Rand) []Arg {
	args := make([]Arg, len(s))
	for i, a := range s {
		switch a := a.(type) {
		case T:
			args[i] = TensorArg(BufferValue{a.Fill(r)})
		case []T:
			list := make([]Value, len(a))
			for j, t := range a {
				list[j] = BufferValue{t.Fill(r)}
			}
			args[i] = TensorsArg(list)
		default:
			args[i] = ArgOf(a)
		}
	}
	return args
}

// samplesOf is the Samples of operators whose samples are constant.
func samplesOf(samples ...Sample) func() []Sample {
	return func() []Sample { return samples }
}

// binarySamples are the samples of a binary operator's overload "Tensor" or
// "Scalar", with further arguments after the operands.
func binarySamples(overload string, more ...any) func() []Sample {
	if overload == "Scalar" {
		return samplesOf(append(Sample{S(2, 3), 1.5}, more...), append(Sample{S(), 3}, more...))
	}
	return samplesOf(append(Sample{S(2, 3), S(2, 3)}, more...), append(Sample{S(4, 1), S(3)}, more...),
		append(Sample{S(), S(4)}, more...))
}
