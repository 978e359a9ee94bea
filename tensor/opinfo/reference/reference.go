package reference

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Result is what an operator should give. Without values only type and shape are
// determined.
type Result struct {
	DType  dtype.DType
	Shape  []int
	Values []float64
}

// Functions are the operators by name: results from arguments. Tensors are given as
// buffers, in lists too; arguments that a sample leaves out are missing.
var Functions = map[string]func(Args) []Result{}

// Args are the arguments of a call.
type Args []any

// tensor returns a tensor argument.
func (a Args) tensor(i int) *buf.Buffer { return a[i].(*buf.Buffer) }

// floats returns the elements of a tensor.
func (a Args) floats(i int) []float64 { return elements(a.tensor(i)) }

func elements(b *buf.Buffer) []float64 {
	out := make([]float64, b.Len())
	for i := range out {
		out[i] = b.Float64(i)
	}
	return out
}

// ints returns a list of ints, and whether it was given.
func (a Args) ints(i int) ([]int, bool) {
	if i >= len(a) {
		return nil, false
	}
	v, ok := a[i].([]int)
	return v, ok
}

// flag returns a bool that is false if it is left out.
func (a Args) flag(i int) bool {
	return i < len(a) && a[i] == true
}

// index returns the places along every dimension of element i of a row-major tensor.
func index(dims []int, i int) []int {
	at := make([]int, len(dims))
	for d := len(dims) - 1; d >= 0; d-- {
		at[d] = i % dims[d]
		i /= dims[d]
	}
	return at
}

// offset returns the number of the element at the given places.
func offset(dims, at []int) int {
	sum := 0
	for d, n := range dims {
		sum = sum*n + at[d]
	}
	return sum
}

// zeros is a result of zeros.
func zeros(d dtype.DType, dims ...int) Result {
	return Result{d, dims, make([]float64, shape.Size(dims))}
}
