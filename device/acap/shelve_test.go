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

// TestShelve has what passes between products stay in mem tiles: what one program leaves is what the next
// takes, nothing of it moves outside, and a run is shorter than without; the last result leaves.
func TestShelve(t *testing.T) {
	const layers, rows, width = 4, 64, 512
	module, err := mlir.Parse("wide.mlir", []byte(wide(layers, rows, width)))
	require.NoError(t, err)
	m, err := machine.Preset("npu2")
	require.NoError(t, err)
	array := acap.New(m)
	compile := func(a *acap.Array) *acap.Program {
		exe, err := a.Compile(context.Background(), module)
		require.NoError(t, err)
		t.Cleanup(exe.Close)
		return exe.(*acap.Program)
	}
	with, without := compile(array).Report(), compile(array.WithoutShelves()).Report()
	a, b := with.Total(), without.Total()
	require.Zero(t, b.Kept)
	require.Equal(t, layers-1, a.Kept.Arrays)
	require.Equal(t, int64((layers-1)*rows*width*4), a.Kept.Bytes)
	require.InDelta(t, b.Seconds-a.Seconds, a.Kept.Saved, 1e-9)
	require.Positive(t, a.Kept.Saved)
	require.LessOrEqual(t, a.WriteL3, b.WriteL3-a.Kept.Bytes)
	require.Less(t, a.ReadL3, b.ReadL3)
	require.Contains(t, with.Summary(), "3 arrays that pass from launch to launch in mem tiles: 384 KiB")

	var left []*program.Shelf
	for i := range with.Kernels {
		p, err := with.Kernels[i].Choice.Program()
		require.NoError(t, err)
		var taken, leaves []*program.Shelf
		for _, s := range p.Shelves() {
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
	require.Zero(t, compile(acap.New(&small)).Report().Kept, "no mem tile has room")
}

// TestShelveReaders lets an array go outside that is read twice, or by another launch than the next.
func TestShelveReaders(t *testing.T) {
	const square = "tensor<64x512xf32>"
	for _, last := range []string{"(%x1, %x2)", "(%x2, %x1)"} {
		text := strings.Replace(wide(2, 64, 512), "return %x2", "%z = \"aten.sub.Tensor\""+last+
			" {alpha = 1 : i64} : ("+square+", "+square+") -> "+square+"\n  %s = \"aten.softmax.int\"(%z) {dim = 1 : i64} : ("+
			square+") -> "+square+"\n  return %s", 1)
		module, err := mlir.Parse("twice.mlir", []byte(text))
		require.NoError(t, err)
		m, err := machine.Preset("npu2")
		require.NoError(t, err)
		exe, err := acap.New(m).Compile(context.Background(), module)
		require.NoError(t, err)
		defer exe.Close()
		kernels := exe.(*acap.Program).Report().Kernels
		require.NotContains(t, kernels[0].Layout, "out to", "%s", kernels[0].Layout)
	}
}
