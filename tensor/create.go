package tensor

import (
	"fmt"
	"reflect"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
)

var hostRuntime = lazy.For(host.Device())

// FromSlice copies a slice into a host tensor of the given shape. Without
// extents the tensor has one dimension. It panics with a [*ShapeError] if the
// lengths differ.
func FromSlice[T dtype.Go](data []T, dims ...int) *Tensor {
	if len(dims) == 0 {
		dims = []int{len(data)}
	}
	checkShape("from slice", dtype.Of[T](), dims)
	if shape.Size(dims) != len(data) {
		raise(&ShapeError{Op: "from slice", Detail: fmt.Sprintf("%d elements do not fill %s",
			len(data), shape.String(dims))})
	}
	return onHost(buf.From(data, append([]int(nil), dims...)...))
}

// checkShape refuses a tensor that has no valid type or shape, or that memory cannot hold.
func checkShape(op string, d dtype.DType, dims []int) {
	if !d.Valid() {
		raise(&DTypeError{Op: op, Detail: fmt.Sprintf("%v is no element type", d)})
	}
	err := error(nil)
	if err = shape.Check(dims); err == nil {
		err = buf.CheckBytes(buf.MulBytes(int64(shape.Size(dims)), int64(d.Size())), "the tensor")
	}
	if err != nil {
		raise(&ShapeError{Op: op, Detail: err.Error(), Err: err})
	}
}

// Of makes a host tensor of a Go value: a number, a bool, a slice or array of
// them, nested to any depth, or a flat slice with the shape given by dims. Ints
// become i64. A value without an element type, such as a string, panics with a [*DTypeError]; rows of different
// lengths, and dims of another number of elements, panic with a [*ShapeError].
func Of(data any, dims ...int) *Tensor {
	v := reflect.ValueOf(data)
	if !v.IsValid() {
		raise(&DTypeError{Op: "of", Detail: "no element type for nil"})
	}
	extents, elem := nesting(v)
	d := dtype.OfValue(reflect.Zero(elem).Interface())
	if d == dtype.Invalid {
		raise(&DTypeError{Op: "of", Detail: fmt.Sprintf("no element type for %v", elem)})
	}
	out := extents
	if len(dims) > 0 {
		out = append([]int(nil), dims...)
		checkShape("of", d, out)
		if shape.Size(out) != shape.Size(extents) {
			raise(&ShapeError{Op: "of", Detail: fmt.Sprintf("%s does not fill %s",
				shape.String(extents), shape.String(out))})
		}
	}
	b := buf.New(d, out)
	fill := filler{b: b, elem: elem}
	fill.from(v, extents)
	return onHost(b)
}

// nesting returns the extents of nested slices and the innermost element type.
func nesting(v reflect.Value) ([]int, reflect.Type) {
	var extents []int
	t := v.Type()
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		n := 0
		if v.IsValid() {
			n = v.Len()
		}
		extents = append(extents, n)
		t = t.Elem()
		if n > 0 {
			v = v.Index(0)
		} else {
			v = reflect.Value{}
		}
	}
	return extents, t
}

type filler struct {
	b    *buf.Buffer
	elem reflect.Type
	next int
}

func (f *filler) from(v reflect.Value, extents []int) {
	if len(extents) == 0 {
		f.set(v)
		f.next++
		return
	}
	if v.Len() != extents[0] {
		raise(&ShapeError{Op: "of", Detail: fmt.Sprintf("ragged nesting: %d and %d elements",
			extents[0], v.Len())})
	}
	for i := range v.Len() {
		f.from(v.Index(i), extents[1:])
	}
}

func (f *filler) set(v reflect.Value) {
	if dtype.OfValue(v.Interface()).IsFloat8() {
		f.b.Bytes()[f.next] = byte(v.Uint())
		return
	}
	switch x := v.Interface().(type) {
	case dtype.Float16:
		buf.Slice[dtype.Float16](f.b)[f.next] = x
	case dtype.BFloat16:
		buf.Slice[dtype.BFloat16](f.b)[f.next] = x
	default:
		switch {
		case v.Kind() == reflect.Bool:
			if v.Bool() {
				f.b.SetInt64(f.next, 1)
			}
		case v.CanInt():
			f.b.SetInt64(f.next, v.Int())
		case v.CanUint():
			f.b.SetInt64(f.next, int64(v.Uint()))
		case v.CanFloat():
			f.b.SetFloat64(f.next, v.Float())
		case v.CanComplex():
			f.b.SetComplex(f.next, v.Complex())
		}
	}
}

// Scalar makes a host tensor without dimensions: a float64 becomes f32, an int
// i64, as PyTorch's defaults are.
func Scalar(v any) *Tensor {
	if f, ok := v.(float64); ok {
		return Of(float32(f))
	}
	return Of(v)
}

// Zeros returns a float32 host tensor of zeros.
func Zeros(dims ...int) *Tensor { return FullLike(0, dtype.F32, dims...) }

// Ones returns a float32 host tensor of ones.
func Ones(dims ...int) *Tensor { return FullLike(1, dtype.F32, dims...) }

// FullLike returns a host tensor of one number with an element type and a shape.
func FullLike(v float64, d dtype.DType, dims ...int) *Tensor {
	checkShape("full", d, dims)
	b := buf.New(d, append([]int(nil), dims...))
	if v != 0 {
		for i := range b.Len() {
			b.SetFloat64(i, v)
		}
	}
	return onHost(b)
}

// Arange returns the float32 numbers 0, 1, …, n-1.
func Arange(n int) *Tensor {
	checkShape("arange", dtype.F32, []int{n})
	b := buf.New(dtype.F32, []int{n})
	s := buf.Slice[float32](b)
	for i := range s {
		s[i] = float32(i)
	}
	return onHost(b)
}

// Seed restarts the random generators of all devices.
func Seed(seed uint64) { lazy.Seed(seed) }

// RandomState returns the seed and the offset of the random generator of a device;
// [SetRandomState] continues there.
func RandomState(d device.Device) (seed, offset uint64) { return lazy.For(d).Generator().State() }

// SetRandomState has the random generator of a device continue at an offset of the
// stream of a seed.
func SetRandomState(d device.Device, seed, offset uint64) {
	lazy.For(d).Generator().SetState(seed, offset)
}

// Randn returns float32 numbers from the standard normal distribution, drawn on the
// host; Call("randn", dims, On(device)) draws the same ones on a device.
func Randn(dims ...int) *Tensor { return Call("randn", dims)[0] }

// Rand returns float32 numbers uniform in [0, 1).
func Rand(dims ...int) *Tensor { return Call("rand", dims)[0] }

// Uniform returns float32 numbers uniform in [low, high).
func Uniform(low, high float64, dims ...int) *Tensor {
	return Call("uniform", Zeros(dims...), low, high)[0]
}
