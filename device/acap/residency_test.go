package acap_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/mlir"
)

// chain is products one after the other, with weights that are computed from constants.
func chain(layers, width int) string {
	var b strings.Builder
	matrix := fmt.Sprintf("tensor<%dx%dxf32>", width, width)
	flat := fmt.Sprintf("tensor<%dxf32>", width*width)
	fmt.Fprintf(&b, "func.func @main(%%x0: %s) -> %s {\n", matrix, matrix)
	fmt.Fprintf(&b, "  %%n = \"aten.arange.start_step\"() {start = 0 : i64, end = %d : i64, step = 1 : i64, dtype = f32} : () -> %s\n",
		width*width, flat)
	for i := range layers {
		fmt.Fprintf(&b, "  %%m%d = \"aten.mul.Scalar\"(%%n) {other = %d.5 : f64} : (%s) -> %s\n", i, i, flat, flat)
		fmt.Fprintf(&b, "  %%s%d = \"aten.sin\"(%%m%d) : (%s) -> %s\n", i, i, flat, flat)
		fmt.Fprintf(&b, "  %%w%d = \"aten.view\"(%%s%d) {size = array<i64: %d, %d>} : (%s) -> %s\n", i, i, width, width, flat, matrix)
		fmt.Fprintf(&b, "  %%y%d = \"aten.mm\"(%%x%d, %%w%d) : (%s, %s) -> %s\n", i, i, i, matrix, matrix, matrix)
		fmt.Fprintf(&b, "  %%x%d = \"aten.relu\"(%%y%d) : (%s) -> %s\n", i+1, i, matrix, matrix)
	}
	fmt.Fprintf(&b, "  return %%x%d : %s\n}\n", layers, matrix)
	return b.String()
}

func reportOf(t *testing.T, m *machine.Machine, text string) *report.Report {
	module, err := mlir.Parse("chain.mlir", []byte(text))
	require.NoError(t, err)
	exe, err := acap.New(m).Compile(context.Background(), module)
	require.NoError(t, err)
	t.Cleanup(exe.Close)
	r := acap.ReportOf(exe)
	require.NoError(t, r.Err())
	return r
}

// TestResidency keeps the weights of products in mem tiles: less is read from the memory and a run takes
// less, no mem tile holds more than it can, and what the report says of it adds up.
func TestResidency(t *testing.T) {
	for _, name := range longtest.Some(1, "npu1", "npu2", "vek280") {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		r := reportOf(t, m, chain(4, 256))
		total := r.Total()
		require.Positive(t, total.Residency.Kernels, name)

		none, err := machine.Preset(name)
		require.NoError(t, err)
		none.Mem.Repeat.Value = 0 // nothing can remain
		without := reportOf(t, none, chain(4, 256)).Total()
		require.Zero(t, without.Residency.Kernels)
		require.Less(t, total.ReadL3, without.ReadL3, name)
		require.Less(t, total.Cost.Array, without.Cost.Array, name)
		require.InDelta(t, without.Cost.Array-total.Cost.Array, total.Residency.Saved, 1e-7, name)
		require.InDelta(t, without.Separate.Seconds(), total.Separate.Seconds(), 1e-9, "alone nothing remains")

		held, sum := make(map[machine.Coord]int), int64(0)
		var programs []*program.Program
		for _, k := range r.Kernels {
			if k.Once {
				require.Empty(t, k.Resident)
				continue
			}
			for at, n := range k.Resident {
				require.Equal(t, machine.MemTile, m.KindAt(at))
				held[at] += n
				sum += int64(n)
			}
			p, err := k.Choice.Program()
			require.NoError(t, err)
			p.Lower()
			require.Equal(t, p.ResidentBytes(), mapOrEmpty(k.Resident))
			programs = append(programs, p)
		}
		require.Equal(t, total.Residency.Bytes, sum)
		require.LessOrEqual(t, sum, total.Residency.Of)
		require.NoError(t, program.CheckResidency(programs))
		small := *m
		for at, n := range held {
			require.LessOrEqual(t, n, m.Mem.Memory.Int(), "%v", at)
			small.Mem.Memory.Value = float64(n - 1)
		}
		for _, p := range programs {
			p.Machine = &small
		}
		require.ErrorContains(t, program.CheckResidency(programs), "bytes are resident")
		pictures(t, r, total.Residency)
		for _, w := range r.WhatIfs() {
			if !strings.HasPrefix(w.Change, "half the columns") {
				require.GreaterOrEqual(t, w.Speedup, 1-1e-6, "%s: %s", name, w.Change)
			}
		}
	}
}

// TestResidencyFaster has weights remain on faster arrays, too, whose mappings need other buffers: none is slower.
func TestResidencyFaster(t *testing.T) {
	const layer = `func.func @main(%x: tensor<4x784xf32>, %v: tensor<64x784xf32> {acap.constant}, %b: tensor<64xf32> {acap.constant}) -> tensor<4x64xf32> {
  %w = "aten.t"(%v) : (tensor<64x784xf32>) -> tensor<784x64xf32>
  %y = "aten.addmm"(%b, %x, %w) : (tensor<64xf32>, tensor<4x784xf32>, tensor<784x64xf32>) -> tensor<4x64xf32>
  return %y : tensor<4x64xf32>
}
`
	for _, name := range []string{"npu1", "npu2", "vek280"} {
		before := math.Inf(1)
		for _, times := range []float64{1, 1.25, 1.5, 2} {
			m, err := machine.Preset(name)
			require.NoError(t, err)
			m.Clock.Value *= times
			work := reportOf(t, m, layer).Total().Cost.Work()
			require.LessOrEqual(t, work, 1.01*before, "%s, clock times %g", name, times)
			before = min(before, work)
		}
	}
}

