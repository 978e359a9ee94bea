package nest_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

// integers are all pairs of awkward numbers, and random ones of all sizes.
func integers[T uint8 | int8 | int16 | int32 | int64](r *rand.Rand) (x, y []T) {
	edges := []int64{0, 1, -1, 2, -2, 3, 5, 7, -7, 10, 63, 64, 100, 127, -128, 128, 255, 32767, -32768,
		1<<24 + 1, math.MaxInt32, math.MinInt32, math.MinInt32 + 1, 1 << 32, 1<<32 - 1, 1<<53 + 1, -1<<53 - 1,
		1 << 62, 1<<62 - 1, -1 << 62, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	for _, a := range edges {
		for _, b := range edges {
			x, y = append(x, T(a)), append(y, T(b))
		}
	}
	for range 20000 {
		a, b := int64(r.Uint64())>>r.IntN(64), int64(r.Uint64())>>r.IntN(64)
		if r.IntN(4) == 0 && b != 0 {
			a = a/b*b + int64(r.IntN(3)) - 1 // about a multiple
		}
		x, y = append(x, T(a)), append(y, T(b))
	}
	return x, y
}

func testIntegers[T uint8 | int8 | int16 | int32 | int64](t *testing.T, d dtype.DType) {
	x, y := integers[T](rand.New(rand.NewPCG(3, 3)))
	n := len(x)
	for op := kernel.Add; op < kernel.Cast; op++ {
		if op.Arity() == 3 || op.IsCompare() || !op.Takes(d) {
			continue
		}
		k, operands := binaryOf(d, op, n), [][]T{x, y, make([]T, n)}
		if op.Arity() == 1 {
			k, operands = unaryOf(d, op, n), [][]T{x, make([]T, n)}
		}
		want := make([]T, n)
		code, err := portable.Compile(k)
		require.NoError(t, err)
		args := kernel.Args{Scratch: unsafe.Pointer(&make([]byte, code.Scratch()+64)[0])}
		for _, o := range append(operands[:len(operands)-1:len(operands)-1], want) {
			args.Ptr = append(args.Ptr, unsafe.Pointer(&o[0]))
		}
		code.Run(&args, 0, code.Units())
		for level, f := range kerneltest.LevelsHere(t) {
			have := operands[len(operands)-1]
			prepared(t, k, level, operands...)()
			for i := range want {
				if have[i] != want[i] {
					t.Errorf("%v %v %v(%d, %d) = %d, want %d", f.Level, d, op, x[i], y[i], have[i], want[i])
					break
				}
			}
		}
	}
}

func TestIntegers(t *testing.T) {
	testIntegers[uint8](t, dtype.U8)
	testIntegers[int8](t, dtype.I8)
	testIntegers[int16](t, dtype.I16)
	testIntegers[int32](t, dtype.I32)
	testIntegers[int64](t, dtype.I64)
}

// TestConstantDivisors compares division by constants, of the sizes that f64 holds and
// larger ones, with the host's.
func TestConstantDivisors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x, divisors := integers[int64](r)
	n := len(x)
	list := append(divisors[:35:35], 1<<53, 1<<53-1, 1-1<<53, 3*1<<40, 1000003)
	for range 20 {
		list = append(list, divisors[len(divisors)-1-r.IntN(20000)])
	}
	have := make([]int64, n)
	for _, y := range list {
		if y == math.MinInt64 || int64(float64(y)) != y { // a constant is given as f64
			continue
		}
		for i := range 400 { // about multiples
			x[n-1-i] = y*int64(r.Uint64()>>(r.IntN(63)+1)) + int64(i%3) - 1
		}
		for _, op := range []kernel.Op{kernel.Div, kernel.FloorDiv, kernel.Rem, kernel.Mod} {
			b := kernel.NewBody()
			b.Store(1, b.Binary(op, b.Load(0, dtype.I64), b.Const(dtype.I64, float64(y))))
			k := &kernel.Nest{Name: "divide", Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}},
				Access: []kernel.Access{{Port: kernel.Port{DType: dtype.I64, Len: n}, Outer: []int{1}},
					{Port: kernel.Port{DType: dtype.I64, Len: n, Write: true}, Outer: []int{1}}}}
			for level, f := range kerneltest.LevelsHere(t) {
				prepared(t, k, level, bytesOf(x), bytesOf(have))()
				for i, a := range x {
					if want := quotientOf(op, a, y); have[i] != want {
						t.Fatalf("%v %v(%d, %d) = %d, want %d", f.Level, op, a, y, have[i], want)
					}
				}
			}
		}
	}
}

// quotientOf divides as the kernel's operations do: by zero gives 0.
func quotientOf(op kernel.Op, a, y int64) int64 {
	if y == 0 {
		return 0
	}
	q, r := a/y, a%y
	if down := r != 0 && (r < 0) != (y < 0); down && (op == kernel.FloorDiv || op == kernel.Mod) {
		q, r = q-1, r+y
	}
	if op == kernel.Div || op == kernel.FloorDiv {
		return q
	}
	return r
}

// TestConversions compares conversions of 64-bit integers with the host's.
func TestConversions(t *testing.T) {
	x, _ := integers[int64](rand.New(rand.NewPCG(4, 4)))
	n := len(x)
	cast := func(to, from dtype.DType) *kernel.Nest {
		b := kernel.NewBody()
		b.Store(1, b.Cast(to, b.Load(0, from)))
		return &kernel.Nest{Name: "cast", Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}},
			Access: []kernel.Access{{Port: kernel.Port{DType: from, Len: n}, Outer: []int{1}},
				{Port: kernel.Port{DType: to, Len: n, Write: true}, Outer: []int{1}}}}
	}
	single, double, integer, narrow := make([]float32, n), make([]float64, n), make([]int64, n), make([]int32, n)
	for level, f := range kerneltest.LevelsHere(t) {
		prepared(t, cast(dtype.F32, dtype.I64), level, bytesOf(x), bytesOf(single))()
		prepared(t, cast(dtype.F64, dtype.I64), level, bytesOf(x), bytesOf(double))()
		prepared(t, cast(dtype.I32, dtype.I64), level, bytesOf(x), bytesOf(narrow))()
		for i, v := range x {
			require.Equal(t, float32(v), single[i], "%v %d", f.Level, v)
			require.Equal(t, float64(v), double[i], "%v %d", f.Level, v)
			require.Equal(t, int32(v), narrow[i], "%v %d", f.Level, v)
		}
		for i, v := range x {
			double[i] = float64(v) / 8
		}
		prepared(t, cast(dtype.I64, dtype.F64), level, bytesOf(double), bytesOf(integer))()
		for i, v := range double {
			require.Equal(t, int64(v), integer[i], "%v %g", f.Level, v)
		}
	}
}
