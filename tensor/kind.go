package tensor

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
)

// Kind makes tensors of an element type on a device:
//
//	half := tensor.Kind{DType: dtype.F16, Device: acap.Device()}
//	x := half.Zeros(2, 3)
//
// Fields that are not set stand for float32, but where numbers say otherwise, and the host.
type Kind struct {
	DType  dtype.DType
	Device device.Device
}

// options returns what the kind says, for calls.
func (k Kind) options() []Option {
	var list []Option
	if k.DType != dtype.Invalid {
		list = append(list, With("dtype", k.DType))
	}
	if k.Device != nil {
		list = append(list, On(k.Device))
	}
	return list
}

func (k Kind) call(name string, args ...any) *Tensor {
	for _, o := range k.options() {
		args = append(args, o)
	}
	return Call(name, args...)[0]
}

// Zeros returns a tensor of zeros.
func (k Kind) Zeros(dims ...int) *Tensor { return k.float().call("zeros", shapeOf(dims)) }

// Ones returns a tensor of ones.
func (k Kind) Ones(dims ...int) *Tensor { return k.float().call("ones", shapeOf(dims)) }

// Full returns one number, of its own element type unless the kind has one.
func (k Kind) Full(v any, dims ...int) *Tensor { return k.call("full", shapeOf(dims), v) }

// Eye returns the identity matrix [n n].
func (k Kind) Eye(n int) *Tensor { return k.float().call("eye", n) }

// Arange returns the numbers from start to end, without end, every step; of ints they are
// int64 unless the kind says otherwise.
func (k Kind) Arange(start, end, step any) *Tensor {
	return k.call("arange.start_step", start, end, step)
}

// Linspace returns n numbers from start to end, evenly spaced.
func (k Kind) Linspace(start, end float64, n int) *Tensor {
	return k.float().call("linspace", start, end, n)
}

// Rand returns numbers uniform in [0, 1).
func (k Kind) Rand(dims ...int) *Tensor { return k.float().call("rand", shapeOf(dims)) }

// Randn returns numbers from the standard normal distribution.
func (k Kind) Randn(dims ...int) *Tensor { return k.float().call("randn", shapeOf(dims)) }

// float returns the kind with float32 as its element type if it has none.
func (k Kind) float() Kind {
	if k.DType == dtype.Invalid {
		k.DType = dtype.F32
	}
	return k
}

// shapeOf makes a list that is not nil.
func shapeOf(dims []int) []int { return append([]int{}, dims...) }

// Full returns a host tensor of one number, of the number's type.
func Full[T dtype.Go](v T, dims ...int) *Tensor {
	checkShape("full", dtype.Of[T](), dims)
	b := buf.New(dtype.Of[T](), shapeOf(dims))
	s := buf.Slice[T](b)
	for i := range s {
		s[i] = v
	}
	return onHost(b)
}

// Eye returns the float32 identity matrix [n n] on the host.
func Eye(n int) *Tensor { return Kind{}.Eye(n) }

// Linspace returns n float32 numbers from start to end, evenly spaced, on the host.
func Linspace(start, end float64, n int) *Tensor { return Kind{}.Linspace(start, end, n) }

// ArangeOf returns the numbers from start to end, without end, every step, of the numbers'
// type, on the host.
func ArangeOf[T uint8 | int8 | int16 | int32 | int64 | float32 | float64](start, end, step T) *Tensor {
	return Kind{DType: dtype.Of[T]()}.Arange(start, end, step)
}
