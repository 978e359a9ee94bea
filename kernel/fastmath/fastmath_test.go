package fastmath_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/fastmath"
	"github.com/go-acap/acap/kernel/portable"
)

// pointwise makes a nest of f on n elements of each input.
func pointwise(n, inputs int, d dtype.DType, f func(b *kernel.Builder, x []int) int) *kernel.Nest {
	k := &kernel.Nest{Name: "k", Inner: []int{n}}
	b := kernel.NewBody()
	var x []int
	for i := range inputs + 1 {
		k.Access = append(k.Access, kernel.Access{Port: kernel.Port{DType: d, Len: n, Write: i == inputs}, Inner: []int{1}})
		if i < inputs {
			x = append(x, b.Load(i, d))
		}
	}
	b.Store(inputs, f(b, x))
	k.Stages = []kernel.Stage{{Body: b.Body()}}
	return k
}

// run computes a nest of one result by portable code.
func run[T any](t *testing.T, k kernel.Kernel, inputs ...[]T) []T {
	t.Helper()
	require.NoError(t, kernel.Verify(k))
	code, err := portable.Compile(k)
	require.NoError(t, err)
	defer code.Close()
	out := make([]T, len(inputs[0]))
	args := &kernel.Args{Scratch: unsafe.Pointer(unsafe.SliceData(make([]uint64, code.Scratch()/8+64)))}
	for _, list := range append(inputs, out) {
		args.Ptr = append(args.Ptr, unsafe.Pointer(unsafe.SliceData(list)))
	}
	code.Run(args, 0, code.Units())
	return out
}

func text(k kernel.Kernel) string { return k.String() }

func kernelOf[T float32 | float64](t *testing.T, level int, f func(b *kernel.Builder, x []int) int, x ...[]T) []T {
	d := dtype.Of[float32]()
	if _, ok := any(x[0][0]).(float64); ok {
		d = dtype.F64
	}
	k := pointwise(len(x[0]), len(x), d, f)
	before := text(k)
	y := run(t, fastmath.Kernel(k, level), x...)
	require.Equal(t, before, text(k), "the kernel itself stays")
	return y
}

// Level 1: a product is not rounded before it is added.
func TestContract(t *testing.T) {
	e := float32(0x1p-12)
	x := []float32{1 + e, 1 - e, 3}
	y, z := []float32{1 + e, 1 + e, 5}, []float32{-1, -1, 7}
	f := func(b *kernel.Builder, v []int) int {
		return b.Binary(kernel.Add, v[2], b.Binary(kernel.Mul, v[0], v[1]))
	}
	strict, fast := kernelOf(t, 0, f, x, y, z), kernelOf(t, 1, f, x, y, z)
	for i := range x {
		require.Equal(t, float32(x[i]*y[i])+z[i], strict[i]) // the conversion keeps Go from fusing
		require.Equal(t, float32(math.FMA(float64(x[i]), float64(y[i]), float64(z[i]))), fast[i])
	}
	require.NotEqual(t, strict, fast)
	// A product that something else needs is rounded once for both.
	twice := func(b *kernel.Builder, v []int) int {
		p := b.Binary(kernel.Mul, v[0], v[1])
		return b.Binary(kernel.Max, b.Binary(kernel.Add, p, v[2]), p)
	}
	require.Equal(t, kernelOf(t, 0, twice, x, y, z), kernelOf(t, 1, twice, x, y, z))
	// Differences with a constant.
	for _, g := range []func(b *kernel.Builder, v []int) int{
		func(b *kernel.Builder, v []int) int {
			return b.Binary(kernel.Sub, b.Binary(kernel.Mul, v[0], v[1]), b.Const(dtype.F32, 1))
		},
		func(b *kernel.Builder, v []int) int {
			return b.Binary(kernel.Sub, v[1], b.Binary(kernel.Mul, v[0], b.Const(dtype.F32, float64(1+e))))
		},
	} {
		strict, fast := kernelOf(t, 0, g, x, y), kernelOf(t, 1, g, x, y)
		require.NotEqual(t, strict, fast)
		require.InDeltaSlice(t, strict, fast, 1e-6)
	}
}

