package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/portable"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

func port(d dtype.DType, n int, write bool) kernel.Port {
	return kernel.Port{DType: d, Len: n, Write: write}
}

func run(code kernel.Code, x *buf.Buffer, units [][2]int) *buf.Buffer {
	out := buf.New(x.DType, x.Shape)
	scratch := buf.Aligned(code.Scratch() + 64)
	args := kernel.Args{Ptr: []unsafe.Pointer{x.Pointer(), out.Pointer()}, Scratch: unsafe.Pointer(&scratch[0])}
	for _, u := range units {
		code.Run(&args, u[0], u[1])
	}
	return out
}

// TestBits: on every level the code gives the bits of the portable back end, NaNs,
// and infinities included, for lines that fill vectors and that do not.
func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}
	compiled := 0
	for _, level := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
		f := cpu.Detect()
		if f.Level < level {
			continue
		}
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64, dtype.I8, dtype.BF16} {
			for fold := kernel.FoldAdd; fold <= kernel.FoldLogAddExp; fold++ {
				for _, l := range []kernel.Lines{{Outer: 2, N: 5, Inner: 16}, {Outer: 3, N: 4, Inner: 133},
					{Outer: 1, N: 3, Inner: 1500}, {Outer: 1, N: 2*rowsEach + 7, Inner: 17}, {Outer: 2, N: 1, Inner: 64},
					{Outer: 2, N: 9, Inner: 1}, {Outer: 11, N: 3, Inner: 1}, {Outer: 1, N: rowsEach + 5, Inner: 1}} {
					k := &kernel.Scan{Name: "k", Lines: l, Fold: fold, Unsigned: l.Outer > 1,
						X: port(d, l.Elements(), false), Out: port(d, l.Elements(), true)}
					if fold == kernel.FoldLogAddExp && !d.IsFloat() {
						continue
					}
					code, err := Compile(k, f.Lower(level))
					if err != nil {
						require.ErrorIs(t, err, ErrUnsupported)
						continue
					}
					compiled++
					x := buf.New(d, []int{l.Elements()})
					for i := range x.Len() {
						v := r.NormFloat64()
						if r.IntN(40) == 0 {
							v = special[r.IntN(len(special))]
						}
						if d.IsFloat() {
							x.SetFloat64(i, v)
						} else {
							x.SetInt64(i, int64(v*1e9))
						}
					}
					reference, err := portable.Compile(k)
					require.NoError(t, err)
					want := run(reference, x, [][2]int{{0, reference.Units()}})
					n := code.Units()
					got := run(code, x, [][2]int{{n / 2, n}, {0, n / 2}})
					same(t, want, got, fmt.Sprintf("%s %s %s %v", level, fold, d, l))
					code.Close()
				}
			}
		}
	}
	if cpu.Detect().Level >= cpu.AVX2 {
		require.NotZero(t, compiled)
	}
}

// same compares bits; of NaNs only that they are.
func same(t *testing.T, want, got *buf.Buffer, what string) {
	t.Helper()
	for i := range want.Len() {
		if want.DType.IsFloat() {
			x, y := want.Float64(i), got.Float64(i)
			if x != x && y != y || x == 0 && y == 0 {
				continue // the processor's extremes may take either zero
			}
			if math.Float64bits(x) != math.Float64bits(y) {
				require.Failf(t, what, "element %d is %v, want %v", i, y, x)
			}
			continue
		}
		if x, y := want.Int64(i), got.Int64(i); x != y {
			require.Failf(t, what, "element %d is %d, want %d", i, y, x)
		}
	}
}
