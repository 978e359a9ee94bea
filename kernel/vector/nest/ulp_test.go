package nest_test

import (
	"flag"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/function"
)

var long = flag.Bool("long", false, "test functions on every value of f32, and on many of f64")

// bounds are the largest errors of the functions in ULP, and the size below
// which a result may be flushed to 0.
var bounds = map[kernel.Op]struct{ ulp, flush float64 }{
	kernel.Exp: {1.1, 0}, kernel.Exp2: {1.1, 0}, kernel.Expm1: {2, 0}, kernel.Log: {1.5, 0},
	kernel.Log2: {2, 0}, kernel.Log10: {2, 0}, kernel.Log1p: {2, 0}, kernel.Sigmoid: {2.5, 0x1p-126},
	kernel.Tanh: {2.5, 0}, kernel.Erf: {2, 0},
}

// narrowBound is the bound of the functions that are computed in f64: the last
// rounding, and what f64 adds.
const narrowBound = 0.501

// functionsOfOne are the functions of one operand.
func functionsOfOne() (list []kernel.Op) {
	for _, op := range kernel.Ops() {
		if function.Is(op) && op.Arity() == 1 {
			list = append(list, op)
		}
	}
	return list
}

// TestFunctions compares every 1999th value of f32, every 63997th with -short, or every one, with a function of
// f64: our own, if its code is another, which TestDoubleFunctions holds to its bounds
// and which is fast; else the host's.
func TestFunctions(t *testing.T) {
	for _, op := range functionsOfOne() {
		t.Run(op.String(), func(t *testing.T) { testFunction(t, op) })
	}
}

func testFunction(t *testing.T, op kernel.Op) {
	step := uint64(1999)
	switch {
	case *long:
		step = 1
	case testing.Short(): // an emulated processor computes what another with its instructions does
		step = 63997
	}
	bound, ok := bounds[op]
	if !ok {
		bound.ulp = narrowBound
		require.True(t, function.InDouble(op, dtype.F32), "no bound")
	}
	const block = 1 << 12
	x, want := make([]float32, block), make([]float64, block)
	n := unaryOf(dtype.F32, op, block)
	host := kerneltest.Functions[op]
	reference := func() {
		for i, v := range x {
			want[i] = host(float64(v))
		}
	}
	if !function.InDouble(op, dtype.F32) || op == kernel.Sin || op == kernel.Cos || op == kernel.Tan {
		reference = prepared(t, widened(op, block), 0, bytesOf(x), bytesOf(want))
	}
	var runs []func()
	var have [][]float32
	for level := range kerneltest.LevelsHere(t) {
		y := make([]float32, block)
		have = append(have, y)
		runs = append(runs, prepared(t, n, level, x, y))
	}
	worst, at := 0.0, float32(0)
	check := func(i int, y float32) {
		if e := ulps(float64(y), want[i], bound.flush); e > worst {
			worst, at = e, x[i]
		}
	}
	compare := func() {
		reference()
		for _, run := range runs {
			run()
		}
		first, last := have[0], have[len(have)-1]
		for i, v := range want {
			y := first[i]
			if !(math.Abs(float64(y)-v) <= worst*lastPlace(v)) {
				check(i, y)
			}
			if last[i] != y {
				check(i, last[i])
			}
		}
	}
	for bits := uint64(0); bits < 1<<32; bits += step * block {
		for i := range x {
			x[i] = math.Float32frombits(uint32(min(bits+uint64(i)*step, 1<<32-1)))
		}
		compare()
	}
	for i := range x { // next to zeros and poles, where most digits of an angle cancel
		x[i] = float32(float64(i) * math.Pi / 2)
	}
	compare()
	t.Logf("%.3f ULP at %g (%#x)", worst, at, math.Float32bits(at))
	if worst > bound.ulp {
		t.Errorf("%.3f ULP at %g, bound %g", worst, at, bound.ulp)
	}
}

// ulps is the distance of have from want in units of want's last place in f32.
func ulps(have, want, flush float64) float64 {
	if math.IsNaN(want) || math.IsNaN(have) {
		if math.IsNaN(want) && math.IsNaN(have) {
			return 0
		}
		return math.Inf(1)
	}
	if float64(float32(want)) == have || have == 0 && math.Abs(want) < flush {
		return 0
	}
	if math.IsInf(float64(float32(want)), 0) || math.IsInf(have, 0) {
		return math.Inf(1)
	}
	return math.Abs(have-want) / lastPlace(want)
}

// lastPlace is the last place of f32 next to a number of f64.
func lastPlace(x float64) float64 {
	const least = (1023 - 126) << 52
	return math.Float64frombits(max(math.Float64bits(x)&(0x7ff<<52), least)) * 0x1p-23
}

// widened computes a function of f32 in f64.
func widened(op kernel.Op, n int) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(1, b.Unary(op, b.Cast(dtype.F64, b.Load(0, dtype.F32))))
	return &kernel.Nest{Name: op.String(), Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{{Port: kernel.Port{DType: dtype.F32, Len: n}, Outer: []int{1}},
			{Port: kernel.Port{DType: dtype.F64, Len: n, Write: true}, Outer: []int{1}}}}
}

// bytesOf is the memory of a slice.
func bytesOf[T any](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0])))
}