// Level 2: a division by a constant, and several by one value, are multiplications.
func TestReciprocals(t *testing.T) {
	x, y := []float32{1, 2, 5, 7, 1e30}, []float32{3, 7, 11, 13, 3}
	by := func(c float64) func(b *kernel.Builder, v []int) int {
		return func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Div, v[0], b.Const(dtype.F32, c)) }
	}
	third := float32(1) / 3
	for i, v := range kernelOf(t, 2, by(3), x) {
		require.Equal(t, x[i]*third, v)
	}
	require.NotEqual(t, kernelOf(t, 1, by(3), x), kernelOf(t, 2, by(3), x))
	for _, c := range []float64{0, 0x1p-127, 0x1p127, math.Inf(1)} { // whose reciprocal is no normal number
		require.Equal(t, kernelOf(t, 0, by(c), x), kernelOf(t, 2, by(c), x), c)
	}
	shared := func(b *kernel.Builder, v []int) int {
		return b.Binary(kernel.Add, b.Binary(kernel.Div, v[0], v[1]), b.Binary(kernel.Div, b.Unary(kernel.Sqrt, v[0]), v[1]))
	}
	one := func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Div, v[0], v[1]) }
	require.Equal(t, kernelOf(t, 0, one, x, y), kernelOf(t, 2, one, x, y))
	strict, fast := kernelOf(t, 0, shared, x, y), kernelOf(t, 2, shared, x, y)
	require.Equal(t, 1, strings.Count(text(fastmath.Kernel(pointwise(5, 2, dtype.F32, shared), 2)), "div"))
	for i := range strict {
		require.InEpsilon(t, strict[i], fast[i], 1e-6)
	}
}

// Level 3: numbers are finite, and constants of a chain are joined.
func TestAlgebra(t *testing.T) {
	x := []float32{1, 2.5, -3}
	c := func(b *kernel.Builder, v float64) int { return b.Const(dtype.F32, v) }
	for what, test := range map[string]struct {
		f    func(b *kernel.Builder, v []int) int
		want []float32
	}{
		"x + 1e8 - 1e8": {func(b *kernel.Builder, v []int) int {
			return b.Binary(kernel.Sub, b.Binary(kernel.Add, v[0], c(b, 1e8)), c(b, 1e8))
		}, x},
		"x - 1e8 + 1e8": {func(b *kernel.Builder, v []int) int {
			return b.Binary(kernel.Add, c(b, 1e8), b.Binary(kernel.Sub, v[0], c(b, 1e8)))
		}, x},
		"x · 1e30 · 1e30 · 0": {func(b *kernel.Builder, v []int) int {
			return b.Binary(kernel.Mul, c(b, 0), b.Binary(kernel.Mul, b.Binary(kernel.Mul, v[0], c(b, 1e30)), c(b, 1e30)))
		}, []float32{0, 0, 0}},
		"x · 2^100 · 2^100 · 2^-100 · 2^-100": {func(b *kernel.Builder, v []int) int {
			y := v[0]
			for _, n := range []float64{0x1p100, 0x1p100, 0x1p-100, 0x1p-100} {
				y = b.Binary(kernel.Mul, y, c(b, n))
			}
			return y
		}, x},
		"x / x":       {func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Div, v[0], v[0]) }, []float32{1, 1, 1}},
		"x - x":       {func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Sub, v[0], v[0]) }, []float32{0, 0, 0}},
		"log exp x":   {func(b *kernel.Builder, v []int) int { return b.Unary(kernel.Log, b.Unary(kernel.Exp, v[0])) }, x},
		"sqrt(x · x)": {func(b *kernel.Builder, v []int) int { return b.Unary(kernel.Sqrt, b.Binary(kernel.Mul, v[0], v[0])) }, []float32{1, 2.5, 3}},
		"- - x":       {func(b *kernel.Builder, v []int) int { return b.Unary(kernel.Neg, b.Unary(kernel.Neg, v[0])) }, x},
		"x is NaN":    {func(b *kernel.Builder, v []int) int { return b.Select(b.Unary(kernel.IsNaN, v[0]), c(b, 9), v[0]) }, x},
	} {
		require.Equal(t, test.want, kernelOf(t, 3, test.f, x), what)
	}
	nan := []float32{float32(math.NaN())}
	is := func(b *kernel.Builder, v []int) int { return b.Select(b.Unary(kernel.IsNaN, v[0]), c(b, 9), c(b, 1)) }
	require.Equal(t, []float32{9}, kernelOf(t, 2, is, nan))
	require.Equal(t, []float32{1}, kernelOf(t, 3, is, nan), "no number is taken for NaN")
}

