package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/emit"
)

func port(d dtype.DType, n int, write bool) kernel.Port {
	return kernel.Port{DType: d, Len: n, Write: write}
}

func run(code kernel.Code, x *buf.Buffer, d dtype.DType, units [][2]int) *buf.Buffer {
	out := buf.New(d, x.Shape)
	scratch := buf.Aligned(code.Scratch() + 64)
	args := kernel.Args{Ptr: []unsafe.Pointer{x.Pointer(), out.Pointer()}, Scratch: unsafe.Pointer(&scratch[0])}
	for _, u := range units {
		code.Run(&args, u[0], u[1])
	}
	return out
}

// lengths are lines that fill vectors and that do not, side by side and one behind the
// other, in one call and in several.
var lengths = []kernel.Lines{{Outer: 2, N: 5, Inner: 16}, {Outer: 3, N: 4, Inner: 133},
	{Outer: 1, N: 3, Inner: 1500}, {Outer: 1, N: 2*rowsEach + 7, Inner: 17}, {Outer: 2, N: 1, Inner: 64},
	{Outer: 2, N: 9, Inner: 1}, {Outer: 11, N: 3, Inner: 1}, {Outer: 1, N: rowsEach + 5, Inner: 1},
	{Outer: 3, N: 16, Inner: 1}, {Outer: 6, N: 77, Inner: 1}, {Outer: 1, N: 17*rowsEach + 9, Inner: 1}}

// TestBits: on every level the code gives the bits of the portable back end, NaNs and infinities included; of
// logarithms of sums of exponentials, which are functions, 4 ULP more or less.
func TestBits(t *testing.T) {
	levels := kerneltest.Levels()
	if len(levels) == 0 {
		t.Skip("no generated code on this system")
	}
	r := rand.New(rand.NewPCG(3, 4))
	compiled := map[bool]int{}
	for _, f := range levels {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64, dtype.I8, dtype.BF16} {
			for fold := kernel.FoldAdd; fold <= kernel.FoldLogAddExp; fold++ {
				for _, l := range lengths {
					for _, positions := range []bool{false, true} {
						k := &kernel.Scan{Name: "k", Lines: l, Fold: fold, Unsigned: l.Outer > 1, Positions: positions,
							X: port(d, l.Elements(), false), Out: port(d, l.Elements(), true)}
						if positions {
							k.Out.DType = dtype.I64
						}
						if kernel.Verify(k) == nil && agree(t, r, k, f) {
							compiled[positions]++
						}
					}
				}
			}
		}
	}
	require.NotZero(t, compiled[false])
	require.NotZero(t, compiled[true])
}

// agree compares the code of a scan with the portable back end, and reports whether there
// is any.
func agree(t *testing.T, r *rand.Rand, k *kernel.Scan, f cpu.Features) bool {
	t.Helper()
	code, err := Compile(k, emit.Backend(f))
	if err != nil {
		require.ErrorIs(t, err, kernel.ErrUnsupported)
		return false
	}
	defer code.Close()
	if !kerneltest.Executes(f) {
		return true
	}
	x := elements(r, k.X.DType, k.Elements())
	reference, err := portable.Compile(k)
	require.NoError(t, err)
	want := run(reference, x, k.Out.DType, [][2]int{{0, reference.Units()}})
	n := code.Units()
	got := run(code, x, k.Out.DType, [][2]int{{n / 2, n}, {0, n / 2}})
	ulps := 0.0
	if k.Fold == kernel.FoldLogAddExp { // whose functions differ from the host's
		ulps = 4
	}
	same(t, want, got, ulps, fmt.Sprintf("%s %s", f.Level, k))
	return true
}

// elements makes numbers, some of them special, or few different ones.
func elements(r *rand.Rand, d dtype.DType, n int) *buf.Buffer {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.Copysign(math.NaN(), -1)}
	x := buf.New(d, []int{n})
	ties, rare := r.IntN(2) == 0, []int{40, 100000}[r.IntN(2)]
	for i := range n {
		v := r.NormFloat64()
		if ties {
			v = math.Round(v)
		}
		if r.IntN(rare) == 0 {
			v = special[r.IntN(len(special))]
		}
		switch {
		case d.IsFloat():
			x.SetFloat64(i, v)
		case ties:
			x.SetInt64(i, int64(v))
		default:
			x.SetInt64(i, int64(v*1e9))
		}
	}
	return x
}

// same compares bits; of NaNs only that they are.
func same(t *testing.T, want, got *buf.Buffer, ulps float64, what string) {
	t.Helper()
	for i := range want.Len() {
		if want.DType.IsFloat() {
			x, y := want.Float64(i), got.Float64(i)
			if x != x && y != y || x == 0 && y == 0 {
				continue // the processor's extremes may take either zero
			}
			if !kerneltest.Close(want.DType, kerneltest.Value{F: x}, kerneltest.Value{F: y}, ulps, 1) {
				require.Failf(t, what, "element %d is %v, want %v", i, y, x)
			}
			continue
		}
		if x, y := want.Int64(i), got.Int64(i); x != y {
			require.Failf(t, what, "element %d is %d, want %d", i, y, x)
		}
	}
}
