package describe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// pooling takes the largest of windows of some images, next to each other by a step.
func pooling(images, outputs, window, step int) *kernel.Nest {
	side := (outputs-1)*step + window
	return &kernel.Nest{Name: "pool", Outer: []int{images, outputs, outputs}, Inner: []int{window, window},
		Access: []kernel.Access{
			{Port: port(images*side*side, false), Outer: []int{side * side, step * side, step}, Inner: []int{side, 1}},
			{Port: port(images*outputs*outputs, true), Outer: []int{outputs * outputs, outputs, 1}, Inner: []int{0, 0}},
		}, Stages: []kernel.Stage{
			{Body: kernel.Body{{Op: kernel.Load, Type: dtype.F32}},
				Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: dtype.F32}}},
			{Once: true, Body: kernel.Body{{Op: kernel.Acc, Type: dtype.F32},
				{Op: kernel.Store, Type: dtype.F32, Port: 1}}},
		}}
}

// TestWindows checks rows of windows: the work is the work of all points, little more than the array is read, whatever
// the window, and the memory of a core is bounded.
func TestWindows(t *testing.T) {
	for _, c := range [][4]int{{4, 56, 3, 2}, {8, 28, 3, 1}, {16, 7, 3, 1}, {2, 16, 2, 2}, {1, 40, 5, 1}} {
		k := pooling(c[0], c[1], c[2], c[3])
		w, err := describe.Kernel("pool", k)
		require.NoError(t, err)
		n := &w.Normalize
		require.Equal(t, workload.KindNormalize, w.Kind)
		require.Equal(t, c[1], n.Line, "results of a row of the image lie side by side")
		require.Equal(t, c[0]*c[1]*c[1]*c[2]*c[2], n.Rows*n.Cols, "all windows")
		require.Less(t, n.Rows, c[0]*c[1]*c[1], "%v: some results share a row", c)
		row := n.In[0].Walk.Row()
		require.LessOrEqual(t, row*4, 8<<10)
		require.LessOrEqual(t, float64(n.Rows*row), 1.6*float64(k.Access[0].Len), "%v", c)
	}
	many, few := pooling(96, 56, 3, 2), pooling(4, 56, 3, 2)
	w, err := describe.Kernel("many rows", many)
	require.NoError(t, err)
	require.Less(t, float64(w.Normalize.Rows*w.Normalize.In[0].Walk.Row()), 1.1*float64(many.Access[0].Len), "hardly anything twice")
	require.GreaterOrEqual(t, w.Normalize.Rows, 256)
	v, err := describe.Kernel("few rows", few)
	require.NoError(t, err)
	require.Greater(t, v.Normalize.Rows*w.Normalize.Cols, 4*w.Normalize.Rows/96*v.Normalize.Cols, "more of them for an image")
	for name, n := range map[string]*kernel.Nest{
		"too wide for a core": pooling(1, 1024, 7, 1),
		"windows far apart":   pooling(4, 8, 2, 5),
	} {
		w, err := describe.Kernel("pool", n)
		require.NoError(t, err)
		require.Zero(t, w.Normalize.Line, name)
		require.Equal(t, product(n.Outer), w.Normalize.Rows, name)
	}
}

func product(list []int) int {
	n := 1
	for _, v := range list {
		n *= v
	}
	return n
}

// TestDepthwise describes a convolution that takes every channel by itself by its windows, and counts
// its products; one of whole groups remains a convolution.
func TestDepthwise(t *testing.T) {
	c := &kernel.Convolution{Name: "conv", N: 1, C: 8, H: 14, W: 14, K: 8, P: 14, Q: 14, R: 3, S: 3, Stride: [2]int{1, 1},
		Dilation: [2]int{1, 1}, Pad: [2]int{1, 1}, Groups: 8, Acc: dtype.F32,
		X:      kernel.Image{Port: port(8*14*14, false), Strides: [4]int{8 * 14 * 14, 14 * 14, 14, 1}},
		Filter: kernel.Image{Port: port(8*9, false), Strides: [4]int{9, 9, 3, 1}}}
	b := kernel.NewBody()
	b.Store(2, b.Input(dtype.F32))
	c.Epilogue = kernel.Epilogue{Body: b.Body(), Access: []kernel.Access{
		{Port: port(8*14*14, true), Outer: []int{8 * 14 * 14, 14 * 14, 14, 1}}}}
	w, err := describe.Kernel("conv", c)
	require.NoError(t, err)
	require.Equal(t, workload.KindNormalize, w.Kind)
	require.EqualValues(t, 8*14*14*9, w.MACs())
	require.EqualValues(t, 8*14*14*4, w.WriteBytes())
	n, ok := describe.Depthwise(c)
	require.True(t, ok)
	zeros := 0
	for i := range n.Access[0].Len {
		if at, ok := n.Source(i); !ok {
			zeros++
		} else {
			require.Less(t, at, c.X.Len)
		}
	}
	require.Equal(t, 8*(16*16-14*14), zeros, "a border of one on every side")
	c.Groups, c.Filter.Len, c.Filter.Strides = 4, 8*2*9, [4]int{18, 9, 3, 1}
	w, err = describe.Kernel("conv", c)
	require.NoError(t, err)
	require.Equal(t, workload.KindConvolution, w.Kind)
}
