package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

func Example_main() {
	main()
	// Output:
	// tensor([0.9797, 2.5406, 1.8485, 4.0000], device='acap:npu1', requires_grad=True)
	// tensor([ 1.,  3.,  3., 50.], device='acap:npu1', requires_grad=True)
	// tensor([1.9400, 2.5966, 0.7864, 1.0000], device='acap:npu1')
}

// What cannot be an operator is refused, and leaves the set as it was.
func TestRegisterRefuses(t *testing.T) {
	infer := func(c *ops.Call) error { return c.Result(c.DTypeOf(0), c.Shape(0)) }
	expand := func(e ops.Emit, c *ops.Call) []ops.Value { return []ops.Value{c.Tensor(0)} }
	before := len(ops.All())
	for name, op := range map[string]*ops.Op{
		"schema":  {Schema: "bad(", Infer: infer, Expand: expand},
		"name":    {Schema: "relu(Tensor self) -> Tensor", Infer: infer, Expand: expand},
		"no way":  {Schema: "nothing(Tensor self) -> Tensor", Infer: infer},
		"again":   softcap,
		"infer":   {Schema: "untyped(Tensor self) -> Tensor", Host: running.Host},
		"inplace": {Schema: "number(int n) -> Tensor", Infer: infer, Expand: expand, Inplace: true},
	} {
		require.Error(t, ops.Register(op), name)
	}
	require.Len(t, ops.All(), before)
	require.Nil(t, ops.Lookup("nothing"))
}

// The gradients agree with differences.
func TestGradients(t *testing.T) {
	for _, op := range []*ops.Op{softcap, running} {
		f := func(x *tensor.Tensor) *tensor.Tensor {
			y := tensor.Call(op.Name(), x)[0]
			return y.Mul(y).Sum()
		}
		at := []float64{0.3, -0.2, 1.5, 1.4, 2}
		x := tensor.Of(at).RequiresGrad()
		g := tensor.Grad([]*tensor.Tensor{f(x)}, []*tensor.Tensor{x}, nil)[0].Float64s()
		for i := range at {
			const h = 1e-6
			up, down := append([]float64(nil), at...), append([]float64(nil), at...)
			up[i] += h
			down[i] -= h
			want := (f(tensor.Of(up)).Item() - f(tensor.Of(down)).Item()) / (2 * h)
			require.InDelta(t, want, g[i], 1e-6, op.Name())
		}
	}
	require.ErrorAs(t, tensor.Try(func() { tensor.Call("running_maximum", tensor.Ones(2, 2)) }), new(*ops.ShapeError))
}
