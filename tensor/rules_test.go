package tensor_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
)

// TestMoreMisuse: what the functions beside operators refuse, with the operator, the reason and the line; and what
// stands just inside of each rule.
func TestMoreMisuse(t *testing.T) {
	dev, other := acap.Device(), freshDevice(t)
	x, y, i := tensor.Ones(2, 3), tensor.Ones(2, 3).To(dev), tensor.Of([]int64{1, 2})
	w := tensor.Ones(3).RequiresGrad()
	loss := func() *tensor.Tensor { return w.Mul(w) }
	grad := func(outputs, cotangents []*tensor.Tensor) func() {
		return func() { tensor.Grad(outputs, list(w), cotangents) }
	}
	identity := func(in []*tensor.Tensor) []*tensor.Tensor { return in }
	own := func(f func([]*tensor.Tensor) []*tensor.Tensor) func() {
		return func() { tensor.Grad(list(tensor.WithGradient(list(w), identity, f)[0].Sum()), list(w), nil) }
	}
	for want, f := range map[string]func(){
		"no grad: the function is nil":                                                      func() { tensor.NoGrad(nil) },
		"try: the function is nil":                                                          func() { _ = tensor.Try(nil) },
		"with gradient: the forward function is nil":                                        func() { tensor.WithGradient(nil, nil, identity) },
		"with gradient: the backward function is nil":                                       func() { tensor.WithGradient(nil, identity, nil) },
		"move to: the device is nil":                                                        func() { x.MoveTo(nil) },
		"move to: the tensor was computed from param":                                       func() { loss().MoveTo(dev) },
		"requires_grad: only floating tensors":                                              func() { i.RequiresGrad() },
		"assign: tensor f32[3 2] on host, computed is":                                      func() { x.Assign(tensor.Ones(3, 2)) },
		"assign: tensor f64[2 3] on host, computed is":                                      func() { x.Assign(x.ToDtype(dtype.F64)) },
		"assign: tensor f32[2 3] on acap:npu1, computed":                                    func() { x.Assign(y) },
		"grad: a cotangent of shape [2] for an output of shape [3]":                         grad(list(loss()), list(tensor.Ones(2))),
		"grad: 2 cotangents for 1 outputs":                                                  grad(list(loss()), list(w, w)),
		"grad: an output of shape [3] needs a cotangent":                                    grad(list(loss()), nil),
		"grad: output 1 is nil":                                                             grad(list(loss().Sum(), nil), nil),
		"grad: no outputs":                                                                  grad(nil, nil),
		"grad: input 0 is nil":                                                              func() { tensor.Grad(list(loss().Sum()), list(nil), nil) },
		"grad: outputs are on host and on acap:npu1":                                        grad(list(loss().Sum(), loss().Sum().To(dev)), nil),
		"backward: the tensor depends on no parameter":                                      func() { x.Sum().Backward() },
		"with gradient: 0 gradients for 1 inputs":                                           own(func([]*tensor.Tensor) []*tensor.Tensor { return nil }),
		"with gradient: a gradient of shape [2] on host for an input of shape [3] on host":  own(func([]*tensor.Tensor) []*tensor.Tensor { return list(tensor.Ones(2)) }),
		"with gradient: a gradient of shape [3] on acap:npu1 for an input of shape [3] on ": own(func([]*tensor.Tensor) []*tensor.Tensor { return list(tensor.Ones(3).To(dev)) }),
		"add.Tensor: operands are on host and on acap:npu1":                                 func() { x.Add(y) },
		"add_.Tensor: operands are on host and on acap:npu1":                                func() { x.AddInPlace(y) },
		"add_.Tensor: operands are on host, self that is written, and on acap:npu1":         func() { tensor.Scalar(1.0).AddInPlace(y) },
		"cat: operands are on acap:npu1 and on acap:npu1":                                   func() { tensor.Cat(list(y, tensor.Ones(1, 3).To(other))) },
		"dynamic: the buckets are not positive numbers in ascending order":                  func() { x.Dynamic(0, 4, 2) },
		"dynamic: the buckets are not positive numbers in ascending order ":                 func() { x.Dynamic(0, 0, 2) },
		"dynamic: the buckets are not positive numbers in ascending order  ":                func() { x.Dynamic(0) },
		"dynamic: a scalar has no dimensions":                                               func() { x.Sum().Dynamic(0, 4) },
		"dynamic: no gradient would flow to it":                                             func() { w.Dynamic(0, 4) },
		"size: a scalar has no dimensions":                                                  func() { x.Sum().Size(0) },
		"image: [2 2 3] is no picture":                                                      func() { tensor.Image(tensor.Ones(2, 2, 3)) },
		"image: [3] is no picture":                                                          func() { tensor.Image(tensor.Ones(3)) },
		"image: c64 numbers are no brightness":                                              func() { tensor.Image(tensor.Of([][]complex64{{1}})) },
		"from slice: 3 elements do not fill [2 2]":                                          func() { tensor.FromSlice([]int8{1, 2, 3}, 2, 2) },
		"of: [3] does not fill [2 2]":                                                       func() { tensor.Of([]int8{1, 2, 3}, 2, 2) },
		"of: ragged nesting: 2 and 1 elements":                                              func() { tensor.Of([][]int{{1, 2}, {3}}) },
		"call: no operator takes an argument of type []uint8":                               func() { tensor.Call("reshape", x, []uint8{3, 2}) },
		"call: no operator takes an argument of type uint64":                                func() { tensor.Call("add.Scalar", x, uint64(1<<63)) },
		"at: 3 indices for a tensor of 2 dimensions":                                        func() { x.At(0, tensor.All, 0) },
		"at: string is no index":                                                            func() { x.At("0") },
	} {
		err := tensor.Try(f)
		require.Error(t, err, want)
		require.Regexp(t, `^rules_test.go:\d+: `, err.Error())
		for want[len(want)-1] == ' ' {
			want = want[:len(want)-1]
		}
		require.Contains(t, err.Error(), want)
		require.NotContains(t, err.Error()[len("rules_test.go:"):], "rules_test.go:", "the line stands there once")
	}
	require.Equal(t, []float32{2, 2, 2}, tensor.Grad(list(loss()), list(w), list(tensor.Ones(3)))[0].Float32s())
	both := tensor.Grad(list(loss(), w.MulScalar(5)), list(w), list(nil, tensor.Of([]float32{1, 0, 2})))
	require.Equal(t, []float32{5, 0, 10}, both[0].Float32s(), "an output without a cotangent adds nothing")
	both = tensor.Grad(list(loss(), w.MulScalar(5)), list(w), list(tensor.Ones(3), tensor.Of([]float32{1, 0, 2})))
	require.Equal(t, []float32{7, 2, 12}, both[0].Float32s())
	require.Equal(t, []int{2, 3}, tensor.Scalar(1.0).Add(y).Shape(), "a scalar of the host goes with any device")
	require.Equal(t, dev, tensor.Scalar(1.0).Add(y).Device())
	require.Equal(t, 6.0, y.Clone().AddInPlace(tensor.Scalar(1.0)).Sum().Item()/2)
}

