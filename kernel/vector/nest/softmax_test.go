package nest_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestRows runs the row kernels of the benchmarks on odd numbers of rows and
// columns, with NaN and infinities among the inputs.
func TestRows(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, shape := range [][2]int{{1, 1}, {2, 16}, {3, 17}, {7, 100}, {33, 1}, {5, 1023}, {64, 130}} {
			for name, n := range map[string]*kernel.Nest{
				"softmax": softmaxNest(shape[0], shape[1]), "layer norm": layerNormNest(shape[0], shape[1]),
				"sum": sumNest(shape[0], shape[1]),
			} {
				code, err := compile(n, f)
				require.NoError(t, err)
				for seed := range uint64(4) {
					r := rand.New(rand.NewPCG(seed, 4))
					// Layer norm divides differences: its errors grow with their size.
					require.NoError(t, kerneltest.Check(r, n, code, 16), "%v %s %v", f.Level, name, shape)
				}
				code.Close()
			}
		}
	}
}

// TestFetchesNextRow: the next rows of a softmax are fetched while exponentials are computed, which take longer than
// memory does, and with the longest vectors, which take less time, behind the quotients' division.
func TestFetchesNextRow(t *testing.T) {
	if !exec.Supported {
		t.Skip("no machine code here")
	}
	for level, behind := range map[cpu.Level]bool{cpu.AVX2: false, cpu.AVX512: true} {
		code, err := compile(softmaxNest(64, 1024), cpu.Features{Level: level, L1D: 32 << 10, L2: 1 << 20, L3: 8 << 20})
		require.NoError(t, err)
		listing := code.Listing()
		code.Close()
		fetch, division := strings.Index(listing, "prefetcht0"), strings.Index(listing, "vdivps")
		require.Positive(t, fetch)
		require.Positive(t, division)
		require.Equal(t, behind, fetch > division, "%v", level)
	}
}

// TestFetchesCachedRows: rows that no function is computed of fetch the next row, but not from beyond the caches, where
// they fetch the lines of their results.
func TestFetchesCachedRows(t *testing.T) {
	if !exec.Supported {
		t.Skip("no machine code here")
	}
	x, y := kernel.NewBody(), kernel.NewBody()
	x.Load(0, dtype.F32)
	y.Store(1, y.Binary(kernel.Sub, y.Load(0, dtype.F32), y.Acc(0, 0, dtype.F32)))
	stages := []kernel.Stage{{Body: x.Body(), Reduce: []kernel.Reduction{{Type: dtype.F32}}}, {Body: y.Body()}}
	for _, c := range []struct {
		rows, cache int
		next        bool
	}{{2048, 32 << 20, true}, {2048, 8 << 20, false}, {8192, 32 << 20, false}, {8192, 96 << 20, true}} {
		code, err := compile(rowNest(c.rows, 768, []int{768, 1}, stages), cpu.Features{Level: cpu.AVX512, L1D: 32 << 10, L2: 1 << 20, L3: c.cache})
		require.NoError(t, err)
		require.Equal(t, c.next, strings.Contains(code.Listing(), "prefetcht0"), "%+v", c)
		require.Contains(t, code.Listing(), "prefetchw")
		code.Close()
	}
}

// TestFetchesPageAhead: long pointwise kernels fetch a page ahead if they compute functions.
func TestFetchesPageAhead(t *testing.T) {
	if !exec.Supported {
		t.Skip("no machine code here")
	}
	for op, ahead := range map[kernel.Op]bool{kernel.Exp: true, kernel.Neg: false} {
		long := pointwise(1<<20, 1, func(b *kernel.Builder, x []int) int { return b.Unary(op, x[0]) })
		code, err := compile(long, cpu.Features{Level: cpu.AVX2, L1D: 32 << 10, L2: 1 << 20, L3: 8 << 20})
		require.NoError(t, err)
		require.Equal(t, ahead, strings.Contains(code.Listing(), "prefetcht0"), "%v", op)
		code.Close()
	}
}

