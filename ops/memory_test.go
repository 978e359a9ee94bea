package ops_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestAsStridedOfViews: sizes and strides are those in the memory under a view, from where the view begins. The
// elements of 0 … 29 in five rows that PyTorch 2.14 takes; as_strided_scatter of 100, 101, … there, as the sum of its
// elements times 1, 2, …, or -1 where it is refused; and the same sum of the base after what is taken was multiplied by
// -1.
func TestAsStridedOfViews(t *testing.T) {
	type step struct {
		op   string
		args []any
	}
	for _, c := range []struct {
		views     []step
		at        []any
		want      string
		scattered int64
		written   int64
	}{
		{[]step{{"transpose.int", []any{0, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "1 6 3 8 5 10", 10972, 8454},
		{[]step{{"transpose.int", []any{0, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 8987, 8070},
		{[]step{{"transpose.int", []any{0, 1}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", 10179, 8922},
		{[]step{{"transpose.int", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", 15640, 8586},
		{[]step{{"transpose.int", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 12932, 8070},
		{[]step{{"slice.Tensor", []any{1, 1, 4}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{2, 2}, []int{1, 3}}, "7 10 8 11", 1885, 8250},
		{[]step{{"slice.Tensor", []any{1, 1, 4}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{3, 2}, []int{2, 5}}, "1 6 3 8 5 10", 3763, 8454},
		{[]step{{"slice.Tensor", []any{1, 1, 4}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 3470, 8070},
		{[]step{{"slice.Tensor", []any{1, 1, 4}}}, []any{[]int{2, 2}, []int{1, 3}}, "1 4 2 5", 2529, 8874},
		{[]step{{"slice.Tensor", []any{0, 2, 4, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "18 23 20 25 22 27", 1654, 2538},
		{[]step{{"slice.Tensor", []any{0, 2, 4, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 448, 8070},
		{[]step{{"slice.Tensor", []any{0, 2, 4, 1}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "12 15 13 16", 3193, 7290},
		{[]step{{"slice.Tensor", []any{0, 2, 4, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "12 17 14 19 16 21", 4316, 5418},
		{[]step{{"slice.Tensor", []any{0, 2, 4, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 1688, 8070},
		{[]step{{"select.int", []any{0, -1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 415, 8070},
		{[]step{{"select.int", []any{0, -1}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 574, 8070},
		{[]step{{"select.int", []any{0, -1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 574, 8070},
		{[]step{{"narrow", []any{1, 2, 3}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{2, 2}, []int{1, 3}}, "8 11 9 12", 1960, 8090},
		{[]step{{"narrow", []any{1, 2, 3}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{3, 2}, []int{2, 5}}, "2 7 4 9 6 11", 3864, 8298},
		{[]step{{"narrow", []any{1, 2, 3}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 2674, 8070},
		{[]step{{"narrow", []any{1, 2, 3}}}, []any{[]int{2, 2}, []int{1, 3}}, "2 5 3 6", 2646, 8810},
		{[]step{{"diagonal", []any{1, 0, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "8 13 10 15 12 17", 488, 6858},
		{[]step{{"diagonal", []any{1, 0, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 220, 8070},
		{[]step{{"diagonal", []any{1, 0, 1}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "1 4 2 5", 394, 8874},
		{[]step{{"diagonal", []any{1, 0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "1 6 3 8 5 10", 584, 8454},
		{[]step{{"diagonal", []any{1, 0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 295, 8070},
		{[]step{{"as_strided", []any{[]int{4, 3}, []int{7, 2}, 3}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{2, 2}, []int{1, 3}}, "10 13 11 14", 1350, 7722},
		{[]step{{"as_strided", []any{[]int{4, 3}, []int{7, 2}, 3}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{3, 2}, []int{2, 5}}, "3 8 5 10 7 12", 3577, 8118},
		{[]step{{"as_strided", []any{[]int{4, 3}, []int{7, 2}, 3}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 2215, 8070},
		{[]step{{"as_strided", []any{[]int{4, 3}, []int{7, 2}, 3}}}, []any{[]int{2, 2}, []int{1, 3}}, "3 6 4 7", 1925, 8730},
		{[]step{{"unfold", []any{1, 3, 2}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "6 11 8 13 10 15", 9258, 7434},
		{[]step{{"unfold", []any{1, 3, 2}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 7598, 8070},
		{[]step{{"unfold", []any{1, 3, 2}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", 12498, 8922},
		{[]step{{"unfold", []any{1, 3, 2}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", 11959, 8586},
		{[]step{{"unfold", []any{1, 3, 2}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 11751, 8070},
		{[]step{{"view", []any{[]int{5, 2, 3}}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{2, 2}, []int{1, 3}}, "6 9 7 10", 7517, 8394},
		{[]step{{"view", []any{[]int{5, 2, 3}}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", 15535, 8586},
		{[]step{{"view", []any{[]int{5, 2, 3}}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 12802, 8070},
		{[]step{{"view", []any{[]int{5, 2, 3}}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", 10179, 8922},
		{[]step{{"split.Tensor", []any{2, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "6 11 8 13 10 15", 1134, 7434},
		{[]step{{"split.Tensor", []any{2, 1}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 1226, 8070},
		{[]step{{"split.Tensor", []any{2, 1}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", 1526, 8922},
		{[]step{{"split.Tensor", []any{2, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", 1414, 8586},
		{[]step{{"split.Tensor", []any{2, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 1842, 8070},
		{[]step{{"squeeze", []any{}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{2, 2}, []int{1, 3}}, "6 9 7 10", 7517, 8394},
		{[]step{{"squeeze", []any{}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", 15640, 8586},
		{[]step{{"squeeze", []any{}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 12932, 8070},
		{[]step{{"squeeze", []any{}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", 10179, 8922},
		{[]step{{"expand", []any{[]int{2, 5, 6}}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", 12194, 8586},
		{[]step{{"expand", []any{[]int{2, 5, 6}}}, {"slice.Tensor", []any{0, 1}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 13006, 8070},
		{[]step{{"expand", []any{[]int{2, 5, 6}}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", -1, 8922},
		{[]step{{"expand", []any{[]int{2, 5, 6}}}}, []any{[]int{3, 2}, []int{2, 5}}, "0 5 2 7 4 9", -1, 8586},
		{[]step{{"expand", []any{[]int{2, 5, 6}}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", -1, 8070},
		{[]step{{"slice.Tensor", []any{0, 2, 2}}}, []any{[]int{2, 2}, []int{1, 3}}, "12 15 13 16", 0, 7290},
		{[]step{{"slice.Tensor", []any{1, 4, 2}}}, []any{[]int{3, 2}, []int{2, 5}}, "4 9 6 11 8 13", 0, 7914},
		{[]step{{"slice.Tensor", []any{0, 3, 1}}, {"transpose.int", []any{-1, 0}}}, []any{[]int{2, 2}, []int{1, 3}}, "18 21 19 22", 0, 5610},
		{[]step{{"slice.Tensor", []any{0, 2, 2}}}, []any{[]int{4}, []int{2}, 7}, "7 9 11 13", 0, 8070},
		{[]step{{"select.int", []any{0, 2}}, {"expand", []any{[]int{1, 6}}}}, []any{[]int{3, 2}, []int{2, 5}}, "12 17 14 19 16 21", 1618, 5418},
		{[]step{{"view", []any{[]int{30}}}, {"expand", []any{[]int{1, 30}}}}, []any{[]int{2, 2}, []int{1, 3}}, "0 3 1 4", 10179, 8922},
	} {
		what := fmt.Sprint(c.views, c.at)
		x := tensor.Arange(30).View([]int{5, 6}).Clone()
		y := x
		for _, s := range c.views {
			y = tensor.Call(s.op, append([]any{y}, s.args...)...)[0]
		}
		z := tensor.Call("as_strided", append([]any{y}, c.at...)...)[0]
		require.Equal(t, c.want, strings.Trim(fmt.Sprint(z.Int64s()), "[]"), what)
		require.Equal(t, z.Int64s(), tensor.Call("as_strided_copy", append([]any{y}, c.at...)...)[0].Int64s(), what)
		src := tensor.Arange(z.NumElements()).AddScalar(100).View(z.Shape())
		scatter := func() *tensor.Tensor {
			return tensor.Call("as_strided_scatter", append([]any{y, src}, c.at...)...)[0]
		}
		if c.scattered < 0 {
			require.ErrorContains(t, tensor.Try(func() { scatter() }), "self is a view that has elements more than once", what)
		} else {
			require.Equal(t, c.scattered, weighted(scatter()), what)
		}
		tensor.Call("mul_.Scalar", z, -1)
		require.Equal(t, c.written, weighted(x), what)
	}
}

// weighted is the sum of the elements times 1, 2, ….
func weighted(x *tensor.Tensor) (sum int64) {
	for i, v := range x.Int64s() {
		sum += int64(i+1) * v
	}
	return sum
}

// TestMemoryOfOtherElements: what lies in the memory of elements of another size is refused.
func TestMemoryOfOtherElements(t *testing.T) {
	z := tensor.Call("view.dtype", tensor.Ones(2, 2), dtype.I16)[0]
	err := tensor.Try(func() { tensor.Call("as_strided", z, []int{2}, []int{1}) })
	require.ErrorContains(t, err, "its elements do not lie in a known order: clone it first")
	err = tensor.Try(func() { tensor.Call("as_strided_", tensor.Call("t", tensor.Ones(2, 2))[0], []int{2}, []int{1}) })
	require.ErrorContains(t, err, "self is a view and shares the memory of another tensor")
}

// TestAsStridedOfDetached: no gradient flows through as_strided of a detached tensor, whose memory it shares.
func TestAsStridedOfDetached(t *testing.T) {
	x := tensor.FromSlice([]float32{1, 2, 4}).RequiresGrad()
	y := x.MulScalar(3)
	for _, name := range []string{"as_strided", "as_strided_copy"} {
		z := tensor.Call(name, y.Detach(), []int{2}, []int{1}, 0)[0]
		require.False(t, z.NeedsGrad(), name)
		require.Equal(t, []float64{3, 6}, z.Float64s(), name)
	}
	tensor.Call("mul_.Scalar", tensor.Call("as_strided", y.Detach(), []int{2}, []int{1}, 0)[0], 10)
	require.Equal(t, []float64{30, 60, 12}, y.Float64s())
	require.Equal(t, []float64{3, 3, 3}, tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{x}, nil)[0].Float64s())
}

// TestSharedResults: the results of operators that only show their operands otherwise share memory with them, as in
// PyTorch 2.14, whatever their schemas say.
func TestSharedResults(t *testing.T) {
	for _, c := range []struct {
		op   string
		list bool
		rest []any
	}{{"atleast_2d", false, nil}, {"atleast_3d", false, nil}, {"atleast_1d.Sequence", true, nil}, {"atleast_3d.Sequence", true, nil},
		{"broadcast_tensors", true, nil}, {"meshgrid", true, nil}, {"meshgrid.indexing", true, []any{"xy"}}} {
		x := tensor.FromSlice([]float32{1, 2}).RequiresGrad()
		y := x.MulScalar(3)
		args := append([]any{y}, c.rest...)
		if c.list {
			args[0] = []*tensor.Tensor{y}
		}
		z := tensor.Call(c.op, args...)[0]
		tensor.Call("mul_.Scalar", y, 5)
		require.Equal(t, []float64{15, 30}, z.Float64s(), c.op)
		tensor.Call("add_.Scalar", z, 1)
		require.Equal(t, []float64{16, 31}, y.Float64s(), c.op)
		require.Equal(t, []float64{15, 15}, tensor.Grad([]*tensor.Tensor{z.Sum()}, []*tensor.Tensor{x}, nil)[0].Float64s(), c.op)
	}
}
