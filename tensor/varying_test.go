package tensor_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
)

// freshDevice returns a device that has compiled nothing.
func freshDevice(t testing.TB) device.Device {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return acap.New(m)
}

// A varying Go number costs one more program than a fixed one, and gives the results of programs with the number fixed.
func TestNumbersThatVary(t *testing.T) {
	ctx := context.Background()
	x := tensor.Arange(48).ToDtype(dtype.F32).View([]int{8, 6})
	for name, f := range map[string]func(x *tensor.Tensor, i int) *tensor.Tensor{
		"factor":  func(x *tensor.Tensor, i int) *tensor.Tensor { return x.MulScalar(0.1 / float64(i+1)) },
		"term":    func(x *tensor.Tensor, i int) *tensor.Tensor { return x.AddScalar(0.3 * float64(i)) },
		"divisor": func(x *tensor.Tensor, i int) *tensor.Tensor { return x.DivScalar(float64(i) + 0.7) },
		"int":     func(x *tensor.Tensor, i int) *tensor.Tensor { return x.ToDtype(dtype.I32).MulScalar(i + 3) },
		"half": func(x *tensor.Tensor, i int) *tensor.Tensor {
			return x.ToDtype(dtype.BF16).MulScalar(0.37 * float64(i))
		},
		"several": func(x *tensor.Tensor, i int) *tensor.Tensor { return x.MulScalar(float64(i)).AddScalar(float64(-i)) },
		"bounds": func(x *tensor.Tensor, i int) *tensor.Tensor {
			return x.Clamp(tensor.With("min", i), tensor.With("max", 3*i+9))
		},
		"fill":      func(x *tensor.Tensor, i int) *tensor.Tensor { return x.Add(x.FillScalar(0.5 + float64(i))) },
		"row":       func(x *tensor.Tensor, i int) *tensor.Tensor { return x.Select(0, i).Neg() },
		"last rows": func(x *tensor.Tensor, i int) *tensor.Tensor { return x.Select(0, -1-i).Neg() },
		"window":    func(x *tensor.Tensor, i int) *tensor.Tensor { return x.Narrow(0, i, 3).Neg() },
		"slice": func(x *tensor.Tensor, i int) *tensor.Tensor {
			return x.Slice(0, i, i+2).Neg()
		},
		"steps": func(x *tensor.Tensor, i int) *tensor.Tensor {
			return x.Slice(0, i%2, tensor.ToEnd, tensor.Step(2)).Neg()
		},
		"written": func(x *tensor.Tensor, i int) *tensor.Tensor {
			y := x.Neg()
			y.Select(1, i%6).FillScalarInPlace(7)
			return y
		},
		"written 2": func(x *tensor.Tensor, i int) *tensor.Tensor {
			y := x.Neg()
			y.Narrow(0, i, 2).MulScalarInPlace(3)
			return y
		},
		"comparison": func(x *tensor.Tensor, i int) *tensor.Tensor { return x.LtScalar(4 * i).ToDtype(dtype.F32) },
	} {
		dev := freshDevice(t)
		xd := x.To(dev)
		lazytest.Compiles(t, dev, 2, func() {
			for i := range 5 {
				y := f(xd, i)
				require.NoError(t, lazy.Sync(ctx, y), name)
				want := f(x, i)
				require.Equal(t, want.Shape(), y.Shape(), name)
				have := y.Cpu().ToDtype(dtype.F32).Float32s()
				for k, v := range want.ToDtype(dtype.F32).Float32s() {
					got := have[k]
					require.Equal(t, math.Float32bits(v), math.Float32bits(got), "%s: element %d of step %d is %v, not %v", name, k, i, got, v)
				}
			}
		})
	}
}

// A number that decides what is computed stays part of the program, and one that does not vary is folded.
func TestNumbersThatDecide(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	lazy.For(dev).Clear()
	x := tensor.Ones(4, 4, 4).To(dev)
	for dim := range 3 {
		require.NoError(t, lazy.Sync(ctx, x.Softmax(dim)))
	}
	why := lazy.For(dev).WhyRecompiled()
	require.Len(t, why, 3)
	require.Nil(t, why[2].Inputs)
	require.Contains(t, why.String(), "2 decides what is computed")

	dev = freshDevice(t)
	x = tensor.Ones(4).To(dev)
	for i := range 4 {
		require.NoError(t, lazy.Sync(ctx, x.MulScalar(3).AddScalar(i)))
	}
	why = lazy.For(dev).WhyRecompiled()
	require.Len(t, why, 2)
	require.Len(t, why[1].Inputs, 1)
	require.Equal(t, "add.Scalar", why[1].Inputs[0].Op)
	y := x.MulScalar(3).AddScalar(5)
	require.Len(t, lazy.Inputs(x.MulScalar(3).AddScalar(5)), 1, "another line has not varied")
	require.NotContains(t, string(lazy.GetMLIR(y)), "open")
}

// Goroutines that record one line with many numbers at once compile two programs.
func TestNumbersVaryInManyGoroutines(t *testing.T) {
	dev := freshDevice(t)
	x := tensor.Ones(16).To(dev)
	lazytest.Compiles(t, dev, 2, func() {
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				if y := x.MulScalar(float64(i)).Sum().Item(); y != float64(16*i) {
					t.Errorf("%v instead of %v", y, 16*i)
				}
			})
		}
		wg.Wait()
	})
}

// Other shapes than those with which a number was found to vary have it as an input at once.
func TestNumbersVaryInOtherShapes(t *testing.T) {
	dev := freshDevice(t)
	step := func(n, i int) {
		x := tensor.Ones(n).To(dev)
		require.Equal(t, float64(n*i), x.MulScalar(float64(i)).Sum().Item())
	}
	lazytest.Compiles(t, dev, 3, func() {
		for i := range 4 {
			step(8, i)
		}
		for i := range 4 {
			step(5, i)
		}
	})
}

// An exponent that varies gives roots as a constant one does: of -Inf and -0 PyTorch takes them by sqrt and rsqrt,
// whose values differ from powers by a tensor.
func TestExponentsThatVary(t *testing.T) {
	x := tensor.Of([]float32{float32(math.Inf(-1)), float32(math.Copysign(0, -1)), 4})
	for _, c := range []struct {
		exponent float64
		want     string
	}{{2.5, "[+Inf 0 32]"}, {0.5, "[NaN -0 2]"}, {-0.5, "[NaN -Inf 0.5]"}, {0.5, "[NaN -0 2]"}} {
		require.Equal(t, c.want, fmt.Sprint(x.PowScalar(c.exponent).Float32s()))
	}
}
