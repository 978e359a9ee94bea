package ops_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// TestMaxBackwardPlaces: gradients of maxima are added at their places, which need not lie inside of the windows, and
// one whose place is -1 nowhere. The gradients 1, 2, … at the places that are not 0, as PyTorch 2.14 gives them.
func TestMaxBackwardPlaces(t *testing.T) {
	for _, c := range []struct {
		op      string
		out, in []int
		places  []int64
		window  bool
		want    map[int]float64
	}{
		{"max_pool2d_with_indices_backward", []int{1, 2, 2}, []int{1, 4, 4}, []int64{0, 0, 15, 5}, true, map[int]float64{0: 3, 5: 4, 15: 3}},
		{"max_pool2d_with_indices_backward", []int{1, 2, 2}, []int{1, 4, 4}, []int64{0, -1, 15, 5}, true, map[int]float64{0: 1, 5: 4, 15: 3}},
		{"max_pool2d_with_indices_backward", []int{1, 2, 2}, []int{1, 4, 4}, []int64{15, 15, 15, 15}, true, map[int]float64{15: 10}},
		{"max_pool2d_with_indices_backward", []int{2, 2, 1, 1}, []int{2, 2, 2, 2}, []int64{0, 3, 3, 1}, true, map[int]float64{0: 1, 7: 2, 11: 3, 13: 4}},
		{"max_pool3d_with_indices_backward", []int{1, 1, 1, 2}, []int{1, 2, 2, 4}, []int64{15, 3}, true, map[int]float64{3: 2, 15: 1}},
		{"max_pool3d_with_indices_backward", []int{1, 1, 1, 2}, []int{1, 2, 2, 4}, []int64{4, 4}, true, map[int]float64{4: 3}},
		{"max_pool3d_with_indices_backward", []int{1, 1, 1, 2}, []int{1, 2, 2, 4}, []int64{15, -1}, true, map[int]float64{15: 1}},
		{"adaptive_max_pool2d_backward", []int{1, 2, 2}, []int{1, 4, 4}, []int64{0, 0, 15, 5}, false, map[int]float64{0: 3, 5: 4, 15: 3}},
		{"adaptive_max_pool2d_backward", []int{2, 2, 1, 1}, []int{2, 2, 2, 2}, []int64{0, 3, 3, 1}, false, map[int]float64{0: 1, 7: 2, 11: 3, 13: 4}},
		{"adaptive_max_pool3d_backward", []int{1, 1, 1, 2}, []int{1, 2, 2, 4}, []int64{15, 3}, false, map[int]float64{3: 2, 15: 1}},
	} {
		grad := tensor.FromSlice([]float32{1, 2, 3, 4}[:len(c.places)], c.out...)
		args := []any{grad, tensor.Zeros(c.in...)}
		if c.window {
			args = append(args, 2, 2, 0, 1, false)
		}
		args = append(args, tensor.FromSlice(c.places, c.out...))
		got := map[int]float64{}
		for i, v := range tensor.Call(c.op, args...)[0].Float64s() {
			if v != 0 {
				got[i] = v
			}
		}
		require.Equal(t, c.want, got, fmt.Sprint(c.op, c.places))
	}
}
