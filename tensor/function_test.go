package tensor_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
)

// A function is recorded once for a signature, and runs with the arguments and parameters of each call.
func TestFunction(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	w := tensor.Ones(3).To(dev).RequiresGrad()
	recorded := 0
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		recorded++
		two := tensor.Scalar(float32(2)).To(dev)
		y := x[0].Mul(x[1]).Mul(w).Mul(two)
		return []*tensor.Tensor{y, y.Sum(), tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{w}, nil)[0], y}
	})
	lazytest.Compiles(t, dev, 1, func() {
		for i := range 5 {
			full := func(v int) *tensor.Tensor { return tensor.FullLike(float64(v), dtype.F32, 3).To(dev) }
			out, err := f.Call(ctx, full(i), full(i+1))
			require.NoError(t, err)
			want := float32(2 * i * (i + 1) * (i + 1))
			require.Equal(t, []float32{want, want, want}, out[0].Float32s())
			require.Equal(t, float64(3*want), out[1].Item())
			require.Equal(t, []float32{want / float32(i+1), want / float32(i+1), want / float32(i+1)}, out[2].Float32s())
			require.Equal(t, out[0].Float32s(), out[3].Float32s())
			w.Assign(full(i + 2))
		}
	})
	require.Equal(t, 1, recorded)
	out, err := f.Call(ctx, tensor.Ones(2, 3).To(dev), tensor.Ones(3).To(dev))
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, out[0].Shape())
	require.Equal(t, 2, recorded)
	x := tensor.Ones(3).To(dev)
	same, err := f.Call(ctx, x, x) // one value twice
	require.NoError(t, err)
	other, err := f.Call(ctx, x, x.AddScalar(1))
	require.NoError(t, err)
	require.Equal(t, 2*same[1].Item(), other[1].Item())
}

// TestFunctionIsNotCut: a function is one program, also where a trace outside of one would be cut (lazy.MaxPending).
func TestFunctionIsNotCut(t *testing.T) {
	dev := freshDevice(t)
	lazy.For(dev).MaxPending(1, 8)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		y := x[0]
		for range 200 {
			y = y.AddScalar(1).Mul(x[1])
		}
		return []*tensor.Tensor{y}
	})
	for i := range 3 {
		out, err := f.Call(context.Background(), tensor.FullLike(float64(i), dtype.F32, 3).To(dev), tensor.Ones(3).To(dev))
		require.NoError(t, err)
		require.Equal(t, float32(200+i), out[0].Float32s()[2])
	}
}

func TestFunctionDraws(t *testing.T) {
	dev := freshDevice(t)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].Dropout(0.5, true).Add(x[0].Dropout(0.5, true))}
	})
	x := tensor.Ones(64).To(dev)
	a, err := f.Call(context.Background(), x)
	require.NoError(t, err)
	b, err := f.Call(context.Background(), x)
	require.NoError(t, err)
	require.NotEqual(t, a[0].Float32s(), b[0].Float32s())
}

// What a function would not do again when it is not called again is an error.
func TestFunctionMisuse(t *testing.T) {
	dev := freshDevice(t)
	ctx := context.Background()
	outside := tensor.Ones(3).To(dev)
	w := tensor.Ones(3).To(dev).RequiresGrad()
	for what, f := range map[string]func(x ...*tensor.Tensor) []*tensor.Tensor{
		"no argument of the compiled function": func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Add(outside)} },
		"hidden barrier": func(x ...*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{x[0].MulScalar(x[0].Sum().Item())}
		},
		"changes a parameter": func(x ...*tensor.Tensor) []*tensor.Tensor {
			y := x[0].Mul(w)
			tensor.NoGrad(func() { w.Assign(tensor.Zeros(3).To(dev)) })
			return []*tensor.Tensor{y}
		},
		"no results": func(x ...*tensor.Tensor) []*tensor.Tensor { return nil },
	} {
		_, err := lazy.Compile(f).Call(ctx, tensor.Ones(3).To(dev))
		require.ErrorContains(t, err, what)
	}
	list := tensor.Of([]float32{1, 2, 3}).To(dev)
	weight := tensor.Of([]float32{1, 2, 3}).To(dev).RequiresGrad()
	for what, f := range map[string]func(x *tensor.Tensor){
		"an argument":           func(x *tensor.Tensor) { x.Float32s() },
		"a parameter":           func(*tensor.Tensor) { weight.Float32s() },
		"a tensor of outside":   func(*tensor.Tensor) { list.Float32s() },
		"a mask is an argument": func(x *tensor.Tensor) { list.At(x) },
	} {
		_, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
			f(x[0])
			return x
		}).Call(ctx, tensor.Of([]bool{true, false, true}).To(dev))
		differs := (*lazy.SyncError)(nil)
		require.ErrorAs(t, err, &differs, what)
		require.True(t, differs.Varies, what)
		require.ErrorContains(t, err, "function_test.go:", what)
	}
	frozen := tensor.Of([]float32{1, 2, 3}).To(dev).Freeze()
	scaled, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].MulScalar(float64(frozen.Float32s()[2]))}
	}).Call(ctx, tensor.Ones(2).To(dev))
	require.NoError(t, err, "elements that never change may be read")
	require.Equal(t, []float32{3, 3}, scaled[0].Float32s())
	_, err = lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return x }).Call(ctx)
	require.ErrorContains(t, err, "needs an argument")
	wrong := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].View([]int{2, 2})} })
	require.Error(t, tensor.Try(func() { _, _ = wrong.Call(ctx, tensor.Ones(3).To(dev)) }), "a mistake in an expression panics as it does elsewhere")
	out, err := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return x }).Call(ctx, outside)
	require.NoError(t, err)
	require.Equal(t, outside.Float32s(), out[0].Float32s())
}

