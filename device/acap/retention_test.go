package acap_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/mlir"
)

// wide is products of few rows one after the other, with inputs for weights.
func wide(layers, rows, width int) string {
	var b strings.Builder
	left, right := fmt.Sprintf("tensor<%dx%dxf32>", rows, width), fmt.Sprintf("tensor<%dx%dxf32>", width, width)
	fmt.Fprintf(&b, "func.func @main(%%x0: %s", left)
	for i := range layers {
		fmt.Fprintf(&b, ", %%w%d: %s", i, right)
	}
	fmt.Fprintf(&b, ") -> %s {\n", left)
	for i := range layers {
		fmt.Fprintf(&b, "  %%y%d = \"aten.mm\"(%%x%d, %%w%d) : (%s, %s) -> %s\n", i, i, i, left, right, left)
		fmt.Fprintf(&b, "  %%x%d = \"aten.relu\"(%%y%d) : (%s) -> %s\n", i+1, i, left, left)
	}
	fmt.Fprintf(&b, "  return %%x%d : %s\n}\n", layers, left)
	return b.String()
}

// filtered is the same with images of channels, through windows of one element.
func filtered(layers, side, channels int) string {
	var b strings.Builder
	left, right := fmt.Sprintf("tensor<1x%dx%dx%dxf32>", channels, side, side), fmt.Sprintf("tensor<%dx%dx1x1xf32>", channels, channels)
	fmt.Fprintf(&b, "func.func @main(%%x0: %s", left)
	for i := range layers {
		fmt.Fprintf(&b, ", %%w%d: %s", i, right)
	}
	fmt.Fprintf(&b, ") -> %s {\n", left)
	for i := range layers {
		fmt.Fprintf(&b, "  %%y%d = \"aten.convolution\"(%%x%d, %%w%d) {stride = array<i64: 1, 1>, padding = array<i64: 0, 0>, "+
			"dilation = array<i64: 1, 1>, transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64, "+
			"operandSegmentSizes = array<i32: 1, 1, 0>} : (%s, %s) -> %s\n", i, i, i, left, right, left)
		fmt.Fprintf(&b, "  %%x%d = \"aten.relu\"(%%y%d) : (%s) -> %s\n", i+1, i, left, left)
	}
	fmt.Fprintf(&b, "  return %%x%d : %s\n}\n", layers, left)
	return b.String()
}

// TestRetain has arrays between products, or between convolutions that are products, remain in mem tiles: the next
// program takes what one program leaves, nothing of it moves outside, and a run is shorter than without; the last
// result leaves.
func TestRetain(t *testing.T) {
	const layers, side, width = 4, 8, 512
	for name, text := range map[string]string{
		"products": wide(layers, side*side, width), "convolutions": filtered(layers, side, width)} {
		t.Run(name, func(t *testing.T) { retain(t, text, layers, side*side, width) })
	}
}

func retain(t *testing.T, text string, layers, rows, width int) {
	module, err := mlir.Parse("wide.mlir", []byte(text))
	require.NoError(t, err)
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	m.DDR.Read.Value = 48e9 // slow enough that it pays for every product
	array := acap.New(m)
	compile := func(a *acap.Array) *acap.Program {
		exe, err := a.Compile(context.Background(), module)
		require.NoError(t, err)
		t.Cleanup(exe.Close)
		return exe.(*acap.Program)
	}
	with, without := compile(array).Report(), compile(array.WithoutRetention()).Report()
	a, b := with.Total(), without.Total()
	require.Zero(t, b.Kept)
	require.Equal(t, layers-1, a.Kept.Arrays)
	require.Equal(t, int64((layers-1)*rows*width*4), a.Kept.Bytes)
	require.InDelta(t, b.Seconds-a.Seconds, a.Kept.Saved, 1e-9)
	require.Positive(t, a.Kept.Saved)
	require.LessOrEqual(t, a.WriteL3, b.WriteL3-a.Kept.Bytes)
	require.Less(t, a.ReadL3, b.ReadL3)
	require.Contains(t, with.Summary(), "by 3 arrays in mem tiles between launches (384 KiB less to read from memory, and as much less to write)")

	var left []*program.Retained
	for i := range with.Kernels {
		p, err := with.Kernels[i].Choice.Program()
		require.NoError(t, err)
		var taken, leaves []*program.Retained
		for _, s := range p.RetainedArrays() {
			if p.Args[s.Part.Arg].Output {
				leaves = append(leaves, s)
			} else {
				taken = append(taken, s)
			}
		}
		require.Len(t, taken, len(left))
		for k, s := range taken {
			require.Equal(t, left[k].Tile, s.Tile)
			require.Equal(t, left[k].Address, s.Address)
			require.Equal(t, left[k].Object, s.Object)
			require.Equal(t, left[k].Part.Dims, s.Part.Dims)
		}
		require.Equal(t, i == layers-1, len(leaves) == 0, "the last result leaves")
		left = leaves
	}

	small := *m
	small.Mem.Memory.Value = 16 << 10
	require.Zero(t, compile(acap.New(&small)).Report().Kept, "no mem tile has space")
}