// refusing is a device that compiles nothing.
type refusing struct{ device.Device }

func (refusing) Compile(context.Context, *mlir.Operation) (device.Executable, error) {
	return nil, errors.New("no room")
}

// TestErrorsOfDevices: an error of the device has what needed the value, and the line that did.
func TestErrorsOfDevices(t *testing.T) {
	dev := &struct{ refusing }{refusing{acap.Device()}}
	y := tensor.Ones(1).To(dev).Neg()
	for op, f := range map[string]func(){
		"read": func() { y.Item() }, "freeze": func() { y.Freeze() }, "dynamic": func() { y.Dynamic(0, 2) },
		"requires_grad": func() { y.RequiresGrad() }, "nonzero": func() { tensor.Call("nonzero", y) },
		"assign": func() { tensor.Ones(1).To(dev).RequiresGrad().Assign(y) },
	} {
		err := tensor.Try(f)
		var failed *tensor.DeviceError
		require.ErrorAs(t, err, &failed, op)
		require.Equal(t, op, failed.Op)
		require.Equal(t, "no room", failed.Detail)
		require.Regexp(t, `^rules_test.go:\d+$`, failed.Where)
		require.Equal(t, failed.Where+": "+op+": no room", err.Error())
		require.EqualError(t, errors.Unwrap(failed), "no room")
	}
	require.EqualError(t, lazy.Sync(context.Background(), y), "no room")
}

// TestReading: elements of every type are read as each Go type: without an imaginary part, cut to whole numbers, or as
// what is not 0.
func TestReading(t *testing.T) {
	for _, d := range dtype.All() {
		v := []float64{0, 1, 2, 3}
		switch {
		case d == dtype.Bool:
			v = []float64{0, 1, 1, 1}
		case d == dtype.F8E8M0FNU: // powers of two alone
			v = []float64{1, 2, 0.5, 4}
		case d.Category() >= dtype.CategoryFloat:
			v = []float64{0, -1.5, 0.5, 3}
		case d.IsSigned():
			v = []float64{0, -1, -2, 3}
		}
		b := buf.New(d, []int{4})
		for i, f := range v {
			b.SetFloat64(i, f)
		}
		x := tensor.FromBuffer(b)
		require.Equal(t, v, x.Float64s(), d)
		for i, f := range v {
			require.Equal(t, float32(f), x.Float32s()[i], d)
			require.Equal(t, int64(f), x.Int64s()[i], d)
			require.Equal(t, f != 0, x.Bools()[i], d)
			require.Equal(t, f, tensor.FullLike(f, d).Item(), d)
		}
		require.Equal(t, []float64{v[2], v[2]}, tensor.FullLike(v[2], d, 2).Float64s(), d)
	}
	require.Equal(t, []bool{true, true, false}, tensor.Of([]complex64{1i, 1, 0}).Bools(), "an imaginary number is not 0")
	require.Equal(t, []bool{true}, tensor.Of([]float64{math.NaN()}).Bools())
	require.Equal(t, []bool{true}, tensor.Of([]int64{1 << 62}).Bools())
}