// Programs of a bucket count towards the limit together with programs of exact extents, and what is beyond it is not
// compiled.
func TestFunctionLimitWithBuckets(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Exp().Sum()} }).Limit(2)
	call := func(x *tensor.Tensor) error {
		_, err := f.Call(ctx, x)
		return err
	}
	require.NoError(t, call(tensor.Ones(3, 2).To(dev).Dynamic(0, 4, 8)))
	require.NoError(t, call(tensor.Ones(4, 2).To(dev).Dynamic(0, 4, 8)), "the same bucket")
	require.NoError(t, call(tensor.Ones(5, 5).To(dev)))
	compiled := lazy.For(dev).Metrics().CompiledPrograms
	var limit *lazy.LimitError
	require.ErrorAs(t, call(tensor.Ones(6, 6).To(dev)), &limit)
	require.Equal(t, 2, limit.Programs)
	require.Equal(t, compiled, lazy.For(dev).Metrics().CompiledPrograms)
	require.NoError(t, call(tensor.Ones(5, 5).To(dev)), "what was compiled goes on")
}

// A function has a bound on its programs, and buckets keep it below.
func TestFunctionLimit(t *testing.T) {
	dev := freshDevice(t)
	ctx := context.Background()
	mean := func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Exp().Mean()} }
	f := lazy.Compile(mean).Limit(3)
	var err error
	for n := 1; n <= 4 && err == nil; n++ {
		_, err = f.Call(ctx, tensor.Ones(n).To(dev))
	}
	var limit *lazy.LimitError
	require.True(t, errors.As(err, &limit), err)
	require.Equal(t, "the function has 3 programs, as many as it may; argument 0 is tensor<4xf32>, was tensor<3xf32>: "+
		"make the dimension dynamic, with buckets, or call Limit", err.Error())
	g := lazy.Compile(mean).Limit(2)
	for n := 1; n <= 16; n++ {
		out, err := g.Call(ctx, tensor.Ones(n).To(dev).Dynamic(0, 8, 16))
		require.NoError(t, err)
		require.InDelta(t, 2.71828, out[0].Item(), 1e-5)
	}
}

func TestFunctionInManyGoroutines(t *testing.T) {
	dev := freshDevice(t)
	f := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].MulScalar(2).Sum()} })
	lazytest.Compiles(t, dev, 1, func() {
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				x := tensor.FullLike(float64(i), dtype.F32, 4).To(dev)
				for range 10 {
					if out, err := f.Call(context.Background(), x); err != nil || out[0].Item() != float64(8*i) {
						t.Error(i, out, err)
					}
				}
			})
		}
		wg.Wait()
	})
}

// A function that is recorded once, for sentences of many lengths.
func ExampleTensor_Dynamic() {
	mean := lazy.Compile(func(x ...*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{x[0].Exp().Mean()} })
	m, _ := machine.Preset("npu1")
	dev := acap.New(m)
	for n := 1; n <= 16; n++ {
		if _, err := mean.Call(context.Background(), tensor.Ones(n).To(dev).Dynamic(0, 8, 16)); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(lazy.For(dev).Metrics().CompiledPrograms, "programs for 16 lengths")
	// Output: 2 programs for 16 lengths
}

func BenchmarkFunction(b *testing.B) {
	dev := freshDevice(b)
	x := tensor.Ones(4).To(dev)
	four := func(x ...*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].Add(x[0]).Add(x[0]).Add(x[0]).Add(x[0])}
	}
	f := lazy.Compile(four)
	b.Run("call", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Call(context.Background(), x); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("barrier", func(b *testing.B) {
		for b.Loop() {
			if err := lazy.Sync(context.Background(), four(x)[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
