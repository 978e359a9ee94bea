package tensor_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestPrintForms: which of the forms of PyTorch's numbers is taken follows from the largest and the least magnitude;
// both sides of each bound.
func TestPrintForms(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for want, x := range map[string]any{
		"[1., nan, -inf]":                  []float32{1, float32(nan), float32(-inf)},
		"[nan, inf]":                       []float32{float32(nan), float32(inf)},
		"[   1., 1000.]":                   []float32{1, 1000},
		"[1.0000e+00, 1.0010e+03]":         []float32{1, 1001},
		"[100000000.]":                     []float32{1e8},
		"[2.0000e+08]":                     []float32{2e8},
		"[1.0000e-04]":                     []float64{0.00009999999},
		"[0.0001]":                         []float64{0.0001001},
		"[0.0000, 0.5000]":                 []float32{0, 0.5},
		"[-0.5000,  2.0000]":               []float32{-0.5, 2},
		"[0., 0.]":                         []float32{0, 0},
		"[-0., 1.]":                        []float32{float32(math.Copysign(0, -1)), 1},
		"[1.5000+2.0000j, 0.2500-1.0000j]": []complex64{1.5 + 2i, 0.25 - 1i},
		"[  7, -12]":                       []int32{7, -12},
		"[False]":                          []bool{false},
		"[9007199254740993]":               []int64{1<<53 + 1},
	} {
		text, _, _ := strings.Cut(tensor.Of(x).String(), ", dtype")
		require.Equal(t, "tensor("+want, strings.TrimSuffix(text, ")"))
	}
}

// TestPrintSuffixes: what is no default stands after the elements.
func TestPrintSuffixes(t *testing.T) {
	device := acap.Device().Name()
	for want, x := range map[string]*tensor.Tensor{
		"tensor(1.)": tensor.Of(float32(1)), "tensor(1)": tensor.Of(int64(1)), "tensor(True)": tensor.Of(true),
		"tensor([1.], requires_grad=True)":                        tensor.Ones(1).RequiresGrad(),
		"tensor([], dtype=torch.int64)":                           tensor.Of([]int64{}),
		"tensor([], size=(2, 0), dtype=torch.bool)":               tensor.FullLike(0, dtype.Bool, 2, 0),
		"tensor([1.], device='" + device + "')":                   tensor.Ones(1).To(acap.Device()),
		"tensor([1], device='" + device + "', dtype=torch.int32)": tensor.Of([]int32{1}).To(acap.Device()),
	} {
		require.Equal(t, want, x.String())
	}
	require.Equal(t, "tensor f32[2 3] on host, computed", fmt.Sprintf("%#v", tensor.Ones(2, 3)))
	require.Equal(t, "tensor f32[2] on "+device+", pending", fmt.Sprintf("%#v", tensor.Ones(2).To(acap.Device()).Add(tensor.Ones(2).To(acap.Device()))))
	var none *tensor.Tensor
	require.Equal(t, "tensor nil", fmt.Sprintf("%#v", none))
	require.Equal(t, "tensor nil", fmt.Sprintf("%#v", new(tensor.Tensor)))
}

// TestPrintLimits: a tensor of 1000 elements is shown as a whole, of one with more three at each end of a dimension of
// more than six; a line has at most 80 columns.
func TestPrintLimits(t *testing.T) {
	whole := tensor.Call("arange", 1000)[0].String()
	require.NotContains(t, whole, "...")
	require.Equal(t, 1000, strings.Count(whole, ",")+1)
	lines := strings.Split(whole, "\n")
	for _, line := range lines[:len(lines)-1] {
		require.LessOrEqual(t, len(line), 80)
		require.Greater(t, len(line), 80-len("999, "), "another number fits")
	}
	require.Equal(t, "tensor([   0,    1,    2,  ...,  998,  999, 1000])", tensor.Call("arange", 1001)[0].String())
	text := tensor.Zeros(7, 6, 30).String() // 6 is not more than twice 3
	require.Equal(t, 6*6, strings.Count(text, "0., 0., 0.,  ..., 0., 0., 0."))
	require.Equal(t, 1, strings.Count(text, ",\n\n        ...,\n\n"))
	require.NotContains(t, tensor.Zeros(10, 10, 10).String(), "...")
	rows := tensor.Call("arange", 30)[0].String()
	require.Equal(t, "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"+
		"        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])", rows)
}

// TestTables: a table shows 20 rows and columns of the first matrix, and says where there are more.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		dims       []int
		rows, cols int
		more       int // ellipses
	}{
		{nil, 1, 1, 0}, {[]int{20}, 1, 20, 0}, {[]int{21}, 1, 20, 1}, {[]int{20, 3}, 20, 3, 0}, {[]int{21, 3}, 20, 3, 1},
		{[]int{2, 20, 20}, 20, 20, 0}, {[]int{2, 21, 21}, 20, 20, 21}, {[]int{0, 3}, 0, 0, 0},
	} {
		page := tensor.Ones(c.dims...).SimpleRender()["text/html"].(string)
		require.Equal(t, c.rows*c.cols, strings.Count(page, "<td>1</td>"), "%v", c.dims)
		require.Equal(t, c.more, strings.Count(page, "<td>…</td>"), "%v", c.dims)
	}
	page := tensor.Of([][]float32{{1.5, 2}, {-3, 123456}}).SimpleRender()["text/html"].(string)
	require.Contains(t, page, "<code>f32[2 2] on host</code><table><tr><td>1.5</td><td>2</td></tr><tr><td>-3</td><td>1.235e+05</td></tr></table>")
}