// blocks is layers of attention and two products each, with weights that are constants.
func blocks(layers, tokens, heads, width int) string {
	var b strings.Builder
	t := func(dims ...int) string {
		var b strings.Builder
		for _, d := range dims {
			fmt.Fprintf(&b, "%dx", d)
		}
		return "tensor<" + b.String() + "f32>"
	}
	x, h := t(tokens, width), t(1, heads, tokens, width/heads)
	weights := []string{t(width, width), t(width, 4*width), t(4*width, width)}
	fmt.Fprintf(&b, "func.func @main(%%x0: %s", x)
	for i := range layers {
		for j, w := range weights {
			fmt.Fprintf(&b, ", %%w%d_%d: %s {acap.constant}", i, j, w)
		}
	}
	fmt.Fprintf(&b, ") -> %s {\n", x)
	for i := range layers {
		fmt.Fprintf(&b, "  %%n%d = \"aten.softmax.int\"(%%x%d) {dim = -1 : i64} : (%s) -> %s\n", i, i, x, x)
		fmt.Fprintf(&b, "  %%m%d = \"aten.mm\"(%%n%d, %%w%d_0) : (%s, %s) -> %s\n", i, i, i, x, weights[0], x)
		fmt.Fprintf(&b, "  %%q%d = \"aten.sigmoid\"(%%m%d) : (%s) -> %s\n", i, i, x, x)
		fmt.Fprintf(&b, "  %%r%d = \"aten.view\"(%%q%d) {size = array<i64: %d, 1, %d, %d>} : (%s) -> %s\n", i, i, tokens, heads, width/heads,
			x, t(tokens, 1, heads, width/heads))
		fmt.Fprintf(&b, "  %%h%d = \"aten.permute\"(%%r%d) {dims = array<i64: 1, 2, 0, 3>} : (%s) -> %s\n", i, i,
			t(tokens, 1, heads, width/heads), h)
		fmt.Fprintf(&b, "  %%a%d = \"aten.scaled_dot_product_attention\"(%%h%d, %%h%d, %%h%d) {dropout_p = 0.0 : f64, is_causal = false, "+
			"operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (%s, %s, %s) -> %s\n", i, i, i, i, h, h, h, h)
		fmt.Fprintf(&b, "  %%p%d = \"aten.permute\"(%%a%d) {dims = array<i64: 2, 0, 1, 3>} : (%s) -> %s\n", i, i, h,
			t(tokens, 1, heads, width/heads))
		fmt.Fprintf(&b, "  %%o%d = \"aten.view\"(%%p%d) {size = array<i64: %d, %d>} : (%s) -> %s\n", i, i, tokens, width,
			t(tokens, 1, heads, width/heads), x)
		fmt.Fprintf(&b, "  %%u%d = \"aten.mm\"(%%o%d, %%w%d_1) : (%s, %s) -> %s\n", i, i, i, x, weights[1], t(tokens, 4*width))
		fmt.Fprintf(&b, "  %%v%d = \"aten.relu\"(%%u%d) : (%s) -> %s\n", i, i, t(tokens, 4*width), t(tokens, 4*width))
		fmt.Fprintf(&b, "  %%y%d = \"aten.mm\"(%%v%d, %%w%d_2) : (%s, %s) -> %s\n", i, i, i, t(tokens, 4*width), weights[2], x)
		fmt.Fprintf(&b, "  %%x%d = \"aten.add.Tensor\"(%%y%d, %%o%d) : (%s, %s) -> %s\n", i+1, i, i, x, x, x)
	}
	fmt.Fprintf(&b, "  return %%x%d : %s\n}\n", layers, x)
	return b.String()
}

// TestResidencyOrNot has a model take no longer where weights may be resident in mem tiles than where none can, though
// they keep kernels in the columns where they lie.
func TestResidencyOrNot(t *testing.T) {
	for _, name := range longtest.Some(1, "npu2", "npu1") {
		for _, tokens := range []int{16, 48} {
			text := blocks(2, tokens, 4, 64)
			m, err := machine.Preset(name)
			require.NoError(t, err)
			none, err := machine.Preset(name)
			require.NoError(t, err)
			none.Mem.Repeat.Value = 0 // nothing can remain
			with, without := reportOf(t, m, text).Total(), reportOf(t, none, text).Total()
			require.LessOrEqual(t, with.Seconds, without.Seconds*(1+1e-9), "%s, %d tokens", name, tokens)
		}
	}
}

func mapOrEmpty(m map[machine.Coord]int) map[machine.Coord]int {
	if m == nil {
		return map[machine.Coord]int{}
	}
	return m
}

// pictures checks the floor plan and the JSON against the sums.
func pictures(t *testing.T, r *report.Report, s report.Residency) {
	var b bytes.Buffer
	require.NoError(t, r.WriteResidency(&b))
	d, boxes := xml.NewDecoder(&b), 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
			for _, a := range e.Attr {
				if a.Name.Local == "fill" && strings.HasPrefix(a.Value, "hsl") {
					boxes++
				}
			}
		}
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var out struct {
		Residency []struct {
			Kernel string
			Bytes  int64
		}
		Total struct{ Residency report.Residency }
	}
	require.NoError(t, json.Unmarshal(text, &out))
	require.Len(t, out.Residency, boxes, "a box for all that remains of a kernel in a tile")
	sum := int64(0)
	for _, x := range out.Residency {
		sum += x.Bytes
	}
	require.Equal(t, s.Bytes, sum)
	require.Equal(t, s, out.Total.Residency)
	require.Contains(t, r.Summary(), "are resident in mem tiles")
}
