package tileexact_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/tileexact"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// randomMask is added or hides, and may be the same for heads, queries or keys.
func randomMask(r *rand.Rand, a *kernel.Attention) {
	heads, size := a.Batch[0], a.Queries*a.Keys
	m := kernel.Matrix{Port: port(dtype.F32, heads*size, false), Batch: []int{size}, Row: a.Keys, Col: 1}
	if r.IntN(2) == 0 {
		m.DType, a.MaskIsBool = dtype.Bool, true
	}
	for _, stride := range []*int{&m.Batch[0], &m.Row, &m.Col} {
		if r.IntN(3) == 0 {
			*stride = 0
		}
	}
	a.Mask = &m
	a.Name += " masked"
}

// attends is attention with the given heads.
func attends(heads, queries, keys, dim, values int, d dtype.DType) *kernel.Attention {
	matrix := func(rows, cols int, write bool) kernel.Matrix {
		return kernel.Matrix{Port: port(d, heads*rows*cols, write), Batch: []int{rows * cols}, Row: cols, Col: 1}
	}
	return &kernel.Attention{Batch: []int{heads}, Queries: queries, Keys: keys, Dim: dim, VDim: values,
		Name:  fmt.Sprintf("attention %d x %d x %d, %d and %d %v", heads, queries, keys, dim, values, d),
		Scale: 0.25, Acc: dtype.F32, Q: matrix(queries, dim, false),
		K: matrix(keys, dim, false), V: matrix(keys, values, false), O: matrix(queries, values, true)}
}

// TestAttentionPlaces walks attention whose heads share columns, come on streams of their own or on shared ones,
// and take their features in one round or in several, and runs the same programs by events, which take as long
// as the closed form says.
func TestAttentionPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i, c := range []struct {
		machine string
		all     int // heads
		masked  bool
		mapping mapping.Mapping
	}{
		{"npu1", 3, false, mapping.Mapping{Cols: 4, Rows: 4, Heads: 2, FanOut: 1, TN: 16, Cascade: 1, Depth: 1}},
		{"npu2", 3, true, mapping.Mapping{Cols: 4, Rows: 4, Heads: 2, FanOut: 1, TN: 16, Cascade: 2, Depth: 1}},
		{"npu1", 4, false, mapping.Mapping{Cols: 4, Rows: 4, Heads: 4, FanOut: 2, TN: 8, Cascade: 1, Depth: 2}},
		{"npu2", 5, false, mapping.Mapping{Cols: 5, Rows: 3, Heads: 3, FanOut: 3, TN: 16, Cascade: 1, Depth: 2}},
		{"npu2", 5, true, mapping.Mapping{Cols: 7, Rows: 4, Heads: 5, FanOut: 1, TN: 16, Cascade: 1, Depth: 1}},
		{"vek280", 6, false, mapping.Mapping{Cols: 9, Rows: 6, Heads: 6, FanOut: 2, TN: 8, Cascade: 2, Depth: 2}},
		{"vek280", 3, true, mapping.Mapping{Cols: 4, Rows: 4, Heads: 3, FanOut: 1, TN: 16, Cascade: 2, Depth: 2}},
		{"npu1", 4, true, mapping.Mapping{Cols: 4, Rows: 4, Heads: 4, FanOut: 2, TN: 8, Cascade: 1, Depth: 2}},
		{"npu2", 5, true, mapping.Mapping{Cols: 5, Rows: 3, Heads: 3, FanOut: 3, TN: 16, Cascade: 1, Depth: 2}},
		{"npu2", 5, true, mapping.Mapping{Cols: 6, Rows: 2, Heads: 3, FanOut: 3, TN: 4, Cascade: 1, Depth: 2}},
		{"vek280", 6, true, mapping.Mapping{Cols: 9, Rows: 6, Heads: 6, FanOut: 3, TN: 4, Cascade: 2, Depth: 2}},
	} {
		if i%longtest.Sample(3, 3, 1) > 0 {
			continue
		}
		k := attends(c.all, 50, 60, 32, 16, dtype.F32)
		if c.masked {
			k.Mask = &kernel.Matrix{Port: port(dtype.F32, c.all*50*60, false), Batch: []int{50 * 60}, Row: 60, Col: 1}
		}
		v, chosen, run := checkMapped(t, c.machine, k, r, func(g *mapping.Mapping) {
			kind, style := g.Kind, g.Style
			*g = c.mapping
			g.Kind, g.Style, g.Tile, g.TK = kind, style, 16, 8
		})
		require.Equal(t, c.all*50*16, v.Elements)
		require.Equal(t, chosen.Timing.ReadL3, run.ReadBytes, "%s %v", c.machine, v.Mapping)
	}
}

// TestAttention walks attention of random shapes, whole, causal and masked.
func TestAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		name := arrays[i%4]
		heads, queries, keys := 1+r.IntN(5), 1+r.IntN(70), 1+r.IntN(70)
		dim, values := 8*(1+r.IntN(8)), 8*(1+r.IntN(8))
		d := []dtype.DType{dtype.F32, dtype.BF16}[r.IntN(2)]
		k := attends(heads, queries, keys, dim, values, d)
		k.Causal, k.Safe = r.IntN(2) == 0, r.IntN(2) == 0
		if r.IntN(2) == 0 {
			randomMask(r, k)
		}
		c := &tileexact.Checker{Machine: machinetest.Preset(t, name), Native: native.Compile}
		v := check(t, c, k, r)
		if v.Skipped != "" || v.Err != nil || v.Elements != heads*queries*values {
			t.Errorf("%s on %s, %s: %v", v.Kernel, name, v.Mapping, v)
		}
	}
}
