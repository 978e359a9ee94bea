package tensor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// compiled calls a compiled function of one result.
func compiled(t *testing.T, f *lazy.Function[*tensor.Tensor], args ...*tensor.Tensor) *tensor.Tensor {
	out, err := f.Call(context.Background(), args...)
	require.NoError(t, err)
	return out[0]
}

// TestFunctionErrors: each way to use a compiled function that would give other results than a call of the Go function.
func TestFunctionErrors(t *testing.T) {
	ctx := context.Background()
	dev, other := freshDevice(t), freshDevice(t)
	on := func(n int) *tensor.Tensor { return tensor.Ones(n, 2).To(dev) }
	same := func(x ...*tensor.Tensor) []*tensor.Tensor { return x }
	norm := nn.NewBatchNorm1d(2)
	nn.To(norm, dev)
	frozen := on(1).Freeze()
	for want, call := range map[string]func() error{
		"lazy: arguments are on acap:npu1 and on acap:npu1": func() error {
			_, err := lazy.Compile(same).Call(ctx, on(1), tensor.Ones(1).To(other))
			return err
		},
		"lazy: a result is on acap:npu1 and not on acap:npu1": func() error {
			elsewhere := tensor.Ones(2).To(other)
			_, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{elsewhere} }).Call(ctx, on(1))
			return err
		},
		"changes a tensor from outside the function, such as the statistics": func() error {
			_, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{norm.Forward(x[0])} }).Call(ctx, on(3))
			return err
		},
		"of type tensor<1x2xf32> that is no argument of the compiled function, no parameter, not frozen and not said to be fixed": func() error {
			outside := on(1)
			_, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Add(outside)} }).Call(ctx, on(1))
			require.ErrorContains(t, err, "functionrules_test.go:")
			return err
		},
		"the function uses a tensor of type tensor<1x2xf32>": func() error {
			outside := on(1)
			_, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{outside} }).Call(ctx, on(1))
			return err
		},
	} {
		require.ErrorContains(t, call(), want)
	}
	y := compiled(t, lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Add(frozen)} }), on(1))
	require.Equal(t, []float32{2, 2}, y.Float32s(), "frozen is part of the program")

	w := on(1).RequiresGrad()
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Mul(w)} })
	compiled(t, f, on(1))
	w.Assign(on(1).MulScalar(3)) // pending
	require.Equal(t, []float32{3, 3}, compiled(t, f, on(1)).Float32s())
	w.MoveTo(other)
	_, err := f.Call(ctx, on(1))
	require.EqualError(t, err, "lazy: a parameter of a compiled function has become tensor<1x2xf32>")
}

// TestFunctionCounts: each call is a barrier, and one barrier for each signature compiles. The arguments' types, which
// of them are one value, and whether gradients are on are the signature.
func TestFunctionCounts(t *testing.T) {
	dev := freshDevice(t)
	r := lazy.For(dev)
	recorded := 0
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		recorded++
		return []*tensor.Tensor{x[0].Mul(x[1]).Sum()}
	})
	x, y := tensor.Ones(3).To(dev), tensor.Ones(3).To(dev).MulScalar(2)
	for i, c := range []struct {
		a, b               *tensor.Tensor
		noGrad             bool
		recorded, compiled int
	}{
		{x, y, false, 1, 1}, {x, y, false, 1, 1}, {y, x, false, 1, 1}, {x, x, false, 2, 2}, {y, y, false, 2, 2}, {x, y, false, 2, 2},
		{x, y, true, 3, 2}, {x, y.ToDtype(dtype.F64), false, 4, 3}, {x, tensor.Ones(1).To(dev), false, 5, 4},
		{x, tensor.Ones(1).To(dev).Freeze(), false, 6, 5}, {x, y, true, 6, 5},
	} {
		before := r.Metrics()
		call := func() { compiled(t, f, c.a, c.b) }
		if c.noGrad {
			tensor.NoGrad(call)
		} else {
			call()
		}
		require.Equal(t, c.recorded, recorded, "call %d", i)
		m := r.Metrics()
		own := m.Counters["acap::sum"] - before.Counters["acap::sum"]
		require.EqualValues(t, 1, own, "call %d", i)
		require.LessOrEqual(t, m.Timers["ExecuteTime"].Samples-before.Timers["ExecuteTime"].Samples, int64(2), "with what computes an argument")
	}
}

// TestFunctionLimits: the error of the call that would need one program too many says how many there are, and the first
// argument that differs from the last program's.
func TestFunctionLimits(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	sum := func(x ...*tensor.Tensor) []*tensor.Tensor {
		y := x[0].Sum()
		for _, v := range x[1:] {
			y = y.Add(v.Sum())
		}
		return []*tensor.Tensor{y}
	}
	on := func(n int) *tensor.Tensor { return tensor.Ones(n).To(dev) }
	one := on(2)
	for _, c := range []struct {
		limit int
		calls [][]*tensor.Tensor // the last of which fails
		want  string
	}{
		{0, [][]*tensor.Tensor{{on(1)}}, "the function has 0 programs, as many as it may"},
		{1, [][]*tensor.Tensor{{on(1), on(2)}, {on(1), on(3)}}, "the function has 1 programs, as many as it may; argument 1 is tensor<3xf32>, was tensor<2xf32>: " +
			"make the dimension dynamic, with buckets, or call Limit"},
		{2, [][]*tensor.Tensor{{on(1)}, {on(2)}, {on(3)}}, "the function has 2 programs, as many as it may; argument 0 is tensor<3xf32>, was tensor<2xf32>: " +
			"make the dimension dynamic, with buckets, or call Limit"},
		{1, [][]*tensor.Tensor{{one, on(2)}, {one, one}}, "the function has 1 programs, as many as it may"}, // types are the same
		{1, [][]*tensor.Tensor{{on(3)}, {on(3).Dynamic(0, 2)}}, "the function has 1 programs, as many as it may; no bucket: extent 3 of input 0 is larger than every bucket"},
	} {
		f := lazy.Compile(sum).Limit(c.limit)
		for _, args := range c.calls[:len(c.calls)-1] {
			compiled(t, f, args...)
			compiled(t, f, args...)
		}
		_, err := f.Call(ctx, c.calls[len(c.calls)-1]...)
		require.EqualError(t, err, c.want)
	}
	f := lazy.Compile(sum)
	for n := range 32 {
		compiled(t, f, on(n+1))
	}
	_, err := f.Call(ctx, on(33))
	require.ErrorContains(t, err, "the function has 32 programs")
}

// TestFunctionDrawsAsCalls: a compiled function draws the numbers that the function itself would draw.
func TestFunctionDrawsAsCalls(t *testing.T) {
	dev := freshDevice(t)
	drop := func(x ...*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].Dropout(0.5, true).Add(x[0].Dropout(0.25, true))}
	}
	x := tensor.Ones(40).To(dev)
	run := func(f func() *tensor.Tensor) (all [][]float32) {
		tensor.SetRandomState(dev, 5, 8)
		for range 3 {
			all = append(all, f().Float32s())
		}
		return all
	}
	want := run(func() *tensor.Tensor { return drop(x)[0] })
	f := lazy.Compile(drop)
	compiled(t, f, x) // which records
	require.Equal(t, want, run(func() *tensor.Tensor { return compiled(t, f, x) }))
}
