package ops

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestUniqueOfElements compares counting and sorting of elements with the comparison of slices of one element.
func TestUniqueOfElements(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		d     dtype.DType
		scale float64
	}{{dtype.I64, 5}, {dtype.I64, 1e12}, {dtype.I32, 1e9}, {dtype.U8, 40}, {dtype.Bool, 1}, {dtype.F32, 3}, {dtype.BF16, 3},
		{dtype.F64, 1}} {
		x := buf.New(c.d, []int{7, 30})
		for i := range x.Len() {
			v := math.Round(r.NormFloat64() * c.scale)
			switch {
			case c.d.IsFloat() && r.IntN(20) == 0:
				v = math.NaN()
			case c.d == dtype.U8 || c.d == dtype.Bool:
				v = math.Abs(v)
			}
			if c.d.IsFloat() {
				x.SetFloat64(i, v)
			} else {
				x.SetInt64(i, int64(v))
			}
		}
		got := uniqueOf(x, -1, false, true)
		line := buf.New(c.d, []int{210, 2}) // slices of two
		for i := range line.Len() {
			copy(line.Bytes()[i*c.d.Size():], x.Bytes()[i/2*c.d.Size():(i/2+1)*c.d.Size()])
		}
		want := uniqueOf(line, 0, false, true)
		require.Equal(t, want.counts.Bytes(), got.counts.Bytes(), c.d)
		require.Equal(t, want.inverse.Bytes(), got.inverse.Bytes(), c.d)
		require.Equal(t, x.Shape, got.inverse.Shape)
		for i := range got.values.Len() {
			a, b := got.values.Float64(i), want.values.Float64(2*i)
			require.True(t, a == b || a != a && b != b, "%v: %v is not %v", c.d, a, b)
		}
	}
}

// TestNonzero compares with looking at one element after the other.
func TestNonzero(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, d := range []dtype.DType{dtype.Bool, dtype.U8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.F32, dtype.F64} {
		for _, dims := range [][]int{{}, {9}, {0, 3}, {4, 5}, {3, 1, 4}} {
			x := buf.New(d, dims)
			var want []int64
			n := 0
			for i := range x.Len() {
				zero := r.IntN(2) == 0
				switch {
				case !zero:
					x.SetInt64(i, 1)
				case d.IsFloat():
					x.SetFloat64(i, math.Copysign(0, -1))
				}
				if zero {
					continue
				}
				n++
				for k, rest := 0, i; k < len(dims); k++ {
					size := 1
					for _, e := range dims[k+1:] {
						size *= e
					}
					want = append(want, int64(rest/size))
					rest %= size
				}
			}
			got := nonzero(x)
			require.Equal(t, []int{n, len(dims)}, got.Shape)
			require.Equal(t, want, append([]int64(nil), buf.Slice[int64](got)...), "%v %v", d, dims)
		}
	}
}
