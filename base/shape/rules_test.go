package shape_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/shape"
)

// shapes are all shapes of up to three dimensions with extents from 0 to 3.
func shapes() [][]int {
	list := [][]int{{}}
	for i := 0; i < len(list); i++ {
		if len(list[i]) < 3 {
			for n := range 4 {
				list = append(list, append(slices.Clone(list[i]), n))
			}
		}
	}
	return list
}

// TestBroadcastOfAll compares with the rule: counted from the last dimension, extents are equal or one of them is 1 or
// missing.
func TestBroadcastOfAll(t *testing.T) {
	all := shapes()
	for _, a := range all {
		for _, b := range all {
			want := make([]int, max(len(a), len(b)))
			fit := true
			for i := range want {
				x, y := 1, 1
				if k := len(a) - len(want) + i; k >= 0 {
					x = a[k]
				}
				if k := len(b) - len(want) + i; k >= 0 {
					y = b[k]
				}
				fit = fit && (x == y || x == 1 || y == 1)
				if want[i] = x; x == 1 {
					want[i] = y
				}
			}
			got, err := shape.Broadcast(a, b)
			require.Equal(t, fit, err == nil, "%v and %v", a, b)
			if fit {
				require.True(t, slices.Equal(want, got), "%v and %v: %v", a, b, got)
			} else {
				require.EqualError(t, err, "shapes do not broadcast: "+shape.String(a)+" and "+shape.String(b))
			}
			err = shape.BroadcastTo(b, a)
			require.Equal(t, fit && slices.Equal(want, a), err == nil, "%v to %v", b, a)
			if err != nil {
				require.EqualError(t, err, "shape does not expand to the other: "+shape.String(b)+" and "+shape.String(a))
			}
		}
	}
}

// TestSizesOfAll: the number of elements is what the strides of a shape without empty dimensions count.
func TestSizesOfAll(t *testing.T) {
	for _, s := range shapes() {
		want := 1
		for _, n := range s {
			want *= n
		}
		require.Equal(t, want, shape.Size(s))
		count, err := shape.Count(s)
		require.NoError(t, err)
		require.Equal(t, want, count)
		strides := shape.Strides(s)
		require.Len(t, strides, len(s))
		below := 1
		for i := len(s) - 1; i >= 0; i-- {
			require.Equal(t, below, strides[i])
			below *= max(s[i], 1)
		}
		for keep := range 2 {
			for mask := range 1 << len(s) {
				var dims, want []int
				for i, n := range s {
					switch {
					case mask>>i&1 == 0:
						want = append(want, n)
					case keep == 1:
						want = append(want, 1)
					}
					if mask>>i&1 == 1 {
						dims = append(dims, i)
					}
				}
				require.True(t, slices.Equal(want, shape.Reduce(s, dims, keep == 1)))
			}
		}
	}
	for _, c := range []struct {
		s    []int
		want string
	}{
		{[]int{1 << 48}, ""}, {[]int{1<<48 + 1}, "tensor is too large: [281474976710657]"}, {[]int{1 << 24, 1 << 24}, ""}, {[]int{1 << 24, 1<<24 + 1}, "tensor is too large: [16777216 16777217]"},
		{[]int{1 << 32, 1 << 32}, "tensor is too large: [4294967296 4294967296]"}, {[]int{1 << 40, 0, 1 << 8}, ""}, {[]int{0, -1}, "extents must not be negative: [0 -1]"},
		{[]int{0, 1 << 49}, "tensor is too large: [0 562949953421312]"},
	} {
		if err := shape.Check(c.s); c.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.want)
		}
	}
}

// TestDimsOfAll: each number has one dimension, of a scalar as of one dimension, and others are refused.
func TestDimsOfAll(t *testing.T) {
	for rank := range 4 {
		n := max(rank, 1)
		for d := -5; d < 5; d++ {
			got, err := shape.Dim(d, rank)
			if d < -n || d >= n {
				var wrong *shape.DimError
				require.True(t, errors.As(err, &wrong))
				require.Equal(t, shape.DimError{Dim: d, Rank: rank}, *wrong)
				_, err = shape.Dims([]int{0, d}, rank)
				require.Error(t, err)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, (d+n)%n, got)
			_, err = shape.Dims([]int{got, d}, rank)
			require.EqualError(t, err, fmt.Sprintf("dimension %d is named twice", d))
			list, err := shape.Dims([]int{d, 0}, rank)
			if got == 0 {
				require.EqualError(t, err, "dimension 0 is named twice")
			} else {
				require.NoError(t, err)
				require.Equal(t, []int{got, 0}, list)
			}
		}
	}
	require.EqualError(t, &shape.DimError{Dim: 4, Rank: 0}, "dimension 4 is out of range, expected -1 to 0")
}

// TestInferOfAll: the extent that is left open is the one that keeps the size, if there is exactly one.
func TestInferOfAll(t *testing.T) {
	all := shapes()
	for _, from := range all {
		for _, to := range all {
			got, err := shape.Infer(from, to)
			require.Equal(t, shape.Size(from) == shape.Size(to), err == nil, "%v to %v", from, to)
			require.True(t, err != nil || slices.Equal(got, to))
			for hole := range to {
				open := slices.Clone(to)
				open[hole] = -1
				rest := 1
				for i, n := range to {
					if i != hole {
						rest *= n
					}
				}
				got, err := shape.Infer(from, open)
				if rest == 0 || shape.Size(from)%rest != 0 {
					require.EqualError(t, err, "shape does not divide the size of the input: "+shape.String(from)+" and "+shape.String(open))
					continue
				}
				require.NoError(t, err)
				require.Equal(t, shape.Size(from)/rest, got[hole])
				require.Equal(t, -1, open[hole], "the argument stays")
			}
		}
	}
	_, err := shape.Infer([]int{4}, []int{-1, -1})
	require.EqualError(t, err, "only one extent may be -1: [4] and [-1 -1]")
	_, err = shape.Infer([]int{4}, []int{-2, -2})
	require.EqualError(t, err, "only one extent may be -1: [4] and [-2 -2]")
	_, err = shape.Infer([]int{4}, []int{3})
	require.EqualError(t, err, "shape is invalid for the size of the input: [4] and [3]")
}
