package nest_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// doubleBounds are the largest errors of the functions of f64 in ULP.
var doubleBounds = map[kernel.Op]float64{
	kernel.Exp: 1, kernel.Exp2: 1, kernel.Expm1: 2.5, kernel.Log: 1, kernel.Log2: 2, kernel.Log10: 2,
	kernel.Log1p: 2, kernel.Sigmoid: 2.5, kernel.Sinh: 3, kernel.Cosh: 2.5, kernel.Tanh: 3,
	kernel.Asinh: 3, kernel.Acosh: 3, kernel.Atanh: 3, kernel.Sin: 1, kernel.Cos: 1, kernel.Tan: 2,
	kernel.Asin: 2.5, kernel.Acos: 2, kernel.Atan: 1.5, kernel.Erf: 2, kernel.Erfc: 6, kernel.Cbrt: 1,
	kernel.Pow: 1.2, kernel.Hypot: 2, kernel.Atan2: 2,
}

// specials are values at which functions are apt to be wrong.
var specials = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1e300, -1e300,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, -0x1p-1022,
	0x1p-1074, -0x1p-1074, 0x1.8p-1060, 710, 710.2, 711, -745.5, 709.7, 1024, -1075, 0x1p53, 0x1p53 + 2, -0x1p53 - 2,
	0x1p52 + 1, 9.5, -9.5, math.Nextafter(1, 0), math.Nextafter(1, 2), math.Nextafter(-1, 0)}

// awkward are angles next to multiples of π/2 (the first two after Muller's Elementary
// Functions), and large ones.
var awkward = []float64{6381956970095103 * 0x1p797, 0x1.6ac5b262ca1ffp849, math.Pi, math.Pi / 2, 1e22,
	0x1p1023, 11, 22, 33, 355, 103993, 710, 52174, 5.319372648326541e+255, 1.5707963267948968e15}

func unaryOf(t dtype.DType, op kernel.Op, n int) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(1, b.Unary(op, b.Load(0, t)))
	p := kernel.Port{DType: t, Len: n}
	q := p
	q.Write = true
	return &kernel.Nest{Name: op.String(), Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{{Port: p, Outer: []int{1}}, {Port: q, Outer: []int{1}}}}
}

func binaryOf(t dtype.DType, op kernel.Op, n int) *kernel.Nest {
	b := kernel.NewBody()
	b.Store(2, b.Binary(op, b.Load(0, t), b.Load(1, t)))
	p := kernel.Access{Port: kernel.Port{DType: t, Len: n}, Outer: []int{1}}
	q := p
	q.Write = true
	return &kernel.Nest{Name: op.String(), Outer: []int{n}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{p, p, q}}
}

// prepared compiles a nest at a level and gives the run of it on slices.
func prepared[T any](t *testing.T, n *kernel.Nest, level int, operands ...[]T) func() {
	code, err := compile(n, kerneltest.LevelsHere(t)[level])
	require.NoError(t, err, n.Name)
	t.Cleanup(code.Close)
	args := &kernel.Args{Scratch: unsafe.Pointer(&make([]byte, code.Scratch()+64)[0])}
	for _, o := range operands {
		args.Ptr = append(args.Ptr, unsafe.Pointer(&o[0]))
	}
	return func() { code.Run(args, 0, code.Units()) }
}

// doubles draws arguments: of all sizes, of moderate size, and near integers.
func doubles(r *rand.Rand, n int) []float64 {
	x := append(append([]float64(nil), specials...), awkward...)
	for len(x) < n {
		switch len(x) % 4 {
		case 0:
			x = append(x, math.Float64frombits(r.Uint64()))
		case 1:
			x = append(x, r.NormFloat64()*math.Ldexp(1, r.IntN(20)-10))
		case 2:
			x = append(x, 4*r.Float64()-2)
		default:
			x = append(x, float64(r.IntN(40)-20)+r.NormFloat64()*math.Ldexp(1, -r.IntN(50)))
		}
	}
	return x
}

// ulps64 is the distance of have from the rounded want, in units of want's last place.
func ulps64(have float64, want *big.Float) float64 {
	rounded, _ := want.Float64()
	if have == rounded {
		return 0
	}
	if math.IsNaN(have) || math.IsInf(have, 0) || math.IsInf(rounded, 0) {
		return math.Inf(1)
	}
	d, _ := new(big.Float).SetMantExp(sub(bigOf(have), want), -max(want.MantExp(nil)-53, -1074)).Float64()
	return math.Abs(d)
}

// alike reports whether two special results are the same, the sign of zero included.
func alike(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || math.IsNaN(a) && math.IsNaN(b)
}

