package scatter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// scatterOf makes a scatter of updates at indices into a target, of the given extents.
func scatterOf(d dtype.DType, fold kernel.FoldKind, axis int, updates, index, into []int) *kernel.Scatter {
	port := func(d dtype.DType, dims []int, write bool) kernel.Port {
		return kernel.Port{DType: d, Len: shape.Size(dims), Write: write}
	}
	return &kernel.Scatter{Name: "k", Fold: fold, Axis: axis, Extents: updates, IndexExtents: index, IntoExtents: into,
		Updates: port(d, updates, false), Index: port(dtype.I64, index, false),
		Into: port(d, into, false), Result: port(d, into, true)}
}

// run runs a code on all units, in two parts, and returns the result and whether it faulted.
func run(code kernel.Code, d dtype.DType, operands []*buf.Buffer) (*buf.Buffer, bool) {
	out := buf.New(d, operands[2].Shape)
	scratch := buf.Aligned(code.Scratch() + 64)
	args := kernel.Args{Scratch: unsafe.Pointer(&scratch[0])}
	for _, b := range append(slices.Clone(operands), out) {
		args.Ptr = append(args.Ptr, b.Pointer())
	}
	n := code.Units()
	code.Run(&args, n/2, n)
	code.Run(&args, 0, n/2)
	return out, args.Fault != 0
}

// TestBits: on every level the code gives the bits of the portable back end, however the
// updates lie, and faults as it does.
func TestBits(t *testing.T) {
	levels := kerneltest.Levels()
	if len(levels) == 0 {
		t.Skip("no generated code on this system")
	}
	r := rand.New(rand.NewPCG(5, 6))
	compiled := 0
	for _, f := range levels {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64, dtype.I8, dtype.BF16} {
			for fold := kernel.FoldAdd; fold < kernel.FoldLogAddExp; fold++ {
				for _, c := range []struct {
					axis                 int
					updates, index, into []int
				}{
					{0, []int{100}, []int{100}, []int{7}},
					{0, []int{2*eachCall + 3}, []int{2*eachCall + 3}, []int{1000}},
					{0, []int{9}, []int{1}, []int{7}},
					{1, []int{3, 50}, []int{3, 50}, []int{4, 60}},
					{0, []int{31, 5}, []int{31, 5}, []int{8, 6}},
					{0, []int{31, 133}, []int{31, 1}, []int{8, 133}},
					{0, []int{3, eachCall + 9}, []int{3, eachCall + 9}, []int{2, eachCall + 9}},
					{1, []int{2, 6, 3, 67}, []int{1, 6, 1, 1}, []int{3, 5, 4, 70}},
					{1, []int{2, 6, 3, 5}, []int{2, 6, 3, 1}, []int{2, 4, 3, 5}},
				} {
					k := scatterOf(d, fold, c.axis, c.updates, c.index, c.into)
					code, err := Compile(k, emit.Backend(f))
					if err != nil {
						require.ErrorIs(t, err, kernel.ErrUnsupported)
						continue
					}
					compiled++
					for _, beyond := range []int{0, 1} {
						if !kerneltest.Executes(f) {
							break
						}
						compare(t, r, k, code, c.into[c.axis]+beyond, fmt.Sprint(f.Level, k, beyond))
					}
					code.Close()
				}
			}
		}
	}
	require.NotZero(t, compiled)
}

// compare runs a code and the portable one with indices below limit.
func compare(t *testing.T, r *rand.Rand, k *kernel.Scatter, code kernel.Code, limit int, what string) {
	t.Helper()
	require.NoError(t, kernel.Verify(k))
	d := k.Into.DType
	operands := []*buf.Buffer{buf.New(d, k.Extents), buf.New(dtype.I64, k.IndexExtents), buf.New(d, k.IntoExtents)}
	for _, b := range []*buf.Buffer{operands[0], operands[2]} {
		for i := range b.Len() {
			if d.IsFloat() {
				b.SetFloat64(i, []float64{r.NormFloat64(), r.NormFloat64(), math.Inf(1), math.NaN()}[r.IntN(4)])
			} else {
				b.SetInt64(i, int64(r.Uint64()))
			}
		}
	}
	for i := range operands[1].Len() {
		operands[1].SetInt64(i, int64(r.IntN(limit)))
	}
	if limit > k.IntoExtents[k.Axis] { // one is outside for sure
		operands[1].SetInt64(r.IntN(operands[1].Len()), []int64{-1, math.MinInt64, int64(limit - 1)}[r.IntN(3)])
	}
	reference, err := portable.Compile(k)
	require.NoError(t, err)
	want, fault := run(reference, d, operands)
	got, have := run(code, d, operands)
	require.Equal(t, fault, have, what)
	require.Equal(t, limit > k.IntoExtents[k.Axis], have, what)
	if !fault {
		for i := range want.Len() { // a NaN may be another one
			same := want.Int64(i) == got.Int64(i)
			if d.IsFloat() {
				x, y := want.Float64(i), got.Float64(i)
				same = x == y && math.Signbit(x) == math.Signbit(y) || x != x && y != y
			}
			require.True(t, same, "%s: element %d", what, i)
		}
	}
}

// TestTimeInPlace: what is written where the target lies takes no time for the rest of the target.
func TestTimeInPlace(t *testing.T) {
	k := scatterOf(dtype.F32, kernel.FoldAssign, 1, []int{4, 1, 64}, []int{1, 1, 1}, []int{4, 4096, 64})
	for _, f := range kerneltest.Levels() {
		compiled, err := Compile(k, emit.Backend(f))
		require.NoError(t, err)
		defer compiled.Close()
		code, memory := compiled.(kernel.Overwriter), make([]float32, 2)
		on := func(result int) float64 {
			return code.UnitNanosOn(&kernel.Args{Ptr: []unsafe.Pointer{nil, nil, unsafe.Pointer(&memory[0]), unsafe.Pointer(&memory[result])}})
		}
		require.Equal(t, code.UnitNanos(), on(1))
		require.Less(t, on(0), code.UnitNanos()/100)
	}
}