// Level 4: functions of f64 have the digits of f32, powers are products.
func TestApproximate(t *testing.T) {
	x := []float64{0.1, 0.7, 1.3, 2.9}
	for op, f := range map[kernel.Op]func(float64) float64{kernel.Exp: math.Exp, kernel.Log: math.Log,
		kernel.Tanh: math.Tanh, kernel.Erf: math.Erf, kernel.Expm1: math.Expm1, kernel.Log1p: math.Log1p} {
		body := func(b *kernel.Builder, v []int) int { return b.Unary(op, v[0]) }
		strict, fast := kernelOf(t, 3, body, x), kernelOf(t, 4, body, x)
		require.NotEqual(t, strict, fast)
		for i := range x {
			require.InDelta(t, f(x[i]), strict[i], 1e-14)
			require.InEpsilon(t, f(x[i]), fast[i], 1e-5)
		}
	}
	for _, n := range []float64{1, 2, 3, 5, 16} {
		f := func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Pow, v[0], b.Const(dtype.F64, n)) }
		for i, y := range kernelOf(t, 4, f, x) {
			require.InEpsilon(t, math.Pow(x[i], n), y, 1e-13)
		}
		require.NotContains(t, text(fastmath.Kernel(pointwise(4, 1, dtype.F64, f), 4)), " pow ")
	}
	f := func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Pow, b.Const(dtype.F64, 3), v[0]) }
	for i, y := range kernelOf(t, 4, f, x) {
		require.InEpsilon(t, math.Pow(3, x[i]), y, 1e-5)
	}
	h := func(b *kernel.Builder, v []int) int { return b.Binary(kernel.Hypot, v[0], v[1]) }
	for i, y := range kernelOf(t, 4, h, x, x) {
		require.InEpsilon(t, math.Sqrt2*x[i], y, 1e-14)
	}
}

// Random bodies mean about the same at every level, with stages that fold and keep values.
func TestRandomBodies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 64
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = 0.5+r.Float32(), 0.5+r.Float32()
	}
	for range 100 {
		f := func(b *kernel.Builder, v []int) int {
			list := append([]int{b.Const(dtype.F32, 0.75), b.Const(dtype.F32, 2)}, v...)
			for range 12 {
				a, c := list[r.IntN(len(list))], list[r.IntN(len(list))]
				op := []kernel.Op{kernel.Add, kernel.Mul, kernel.Div, kernel.Max, kernel.Sqrt, kernel.Add, kernel.Mul}[r.IntN(7)]
				var next int
				if op == kernel.Sqrt {
					next = b.Unary(op, a)
				} else {
					next = b.Binary(op, a, c)
				}
				list = append(list, b.Binary(kernel.Min, next, b.Const(dtype.F32, 8)))
			}
			return list[len(list)-1]
		}
		k := pointwise(n, 2, dtype.F32, f)
		want := run(t, k, x, y)
		for level := 1; level <= fastmath.Highest; level++ {
			got := run(t, fastmath.Kernel(k, level), x, y)
			for i := range want {
				require.InEpsilon(t, want[i], got[i], 1e-4, fmt.Sprint(level, "\n", k, fastmath.Kernel(k, level)))
			}
		}
	}
}

// References of reductions and kept values follow their instructions.
func TestStages(t *testing.T) {
	k, err := kernel.Parse(`nest "softmax" outer=[2] inner=[8] {
  port f32 in len=16 offset=0 outer=[8] inner=[1]
  port f32 out len=16 offset=0 outer=[8] inner=[1]
  stage {
    %0 = load f32 port=0
    %1 = const f32 0x40400000
    %2 = div f32 %0 %1
    %3 = exp f32 %2
    keep %3
    reduce sum f32 %3 init=0
  }
  stage {
    %0 = kept f32 stage=0 number=0
    %1 = acc f32 stage=0 number=0
    %2 = div f32 %0 %1
    store f32 %2 port=1
  }
}`)
	require.NoError(t, err)
	x := make([]float32, 16)
	for i := range x {
		x[i] = float32(i%5) - 2
	}
	want := run(t, k, x)
	for level := range fastmath.Highest + 1 {
		require.InDeltaSlice(t, want, run(t, fastmath.Kernel(k, level), x), 1e-6, level)
	}
}

func ExampleBody() {
	b := kernel.NewBody()
	x := b.Load(0, dtype.F32)
	y := b.Binary(kernel.Add, b.Binary(kernel.Mul, x, x), x)
	b.Store(1, y)
	for _, i := range fastmath.Body(b.Body(), fastmath.Contract, nil) {
		fmt.Println(i.Op)
	}
	// Output:
	// load
	// fma
	// store
}
