package portable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// TestSort compares with a stable sort of the standard library: short lines and long
// ones, few places and all, from the first on and from the middle, with many ties, NaNs
// and integers whose words differ.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.I64, dtype.I32, dtype.I16,
		dtype.I8, dtype.U8, dtype.Bool} {
		for _, n := range []int{1, 2, 33, 100, 1400} {
			for _, places := range [][2]int{{0, n}, {0, (n + 9) / 10}, {0, (n + 99) / 100}, {n / 2, 1}, {n / 3, n - n/3},
				{n / 14, n / 20}} {
				for variant := range 4 {
					k := &kernel.Sort{Name: "k", Lines: kernel.Lines{Outer: 2, N: n, Inner: 1 + variant%2},
						First: places[0], Count: places[1], Descending: variant >= 2,
						Unsigned: variant == 1 && !d.IsFloat() && d != dtype.U8 && d != dtype.Bool}
					x := sortable(r, d, k.Lines.Elements(), n)
					checkSort(t, k, x, fmt.Sprintf("%s %+v", d, *k))
				}
			}
		}
	}
}

// sortable draws elements with ties.
func sortable(r *rand.Rand, d dtype.DType, count, n int) *buf.Buffer {
	x := buf.New(d, []int{count})
	special := []float64{math.NaN(), math.Copysign(math.NaN(), -1), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}
	for i := range count {
		switch v := r.IntN(n) - n/2; {
		case d == dtype.Bool:
			x.SetInt64(i, int64(v&1))
		case !d.IsFloat() && d.Size() == 8 && r.IntN(2) == 0:
			x.SetInt64(i, int64(v)<<33)
		case !d.IsFloat():
			x.SetInt64(i, int64(v))
		case n == 100 && r.IntN(100) > 0: // some lines have hardly a number
			x.SetFloat64(i, math.NaN())
		case r.IntN(10) == 0:
			x.SetFloat64(i, special[r.IntN(len(special))])
		default:
			x.SetFloat64(i, float64(v)/8)
		}
	}
	return x
}

func checkSort(t *testing.T, k *kernel.Sort, x *buf.Buffer, what string) {
	t.Helper()
	picked := k.With(k.Count).Elements()
	values, positions := buf.New(x.DType, []int{picked}), buf.New(dtype.I64, []int{picked})
	k.X, k.Values = kernel.Port{DType: x.DType, Len: x.Len()}, kernel.Port{DType: x.DType, Len: picked, Write: true}
	k.Positions = kernel.Port{DType: dtype.I64, Len: picked, Write: true}
	require.NoError(t, kernel.Verify(k))
	code := compileSort(k, false)
	args := kernel.Args{Ptr: []unsafe.Pointer{x.Pointer(), values.Pointer(), positions.Pointer()}}
	code.Run(&args, 0, code.Units())
	for line := range k.Outer * k.Inner {
		at := func(n, i int) int { return line/k.Inner*n*k.Inner + i*k.Inner + line%k.Inner }
		order := make([]int, k.N)
		for i := range order {
			order[i] = i
		}
		sort.SliceStable(order, func(a, b int) bool {
			i, j := at(k.N, order[a]), at(k.N, order[b])
			if k.Descending {
				i, j = j, i
			}
			return comesBefore(k, x, i, j)
		})
		for i := range k.Count {
			want := order[k.First+i]
			if got := positions.Int64(at(k.Count, i)); got != int64(want) {
				require.Failf(t, what, "line %d: place %d is from %d, want %d", line, k.First+i, got, want)
			}
			a, b := x.Float64(at(k.N, want)), values.Float64(at(k.Count, i))
			require.True(t, a == b || a != a && b != b, "%s: %v, want %v", what, b, a)
		}
	}
}

func comesBefore(k *kernel.Sort, x *buf.Buffer, i, j int) bool {
	if x.DType.IsFloat() {
		a, b := x.Float64(i), x.Float64(j)
		return a < b || a == a && b != b
	}
	a, b := x.Int64(i), x.Int64(j)
	if k.Unsigned { // of narrow types the sign extends, which keeps the order
		return uint64(a) < uint64(b)
	}
	return a < b
}