// TestRetainReaders lets an array go outside that is read twice, or by another launch than the next.
func TestRetainReaders(t *testing.T) {
	const square = "tensor<64x512xf32>"
	for _, last := range []string{"(%x1, %x2)", "(%x2, %x1)"} {
		text := strings.Replace(wide(2, 64, 512), "return %x2", "%z = \"aten.sub.Tensor\""+last+
			" {alpha = 1 : i64} : ("+square+", "+square+") -> "+square+"\n  %s = \"aten.softmax.int\"(%z) {dim = 1 : i64} : ("+
			square+") -> "+square+"\n  return %s", 1)
		m, err := machine.Preset("npu2")
		require.NoError(t, err)
		kernels := reportOf(t, m, text).Kernels
		require.NotContains(t, kernels[0].Layout, "out to", "%s", kernels[0].Layout)
	}
}

// TestRetainSteps has what passes between products of positions remain where a convolution follows whose windows are
// steps apart: it takes its input from outside.
func TestRetainSteps(t *testing.T) {
	const layers, side, width = 3, 8, 512
	text := filtered(layers, side, width)
	last := strings.LastIndex(text, "stride = array<i64: 1, 1>")
	text = text[:last] + strings.Replace(text[last:], "1, 1", "2, 2", 1)
	whole := fmt.Sprintf("tensor<1x%dx%dx%dxf32>", width, side, side)
	last += strings.Index(text[last:], "-> "+whole) // of the convolution
	text = text[:last] + strings.ReplaceAll(text[last:], whole, fmt.Sprintf("tensor<1x%dx%dx%dxf32>", width, side/2, side/2))
	text = strings.Replace(text, ") -> "+whole+" {\n", fmt.Sprintf(") -> tensor<1x%dx%dx%dxf32> {\n", width, side/2, side/2), 1)
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	m.DDR.Read.Value = 48e9 // slow enough that it pays for every product
	r := reportOf(t, m, text)
	require.Len(t, r.Kernels, layers)
	require.Equal(t, layers-2, r.Total().Kept.Arrays)
	require.Contains(t, r.Kernels[0].Layout, "8x4")
}

// TestRetainBlocks has arrays remain although no core could hold all rows of its column.
func TestRetainBlocks(t *testing.T) {
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r := reportOf(t, m, wide(3, 4096, 64))
	require.Equal(t, 2, r.Total().Kept.Arrays)
	for i := range r.Kernels {
		g := r.Kernels[i].Mapping
		require.Less(t, g.TM*g.PartsM, 4096, "%v", g)
	}
}

// TestRetainAddend lets an array go outside that the next product adds to its result: only what is multiplied
// comes from a retained array.
func TestRetainAddend(t *testing.T) {
	const square = "tensor<64x512xf32>"
	text := strings.Replace(wide(2, 64, 512), "@main(", "@main(%q: "+square+", ", 1)
	text = strings.Replace(text, "\"aten.mm\"(%x1,", "\"aten.mm\"(%q,", 1)
	text = strings.Replace(text, "\"aten.relu\"(%y1) : ("+square+")", "\"aten.add.Tensor\"(%y1, %x1) {alpha = 1 : i64} : ("+
		square+", "+square+")", 1)
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r := reportOf(t, m, text)
	require.Len(t, r.Kernels, 2)
	require.Zero(t, r.Total().Kept, "%s, %s", r.Kernels[0].Layout, r.Kernels[1].Layout)
}

// TestRetainLayouts lets an array go outside that lies channel by channel, where the next product has rows of it that
// lie in order.
func TestRetainLayouts(t *testing.T) {
	const side, channels = 8, 64
	image, flat := fmt.Sprintf("tensor<1x%dx%dx%dxf32>", channels, side, side), fmt.Sprintf("tensor<%dx%dxf32>", channels, side*side)
	text := strings.Replace(filtered(1, side, channels), "-> "+image+" {\n", "-> "+flat+" {\n", 1)
	text = strings.Replace(text, "  return %x1 : "+image, "  %v = \"aten.view\"(%x1) {size = array<i64: 64, 64>} : ("+image+") -> "+flat+
		"\n  %z = \"aten.mm\"(%v, %m) : ("+flat+", "+flat+") -> "+flat+"\n  return %z : "+flat, 1)
	text = strings.Replace(text, "@main(", "@main(%m: "+flat+", ", 1)
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	r := reportOf(t, m, text)
	require.Len(t, r.Kernels, 2)
	require.Zero(t, r.Total().Kept, "%s, %s", r.Kernels[0].Layout, r.Kernels[1].Layout)
}
