package shape_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/shape"
)

func ExamplePoints() {
	err := shape.Points([]int{2, 2}, func(point []int) error {
		fmt.Println(point)
		return nil
	})
	fmt.Println(err)
	// Output:
	// [0 0]
	// [0 1]
	// [1 0]
	// [1 1]
	// <nil>
}

func TestPoints(t *testing.T) {
	count := func(extents ...int) (n int) {
		require.NoError(t, shape.Points(extents, func([]int) error { n++; return nil }))
		return n
	}
	require.Equal(t, 24, count(2, 3, 4))
	require.Equal(t, 1, count())
	require.Zero(t, count(2, 0, 4))
	stop := errors.New("stop")
	n := 0
	require.ErrorIs(t, shape.Points([]int{5}, func([]int) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	}), stop)
	require.Equal(t, 3, n)
}
