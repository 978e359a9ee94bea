package tensor_test

import (
	"bytes"
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// The second derivative of x³ is 6x.
func ExampleGrad() {
	x := tensor.Of([]float32{2}).To(acap.Device()).RequiresGrad()
	y := x.Mul(x).Mul(x)
	first := tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, nil, tensor.CreateGraph)
	second := tensor.Grad(first, []*tensor.Tensor{x}, nil)
	fmt.Println(first[0].Item(), second[0].Item())
	// Output: 12 12
}

// Rounding, which has a gradient of zero, lets the gradient through as if it were not there.
func ExampleWithGradient() {
	x := tensor.Of([]float32{0.4, 1.7}).RequiresGrad()
	y := tensor.WithGradient([]*tensor.Tensor{x},
		func(in []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{in[0].Round()} },
		func(grads []*tensor.Tensor) []*tensor.Tensor { return grads })[0]
	y.Mul(y).Sum().Backward()
	fmt.Println(y.Float32s(), x.Gradient().Float32s())
	// Output: [0 2] [0 4]
}

// A parameter keeps its handle and its mark when it moves and when it changes in place.
func ExampleTensor_MoveTo() {
	w := tensor.Of([]float32{1, 2}).RequiresGrad()
	w.MoveTo(acap.Device())
	tensor.NoGrad(func() { w.MulScalarInPlace(10) })
	w.Sum().Backward()
	fmt.Println(w.IsParameter(), w.Float32s(), w.Gradient().Float32s())
	// Output: true [10 20] [1 1]
}

// Calls carry the name of the scope that they are recorded in.
func ExampleNoGrad() {
	w := tensor.Ones(2).RequiresGrad()
	lazy.Scope("evaluation", func() {
		tensor.NoGrad(func() { fmt.Println(w.MulScalar(2).NeedsGrad()) })
	})
	fmt.Println(w.MulScalar(2).NeedsGrad())
	// Output:
	// false
	// true
}

// A block of Q8_0 is a scale in f16, here 0.5, and 32 numbers of 8 bits.
func ExamplePacked() {
	block := append([]byte{0x00, 0x38}, bytes.Repeat([]byte{3}, 32)...)
	m := tensor.Pack(tensor.FromSlice(block, 1, len(block)), dtype.Q8_0)
	fmt.Println(m.Format(), m.Shape(), m.Linear(tensor.Ones(1, 32), nil).Item())
	// Output: q8_0 [1 32] 48
}

func ExampleTensor_ToDtype() {
	w := tensor.Of([]float32{0.3, 17, -60000}).ToDtype(dtype.F8E5M2)
	fmt.Println(w)
	fmt.Println(tensor.Of([]uint16{65535, 1}).Add(tensor.Of([]uint16{2, 2})))
	// Output:
	// tensor([ 3.1250e-01,  1.6000e+01, -5.7344e+04], dtype=torch.float8_e5m2)
	// tensor([1, 3], dtype=torch.uint16)
}