// TestGoTypes: numbers of each Go type become elements of theirs, and lists and arrays of lists their shapes.
func TestGoTypes(t *testing.T) {
	type celsius float64
	type flags [2]bool
	for _, c := range []struct {
		v     any
		d     dtype.DType
		shape []int
		data  []float64
	}{
		{true, dtype.Bool, []int{}, []float64{1}}, {uint8(200), dtype.U8, []int{}, []float64{200}}, {int8(-3), dtype.I8, []int{}, []float64{-3}},
		{int16(-300), dtype.I16, []int{}, []float64{-300}}, {uint16(60000), dtype.U16, []int{}, []float64{60000}}, {int32(-1 << 20), dtype.I32, []int{}, []float64{-1 << 20}},
		{uint32(1 << 31), dtype.U32, []int{}, []float64{1 << 31}}, {-7, dtype.I64, []int{}, []float64{-7}}, {uint64(1 << 40), dtype.U64, []int{}, []float64{1 << 40}},
		{float32(0.5), dtype.F32, []int{}, []float64{0.5}}, {1e300, dtype.F64, []int{}, []float64{1e300}}, {complex64(2 + 3i), dtype.C64, []int{}, []float64{2}},
		{[]flags{{true, false}, {false, true}}, dtype.Bool, []int{2, 2}, []float64{1, 0, 0, 1}},
		{[2][1][]int32{{{1, 2}}, {{3, 4}}}, dtype.I32, []int{2, 1, 2}, []float64{1, 2, 3, 4}}, {[][]float32{}, dtype.F32, []int{0, 0}, nil},
		{[][]float32{{}, {}}, dtype.F32, []int{2, 0}, nil}, {[]dtype.Float16{dtype.ToFloat16(1.5)}, dtype.F16, []int{1}, []float64{1.5}},
		{dtype.ToBFloat16(-2), dtype.BF16, []int{}, []float64{-2}}, {[]dtype.Float8E5M2{dtype.ToFloat8E5M2(3), dtype.ToFloat8E5M2(0.5)}, dtype.F8E5M2, []int{2}, []float64{3, 0.5}},
	} {
		x := tensor.Of(c.v)
		require.Equal(t, c.d, x.DType(), "%T", c.v)
		require.Equal(t, c.shape, append([]int{}, x.Shape()...), "%T", c.v)
		require.Equal(t, len(c.data), x.NumElements())
		for i, v := range x.Float64s() {
			require.Equal(t, c.data[i], v, "%T", c.v)
		}
	}
	require.ErrorContains(t, tensor.Try(func() { tensor.Of([]celsius{1.5}) }), "of: no element type for tensor_test.celsius")
	require.Equal(t, dtype.F32, tensor.Scalar(0.5).DType())
	require.Equal(t, dtype.I64, tensor.Scalar(2).DType())
	require.Equal(t, complex(2, 3), tensor.Data[complex128](tensor.Of(2 + 3i))[0])
	data, dims := []float32{1, 2}, []int{2, 1}
	x := tensor.FromSlice(data, dims...)
	data[0], dims[0] = 9, 9
	require.Equal(t, []float32{1, 2}, x.Float32s(), "data is copied")
	require.Equal(t, []int{2, 1}, x.Shape())
}

// TestPixels: a brightness is rounded to the nearest of 256 steps, and cut off where there is none.
func TestPixels(t *testing.T) {
	img := tensor.Image(tensor.Of([][]float64{{0, 1, 0.4999 / 255, 0.5001 / 255, 127.5001 / 255, 254.4999 / 255, 254.5001 / 255, 2, -1, math.NaN(), math.Inf(1)}}))
	want := []uint8{0, 255, 0, 1, 128, 254, 255, 255, 0, 0, 255}
	for i, v := range want {
		r, _, _, _ := img.At(i, 0).RGBA()
		require.Equal(t, uint32(v)*0x101, r, i)
	}
	bytes := tensor.Image(tensor.Of([][]uint8{{0, 1, 254, 255}}))
	for i, v := range []uint32{0, 1, 254, 255} {
		r, _, _, _ := bytes.At(i, 0).RGBA()
		require.Equal(t, v*0x101, r)
	}
}