// TestSoftmaxOfFarScores: scores that lie far apart, infinite or NaN, against sums in f64 of the host.
func TestSoftmaxOfFarScores(t *testing.T) {
	const cols = 40
	nan := math.Float32frombits(0x7fc00001) // whose low bits would be an exponent's
	for name, score := range map[string]func(i int) float32{
		"one after the other": func(i int) float32 { return -3 * float32(i) },
		"masked": func(i int) float32 {
			if i%3 == 0 {
				return float32(math.Inf(-1))
			}
			return float32(i) / 7
		},
		"huge": func(i int) float32 { return -1e36 * float32(i) },
		"one alone": func(i int) float32 {
			if i > 0 {
				return float32(math.Inf(-1))
			}
			return 5
		},
		"the largest floats": func(i int) float32 { return []float32{math.MaxFloat32, -math.MaxFloat32}[i%2] },
	} {
		x := make([]float32, cols)
		for i := range x {
			x[i] = score(i)
		}
		want, sum := make([]float64, cols), 0.0
		most := float64(slices.Max(x))
		for i, v := range x {
			want[i] = math.Exp(float64(v) - most)
			sum += want[i]
		}
		for _, f := range kerneltest.LevelsHere(t) {
			got := softmaxOf(t, f, x)
			for i, w := range want {
				require.InDelta(t, w/sum, got[i], max(1e-6*w/sum, 0x1p-125), "%s, %v: element %d", name, f.Level, i)
			}
		}
	}
	for _, f := range kerneltest.LevelsHere(t) {
		for _, v := range []float32{nan, float32(math.NaN()), float32(math.Inf(1))} {
			x := make([]float32, cols)
			x[11] = v
			for i, got := range softmaxOf(t, f, x) {
				require.True(t, got != got, "%v: element %d is %v", f.Level, i, got) // the sum is NaN
			}
		}
		for i, got := range softmaxOf(t, f, slices.Repeat([]float32{float32(math.Inf(-1))}, cols)) {
			require.True(t, got != got, "%v, nothing to be seen: element %d is %v", f.Level, i, got)
		}
	}
}

// TestExponentialsOfDifferences: exponentials of a softmax against the host's in f64, down to where they may be
// anything as small.
func TestExponentialsOfDifferences(t *testing.T) {
	const cols, least = 1 << 14, 0x1p-125
	x, y := kernel.NewBody(), kernel.NewBody()
	x.Load(0, dtype.F32)
	y.Store(1, y.Unary(kernel.Exp, y.Binary(kernel.Sub, y.Load(0, dtype.F32), y.Acc(0, 0, dtype.F32))))
	n := rowNest(1, cols, []int{cols, 1}, []kernel.Stage{
		{Body: x.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: dtype.F32, Init: kernel.Bits(dtype.F32, math.Inf(-1))}}},
		{Body: y.Body()},
	})
	in, out := make([]float32, cols), make([]float32, cols)
	for i := range in {
		in[i] = -90 * float32(i) / cols
	}
	for level, f := range kerneltest.LevelsHere(t) {
		prepared(t, n, level, in, out)()
		for i, v := range in {
			if want := math.Exp(float64(v)); want >= least {
				require.LessOrEqual(t, ulps(float64(out[i]), want, 0), 1.1, "%v: e^%g", f.Level, v)
			} else {
				require.InDelta(t, want, out[i], least, "%v: e^%g", f.Level, v)
			}
		}
		require.Zero(t, out[cols-1], "%v", f.Level)
	}
}

// softmaxOf returns the softmax of a row.
func softmaxOf(t *testing.T, f cpu.Features, x []float32) []float32 {
	n := softmaxNest(1, len(x))
	code, err := compile(n, f)
	require.NoError(t, err)
	defer code.Close()
	in, out := kerneltest.Aligned(4*len(x)), kerneltest.Aligned(4*len(x))
	copy(unsafe.Slice((*float32)(in), len(x)), x)
	args := &kernel.Args{Ptr: []unsafe.Pointer{in, out}, Scratch: kerneltest.Aligned(code.Scratch())}
	code.Run(args, 0, code.Units())
	return slices.Clone(unsafe.Slice((*float32)(out), len(x)))
}
