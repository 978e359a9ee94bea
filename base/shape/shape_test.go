package shape_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/shape"
)

func TestBroadcast(t *testing.T) {
	for _, c := range []struct{ a, b, want []int }{
		{[]int{2, 3}, []int{3}, []int{2, 3}},
		{[]int{2, 1}, []int{1, 3}, []int{2, 3}},
		{[]int{}, []int{4}, []int{4}},
		{[]int{0, 1}, []int{1, 5}, []int{0, 5}},
		{[]int{3}, []int{2, 1}, []int{2, 3}},
	} {
		for _, swap := range []bool{false, true} {
			a, b := c.a, c.b
			if swap {
				a, b = b, a
			}
			got, err := shape.Broadcast(a, b)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		}
	}
	_, err := shape.Broadcast([]int{2, 3}, []int{4})
	require.EqualError(t, err, "shapes do not broadcast: [2 3] and [4]")
	require.Error(t, shape.BroadcastTo([]int{2}, []int{1}))
}

func TestBroadcastSharesAndLeavesOperandsAlone(t *testing.T) {
	a := []int{2, 3}
	got, err := shape.Broadcast(a, []int{1, 3})
	require.NoError(t, err)
	require.Same(t, &a[0], &got[0])
	b := []int{2, 1}
	_, err = shape.Broadcast(b, []int{1, 3})
	require.NoError(t, err)
	require.Equal(t, []int{2, 1}, b)
}

func TestDims(t *testing.T) {
	got, err := shape.Dims([]int{-1, 0}, 3)
	require.NoError(t, err)
	require.Equal(t, []int{2, 0}, got)
	all, err := shape.Dims(nil, 2)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, all)
	_, err = shape.Dims([]int{0, -2}, 2)
	require.EqualError(t, err, "dimension -2 is named twice")
	_, err = shape.Dim(3, 3)
	require.EqualError(t, err, "dimension 3 is out of range, expected -3 to 2")
	zero, err := shape.Dim(-1, 0)
	require.NoError(t, err)
	require.Zero(t, zero)
}

func TestInfer(t *testing.T) {
	got, err := shape.Infer([]int{4, 6}, []int{3, -1})
	require.NoError(t, err)
	require.Equal(t, []int{3, 8}, got)
	for _, bad := range [][]int{{5, -1}, {-1, -1}, {4, 7}, {-2, 12}} {
		_, err := shape.Infer([]int{4, 6}, bad)
		require.Error(t, err, bad)
	}
}

func TestCheck(t *testing.T) {
	require.NoError(t, shape.Check([]int{0, 1 << 40}))
	require.Error(t, shape.Check([]int{-1}))
	require.Error(t, shape.Check([]int{1 << 30, 1 << 30}))
}

func TestReduce(t *testing.T) {
	require.Equal(t, []int{2, 4}, shape.Reduce([]int{2, 3, 4}, []int{1}, false))
	require.Equal(t, []int{2, 1, 4}, shape.Reduce([]int{2, 3, 4}, []int{1}, true))
	require.Equal(t, []int{12, 4, 1}, shape.Strides([]int{2, 3, 4}))
}

func ExampleBroadcast() {
	s, _ := shape.Broadcast([]int{2, 1}, []int{3})
	fmt.Println(s)
	// Output: [2 3]
}
