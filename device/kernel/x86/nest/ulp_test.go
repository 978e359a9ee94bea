package nest

import (
	"flag"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/kerneltest"
	"github.com/go-acap/acap/tensor/dtype"
)

var long = flag.Bool("long", false, "test functions on every value of f32")

// bounds are the largest errors of the functions in ULP, and the size below
// which a result may be flushed to 0.
var bounds = map[kernel.Op]struct{ ulp, flush float64 }{
	kernel.Exp: {1.1, 0}, kernel.Exp2: {1.1, 0}, kernel.Expm1: {2, 0}, kernel.Log: {1.5, 0},
	kernel.Log2: {2, 0}, kernel.Log10: {2, 0}, kernel.Log1p: {2, 0}, kernel.Sigmoid: {2.5, 0x1p-126},
	kernel.Tanh: {2.5, 0}, kernel.Erf: {2, 0},
}

func unary(op kernel.Op, n int) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(1, b.Unary(op, b.Load(0, dtype.F32)))
	p := kernel.Port{DType: dtype.F32, Len: n}
	q := p
	q.Write = true
	return &kernel.Nest{Name: op.String(), Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{{Port: p, Outer: []int{1}}, {Port: q, Outer: []int{1}}}}
}

func TestFunctions(t *testing.T) {
	step := uint32(997)
	if *long {
		step = 1
	}
	const block = 1 << 16
	x, y := make([]float32, block), make([]float32, block)
	for _, f := range levels(t) {
		for op := range functions {
			bound, ok := bounds[op]
			require.True(t, ok, op.String())
			code, err := Compile(unary(op, block), f)
			require.NoError(t, err)
			args := kernel.Args{Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])},
				Scratch: unsafe.Pointer(&make([]byte, code.Scratch()+64)[0])}
			worst, at := 0.0, float32(0)
			for bits, more := uint32(0), true; more; {
				for i := range x {
					x[i] = math.Float32frombits(bits)
					if more = more && bits+step > bits; more {
						bits += step
					}
				}
				code.Run(&args, 0, code.Units())
				for i := range x {
					if e := ulps(float64(y[i]), kerneltest.Functions[op](float64(x[i])), bound.flush); e > worst {
						worst, at = e, x[i]
					}
				}
			}
			t.Logf("%v %v: %.3f ULP at %g (%#x)", f.Level, op, worst, at, math.Float32bits(at))
			if worst > bound.ulp {
				t.Errorf("%v %v: %.3f ULP at %g, bound %g", f.Level, op, worst, at, bound.ulp)
			}
			code.Close()
		}
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
	_, exp := math.Frexp(want)
	return math.Abs(have-want) / math.Ldexp(1, max(exp-24, -149))
}