func TestDoubleFunctions(t *testing.T) {
	n := 200
	if *long {
		n = 10000
	}
	x := doubles(rand.New(rand.NewPCG(1, 1)), n)
	var have [2][]float64
	for _, op := range functionsOfOne() {
		bound, f, host := doubleBounds[op], bigFunctions[op], kerneltest.Functions[op]
		for level := range kerneltest.LevelsHere(t) {
			have[level] = make([]float64, n)
			prepared(t, unaryOf(dtype.F64, op, n), level, x, have[level])()
		}
		worst, at := 0.0, 0.0
		for i, v := range x {
			want := host(v)
			pole := math.IsInf(want, 0) && math.Abs(v) <= 1
			special := want == 0 || math.IsNaN(want) || math.IsInf(v, 0) || v == 0 || pole
			var exact *big.Float
			if !special {
				exact = f(v)
			}
			for level := range kerneltest.LevelsHere(t) {
				if special {
					if !alike(want, have[level][i]) {
						t.Errorf("%v(%g) = %g, want %g", op, v, have[level][i], want)
					}
				} else if exact != nil {
					if e := ulps64(have[level][i], exact); e > worst {
						worst, at = e, v
					}
				}
			}
		}
		t.Logf("%v: %.3f ULP at %v", op, worst, at)
		if worst > bound {
			t.Errorf("%v: %.3f ULP at %v, bound %v", op, worst, at, bound)
		}
	}
}

// exceptional are the rules of C for operands that are zero, infinite or no number.
func exceptional(op kernel.Op, v, w float64) bool {
	plain := func(x float64) bool { return x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) }
	return !plain(v) || !plain(w) || op == kernel.Pow && v < 0 && w != math.Trunc(w)
}

func TestDoubleFunctions2(t *testing.T) {
	n := 1200
	if *long {
		n = 10000
	}
	host := map[kernel.Op]func(v, w float64) float64{kernel.Pow: math.Pow, kernel.Hypot: math.Hypot,
		kernel.Atan2: math.Atan2}
	r := rand.New(rand.NewPCG(1, 2))
	x, y := doubles(r, n), make([]float64, n)
	for i := range y {
		switch y[i] = specials[r.IntN(len(specials))]; {
		case i%3 == 1: // powers of all sizes
			y[i] = r.NormFloat64() * 300 / math.Log(math.Abs(x[i]))
		case i%3 == 2:
			y[i] = x[i] * (r.Float64()*4 - 2)
		}
	}
	for i, v := range specials {
		for k, w := range specials {
			if at := i*len(specials) + k; i*len(specials)+k < n/2 {
				x[n-1-at], y[n-1-at] = v, w
			}
		}
	}
	var have [2][]float64
	for op, f := range bigFunctions2 {
		for level := range kerneltest.LevelsHere(t) {
			have[level] = make([]float64, n)
			prepared(t, binaryOf(dtype.F64, op, n), level, x, y, have[level])()
		}
		worst, at := 0.0, [2]float64{}
		for i, v := range x {
			w := y[i]
			if op == kernel.Hypot && math.Abs(w/v) > 1e200 || op == kernel.Atan2 && math.IsInf(w/v, 0) {
				continue // too long for the reference
			}
			for level := range kerneltest.LevelsHere(t) {
				got := have[level][i]
				if exceptional(op, v, w) {
					if want := host[op](v, w); !alike(want, got) {
						t.Errorf("%v(%g, %g) = %g, want %g", op, v, w, got, want)
					}
				} else if p := w * math.Log(math.Abs(v)); op == kernel.Pow && math.Abs(p) > 800 {
					if want := math.Exp(max(-900, min(900, p))); math.Abs(got) != want {
						t.Errorf("%v(%g, %g) = %g, want %g", op, v, w, got, want)
					}
				} else if e := ulps64(got, f(v, w)); e > worst {
					worst, at = e, [2]float64{v, w}
				}
			}
		}
		t.Logf("%v: %.3f ULP at %v", op, worst, at)
		if worst > doubleBounds[op] {
			t.Errorf("%v: %.3f ULP at %v, bound %v", op, worst, at, doubleBounds[op])
		}
	}
}

// TestNarrowFunctions2 compares functions of two operands of f32 with the host's f64.
func TestNarrowFunctions2(t *testing.T) {
	const n = 1 << 16
	rounds := 4
	if *long {
		rounds = 4000
	}
	r := rand.New(rand.NewPCG(1, 3))
	x, y, have := make([]float32, n), make([]float32, n), make([]float32, n)
	host := map[kernel.Op]func(v, w float64) float64{kernel.Pow: math.Pow, kernel.Hypot: math.Hypot,
		kernel.Atan2: math.Atan2, kernel.Rem: math.Mod}
	for op, f := range host {
		worst, at := 0.0, [2]float32{}
		for range rounds {
			for i := range x {
				x[i], y[i] = math.Float32frombits(r.Uint32()), math.Float32frombits(r.Uint32())
				switch i % 4 {
				case 1:
					y[i] = float32(r.NormFloat64() * 40 / math.Log(math.Abs(float64(x[i]))))
				case 2:
					x[i], y[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
				case 3:
					x[i] = float32(specials[r.IntN(len(specials))])
					y[i] = float32(specials[r.IntN(len(specials))])
				}
			}
			for level := range kerneltest.LevelsHere(t) {
				prepared(t, binaryOf(dtype.F32, op, n), level, x, y, have)()
				for i, v := range x {
					want := f(float64(v), float64(y[i]))
					if e := ulps(float64(have[i]), want, 0); e > worst {
						worst, at = e, [2]float32{v, y[i]}
					}
				}
			}
		}
		t.Logf("%v: %.3f ULP at %v", op, worst, at)
		if worst > narrowBound {
			t.Errorf("%v: %.3f ULP at %v, bound %v", op, worst, at, narrowBound)
		}
	}
}
