package walk_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
)

// counted is memory with the numbers 0, 1, 2 … in it, or zeros.
func counted(t mlir.Type, zero bool) *buf.Buffer {
	shape, elem, _ := mlir.ShapeOf(t)
	b := buf.New(mlir.DTypeOf(elem), shape)
	for i := range b.Len() {
		switch {
		case zero:
		case b.DType.IsFloat():
			b.SetFloat64(i, float64(i))
		default:
			b.SetInt64(i, int64(i))
		}
	}
	return b
}

func runDesign(t *testing.T, text string) ([]*buf.Buffer, error) {
	t.Helper()
	m, err := mlir.Parse("x.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(m))
	device := walk.Design(m)
	types, err := walk.DesignTypes(device)
	if err != nil {
		return nil, err
	}
	var inputs []*buf.Buffer
	for i, u := range types {
		inputs = append(inputs, counted(u, i == len(types)-1))
	}
	return walk.RunDesign(context.Background(), io.Discard, device, inputs)
}

// TestDesigns runs designs in the text of mlir-aie of today, whose results are formulas of the place i.
func TestDesigns(t *testing.T) {
	wants := map[string]func(i int) float64{
		"add_one":     func(i int) float64 { return float64(i + 1) },
		"add_314":     func(i int) float64 { return float64(i + 314) },
		"passthrough": func(i int) float64 { return float64(i) },
		"measured":    func(i int) float64 { return float64(2 * i) },
		"transpose":   func(i int) float64 { return float64(i/8 + i%8*16) },
		"scale":       func(int) float64 { return 0 }, // of the factor 0, see below
		"reduce":      func(int) float64 { return 1000 + 31*32/2 },
		"distribute": func(i int) float64 {
			if i%12 < 4 {
				return float64(i + 100)
			}
			return float64(i - 7)
		},
		"cascade":   func(i int) float64 { return float64(2*i + 5) },
		"iteration": func(i int) float64 { return float64((i + 32) % 64) },
		"padding": func(i int) float64 {
			if row, col := i/5-1, i%5; row >= 0 && row < 2 && col < 3 {
				return float64(3*row + col)
			}
			return 0
		},
		"broadcast": func(i int) float64 { // the object before times 10, the first one given, and this one transposed
			before := float64(1 + i)
			if i >= 4 {
				before = float64(10 * (i - 4))
			}
			return before + float64(i/4*4+[]int{0, 2, 1, 3}[i%4])
		},
		"matmul": func(i int) float64 {
			sum := 0.
			for k := range 8 {
				sum += float64((i/8*8 + k) * (k*8 + i%8))
			}
			return sum
		},
		"packets": func(i int) float64 { return float64(5 + i/8*2) },
	}
	files, err := filepath.Glob("testdata/designs/*.mlir")
	require.NoError(t, err)
	require.Len(t, files, len(wants))
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(f), ".mlir")
		out, err := runDesign(t, string(text))
		require.NoError(t, err, name)
		last := out[len(out)-1]
		for i := range last.Len() {
			got := float64(last.Int64(i))
			if last.DType == dtype.F32 {
				got = last.Float64(i)
			}
			require.Equal(t, wants[name](i), got, "%s: element %d", name, i)
		}
	}
}

// TestDesignParameters: what the host gives besides data counts.
func TestDesignParameters(t *testing.T) {
	text, err := os.ReadFile("testdata/designs/scale.mlir")
	require.NoError(t, err)
	m, err := mlir.Parse("x.mlir", text)
	require.NoError(t, err)
	x := buf.New(dtype.I16, []int{64})
	for i := range 64 {
		x.SetInt64(i, int64(i-30))
	}
	out, err := walk.RunDesign(context.Background(), io.Discard, walk.Design(m),
		[]*buf.Buffer{x, buf.From([]int32{-3}, 1), buf.New(dtype.I16, []int{64})})
	require.NoError(t, err)
	for i := range 64 {
		require.EqualValues(t, -3*(i-30), out[2].Int64(i))
	}
}

// TestDesignsThatStandStill say who waits for what, and what cannot be run is refused with the cause.
func TestDesignsThatStandStill(t *testing.T) {
	for _, c := range []struct{ file, from, to, reason string }{
		{"add_one", "1, 1, 1, 64][0, 0, 0, 1]) {id = 1", "1, 1, 1, 32][0, 0, 0, 1]) {id = 1", "the host waits for the transfers of @out_l2"},
		{"add_314", "%xfull, Release", "%xfree, Release", "lock xfull to be 1 or more"},
		{"add_314", "aie.flow(%s, DMA : 0, %m, DMA : 0)", "", "nothing leads anywhere"},
		{"reduce", "@in(Consume, 1) : memref<8xi32>", "@in(Consume, 3) : memref<8xi32>, memref<8xi32>, memref<8xi32>", "holds 2"},
		{"reduce", "aie.objectfifo.release @in(Consume, 1)", "aie.objectfifo.release @in(Consume, 1)\naie.objectfifo.release @in(Consume, 2)", "gives 2 objects"},
		{"scale", "func.func @scale(%x: memref<16xi16>, %y: memref<16xi16>, %f: memref<1xi32>, %n: i32) {", "func.func private @scale(memref<16xi16>, memref<16xi16>, memref<1xi32>, i32)\nfunc.func @other(%x: memref<16xi16>, %y: memref<16xi16>, %f: memref<1xi32>, %n: i32) {", "@scale has no body"},
		{"cascade", "aie.cascade_flow(%a, %b)", "", "no aie.cascade_flow"},
		{"passthrough", "aiex.dma_start_task(%1)", "", "was not started"},
		{"passthrough", "offset = 0 len = 128)", "offset = 4 len = 128)", "reaches element"},
		{"broadcast", "@parameter, 1", "@parameter, 2", "writes element 2"},
		{"transpose", "metadata = @in", "metadata = @gone", "no object FIFO and no allocation"},
		{"measured", "cmpi ule, %n", "cmpi ugt, %n", "is not met: whole pieces"},
		{"measured", "{issue_token = true}", "{issue_token = true, out_of_order}", "in any order"},
	} {
		text, err := os.ReadFile("testdata/designs/" + c.file + ".mlir")
		require.NoError(t, err)
		require.Contains(t, string(text), c.from)
		changed := strings.ReplaceAll(string(text), c.from, c.to)
		if c.file == "reduce" && strings.Contains(c.to, "memref<8xi32>, memref<8xi32>") {
			changed = strings.ReplaceAll(changed, "%x = aie", "%x:3 = aie")
			changed = strings.ReplaceAll(changed, "%x[%k]", "%x#0[%k]")
		}
		_, err = runDesign(t, changed)
		require.ErrorContains(t, err, c.reason, c.file)
	}
	_, err := runDesign(t, "module {\naie.device(npu1) {\n%s = aie.tile(0, 0)\n}\n}")
	require.ErrorContains(t, err, "no aie.runtime_sequence")
}
