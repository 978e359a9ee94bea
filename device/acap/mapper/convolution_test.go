package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// square is a convolution of square images with a border that keeps their size.
func square(channels, side, filters, window int) *workload.Kernel {
	border := window / 2
	return &workload.Kernel{Name: "convolution", Kind: workload.KindConvolution, Convolution: workload.Convolution{
		N: 1, C: channels, H: side, W: side, K: filters, R: window, S: window, StrideH: 1, StrideW: 1, PadTop: border, PadLeft: border,
		PadBottom: border, PadRight: border, DilationH: 1, DilationW: 1, Groups: 1, ConstantWeight: true,
		In: dtype.F32, Weight: dtype.F32, Acc: dtype.F32, Out: dtype.F32}}
}

// TestOddRows maps images whose rows are no blocks of the matrix instruction: cores compute little beside the image.
func TestOddRows(t *testing.T) {
	for _, name := range []string{"npu1", "npu2"} {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		for _, side := range []int{14, 18, 30} {
			w := square(256, side, 256, 3)
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			require.NoError(t, c.Verify())
			p := mapping.PatchOf(&w.Convolution, &c.Mapping)
			require.Equal(t, side, p.OutCols, "%s: %v", name, c.Mapping)
		}
	}
}

// TestPlainConvolution: a convolution with windows of one element is the product of its positions and filters,
// and takes no longer than that.
func TestPlainConvolution(t *testing.T) {
	for _, name := range longtest.Some(1, "npu2", "npu1", "vek280") {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		for _, of := range [][3]int{{384, 14, 64}, {96, 56, 24}, {160, 7, 960}} {
			w := square(of[0], of[1], of[2], 1)
			require.True(t, w.Convolution.Plain())
			product := &workload.Kernel{Name: "product", Kind: workload.KindContraction, Contraction: w.Convolution.AsContraction()}
			a, err := mapper.Map(m, w)
			require.NoError(t, err)
			require.NoError(t, a.Verify())
			b, err := mapper.Map(m, product)
			require.NoError(t, err)
			require.LessOrEqual(t, a.Timing.Seconds, b.Timing.Seconds*1.001, "%s %v: %v, %v", name, of, a.Mapping, b.Mapping)
		}
	}
	for _, change := range []func(*workload.Convolution){
		func(c *workload.Convolution) { c.StrideW = 2 },
		func(c *workload.Convolution) { c.H, c.StrideH, c.PadBottom = 2, 2, 1 }, // as many, but not the same
		func(c *workload.Convolution) { c.W, c.StrideW, c.PadRight = 2, 2, 1 },
		func(c *workload.Convolution) { c.R, c.PadTop, c.PadBottom = 3, 1, 1 },
		func(c *workload.Convolution) { c.S, c.PadLeft, c.PadRight = 3, 1, 1 },
		func(c *workload.Convolution) { c.PadTop, c.PadBottom = 1, -1 }, // moved by a row
		func(c *workload.Convolution) { c.PadLeft, c.PadRight = 1, -1 },
		func(c *workload.Convolution) { c.PadBottom = 1 },
		func(c *workload.Convolution) { c.PadRight = 1 },
	} {
		w := square(8, 6, 8, 1)
		change(&w.Convolution)
		require.False(t, w.Convolution.Plain(), "%+v", w.Convolution)
	}
}
