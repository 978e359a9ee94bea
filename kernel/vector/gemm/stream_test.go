package gemm

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestJoinedUnits: columns that are streamed together have the bits of columns that are streamed unit by unit, in each
// entry of a batch, and the sums that wait have room: rows of B in one round, in whole rounds, and in rounds of which the
// last one has fewer; and columns of B.
func TestJoinedUnits(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		for _, k := range []int{streamRows - 3, 2 * streamRows, 2*streamRows + 5} {
			joinedUnits(t, f, product{k: k})
		}
		joinedUnits(t, f, product{k: 150, transposed: true})
	})
}

// joinedUnits is [TestJoinedUnits] for a product with k rows of B.
func joinedUnits(t *testing.T, f cpu.Features, p product) {
	const batch, n = 2, 9100
	k := p.k
	p.batch, p.m, p.n, p.types = batch, 1, n, f32
	c := p.contraction()
	compiled, err := Compile(c, f, emit.Processor, portableNest)
	require.NoError(t, err)
	defer compiled.Close()
	code, ok := compiled.(kernel.Joiner)
	require.True(t, ok)
	units, least := code.Joined()
	require.Greater(t, units, least)
	require.Greater(t, code.Units(), batch*units)
	if !kerneltest.Executes(f) {
		return
	}
	r := rand.New(rand.NewPCG(1, 1))
	a, b := kerneltest.Aligned(4*batch*k), kerneltest.Aligned(4*batch*k*n)
	for _, x := range [][]float32{unsafe.Slice((*float32)(a), batch*k), unsafe.Slice((*float32)(b), batch*k*n)} {
		for i := range x {
			x[i] = r.Float32() - 0.5
		}
	}
	var results [2][]float32
	for i, units := range []int{1, code.Units() - 1} {
		const guard = 64
		out := kerneltest.Aligned(4 * batch * n)
		scratch := unsafe.Slice((*byte)(kerneltest.Aligned(code.Scratch()+guard)), code.Scratch()+guard)
		args := &kernel.Args{Ptr: []unsafe.Pointer{a, b, out}, Scratch: unsafe.Pointer(&scratch[0])}
		code.Run(args, 0, 1) // so that units of both entries are in one call, and are not joined
		for lo := 1; lo < code.Units(); lo += units {
			code.Run(args, lo, lo+units)
		}
		require.Equal(t, make([]byte, guard), scratch[code.Scratch():])
		results[i] = slices.Clone(unsafe.Slice((*float32)(out), batch*n))
	}
	require.Equal(t, results[0], results[1])
	for entry := range batch {
		for _, column := range []int{0, n / 2, n - 1} {
			want := 0.0
			for row := range k {
				at := c.B.Batch[0]*entry + c.B.Row*row + c.B.Col*column
				want += float64(*(*float32)(unsafe.Add(a, 4*(entry*k+row)))) * float64(*(*float32)(unsafe.Add(b, 4*at)))
			}
			require.InDelta(t, want, results[1][entry*n+column], 1e-5)
		}
	}
}

// TestUnitsOfFewRows: a few rows are divided by what there is of packed weights to read, and units in one call have the
// bits of units in calls of their own, also where a call has columns of two entries.
func TestUnitsOfFewRows(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		require.Equal(t, 1, planOf(t, product{m: 1, k: 64, n: 256, constant: true, types: f32}, f).unitColumns())
		const batch, m, k, n = 2, 3, 256, 1100
		c := product{batch: batch, m: m, k: k, n: n, constant: true, types: f32}.contraction()
		code, err := Compile(c, f, emit.Processor, portableNest)
		require.NoError(t, err)
		defer code.Close()
		require.GreaterOrEqual(t, code.Units(), batch*enoughUnits)
		if !kerneltest.Executes(f) {
			return
		}
		r := rand.New(rand.NewPCG(1, 1))
		a, b, y := make([]float32, batch*m*k), make([]float32, batch*k*n), make([]float32, batch*m*n)
		for _, x := range [][]float32{a, b} {
			for i := range x {
				x[i] = r.Float32() - 0.5
			}
		}
		args := kerneltest.Execute(r, code, []unsafe.Pointer{unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&y[0])})
		var results [2][]float32
		for i, units := range []int{1, code.Units() - 1} {
			clear(y)
			code.Run(args, 0, 1)
			for lo := 1; lo < code.Units(); lo += units {
				code.Run(args, lo, lo+units)
			}
			results[i] = slices.Clone(y)
		}
		require.Equal(t, results[0], results[1])
		for _, at := range [][3]int{{0, 0, 0}, {0, 2, n - 1}, {1, 1, n / 2}, {1, 2, n - 1}} {
			want := 0.0
			for i := range k {
				want += float64(a[(at[0]*m+at[1])*k+i]) * float64(b[(at[0]*k+i)*n+at[2]])
			}
			require.InDelta(t, want, y[(at[0]*m+at[1])*n+at[2]], 1e-4)
		}
	})
}
