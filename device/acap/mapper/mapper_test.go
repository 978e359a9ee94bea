package mapper_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

func gemm(m, k, n int, in, acc, out dtype.DType) *workload.Kernel {
	op := workload.Operand{DType: in}
	return &workload.Kernel{Name: "gemm", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: m, N: n, K: k, A: op, B: op, Acc: acc,
			Out: out}}
}

// TestSearchIsBounded keeps the exhaustive search of a large product interactive, by what it looks at:
// BenchmarkSearch says how long that takes.
func TestSearchIsBounded(t *testing.T) {
	c, err := mapper.Search(machinetest.Preset(t, "npu1"), gemm(4096, 4096, 4096, dtype.BF16, dtype.F32, dtype.BF16))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d mappings: %v", c.Legal, c.Mapping)
	if c.Legal > 400_000 {
		t.Errorf("%d mappings were timed", c.Legal)
	}
}

func BenchmarkSearch(b *testing.B) {
	m, w := machinetest.Preset(b, "npu1"), gemm(4096, 4096, 4096, dtype.BF16, dtype.F32, dtype.BF16)
	for b.Loop() {
		if _, err := mapper.Search(m, w); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMapNearSearch compares the coarse search with the exhaustive one, which is never worse.
func TestMapNearSearch(t *testing.T) {
	near := func(name string, w *workload.Kernel) {
		m := machinetest.Preset(t, name)
		coarse, err := mapper.Map(m, w)
		if err != nil {
			t.Fatal(err)
		}
		full, err := mapper.Search(m, w)
		if err != nil {
			t.Fatal(err)
		}
		if full.Timing.Seconds > coarse.Timing.Seconds*(1+1e-5) {
			t.Errorf("%s %v: the exhaustive search found %v, slower than %v", name, w.Kind,
				full.Mapping, coarse.Mapping)
		}
		if coarse.Timing.Seconds > 1.15*full.Timing.Seconds {
			t.Errorf("%s %v: %v takes %.4g s, %v %.4g s", name, w.Kind, coarse.Mapping,
				coarse.Timing.Seconds, full.Mapping, full.Timing.Seconds)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range longtest.Sample(2, 2, 12) {
		w := workloadtest.Kernel(r)
		near("npu1", w)
		near("npu2", w)
	}
	near("vek280", gemm(64, 256, 64, dtype.F32, dtype.F32, dtype.F32)) // wider than any list of halves says
}

func TestRunnersAndRejected(t *testing.T) {
	size := longtest.Sample(256, 256, 512)
	w := gemm(size, size, size, dtype.BF16, dtype.F32, dtype.BF16)
	c, err := mapper.Search(machinetest.Preset(t, "npu2"), w)
	if err != nil {
		t.Fatal(err)
	}
	last := c.Timing.Seconds
	for _, r := range c.Runners {
		if r.Seconds < last*(1-1e-5) {
			t.Errorf("runner %v is faster than the one before", r.Mapping)
		}
		last = r.Seconds
	}
	if len(c.Runners) == 0 || len(c.Rejected) == 0 {
		t.Fatalf("%d runners, %d rejections", len(c.Runners), len(c.Rejected))
	}
	for _, r := range c.Rejected {
		if r.Count < 1 || r.Reason == "" || !strings.HasPrefix(r.Detail, "needs ") {
			t.Errorf("rejection %+v", r)
		}
	}
}

// TestRunnersDiffer expects no mapping twice, under the same name or as a slice of K that
// is shorter than asked for, as it must divide K.
func TestRunnersDiffer(t *testing.T) {
	for _, name := range arrays {
		w := gemm(100, 72, 90, dtype.BF16, dtype.F32, dtype.BF16)
		c, err := mapper.Map(machinetest.Preset(t, name), w)
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[mapping.Mapping]bool)
		for _, r := range append(c.Runners, mapper.Candidate{Mapping: c.Mapping}) {
			g := r.Mapping
			g.KL2 = g.Slice(w.Contraction.K)
			if seen[g] {
				t.Errorf("%s: %v is there twice", name, r.Mapping)
			}
			seen[g] = true
		}
	}
}

func TestDeterminism(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		w := workloadtest.Kernel(r)
		m := machinetest.Preset(t, "npu2")
		a, err := mapper.Map(m, w)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			b, err := mapper.Map(m, w)
			if err != nil {
				t.Fatal(err)
			}
			if a.Mapping != b.Mapping || a.Timing != b.Timing ||
				!reflect.DeepEqual(a.Runners, b.Runners) {
				t.Fatalf("%v: %v, then %v", w.Kind, a.Mapping, b.Mapping)
			}
		}
	}
}

// TestDeadTiles declares tiles dead and expects no program to use them.
func TestDeadTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range longtest.Sample(4, 4, 40) {
		m := machinetest.Preset(t, []string{"npu1", "npu2", "vek280", "vck190"}[i%4])
		for range 1 + r.IntN(3) {
			d := machine.Coord{Col: r.IntN(m.Grid.Cols), Row: m.Grid.CoreRow(r.IntN(m.Grid.CoreRows))}
			m.Grid.Dead = append(m.Grid.Dead, d)
		}
		w := workloadtest.Kernel(r)
		c, err := mapper.Map(m, w)
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Program()
		if err != nil {
			t.Fatal(err)
		}
		p.Lower()
		if err := p.Verify(); err != nil {
			t.Errorf("dead %v, %v %v: %v", m.Grid.Dead, w.Kind, c.Mapping, err)
		}
	}
}

func TestNothingFits(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	if _, err := mapper.Map(m, gemm(64, 64, 64, dtype.C64, dtype.C64, dtype.C64)); err == nil {
		t.Error("a product of c64 was mapped to an array without c64")
	}
	m.Core.Memory.Value = 1100
	_, err := mapper.Map(m, gemm(64, 64, 64, dtype.BF16, dtype.F32, dtype.BF16))
	if err == nil || !strings.Contains(err.Error(), "data memory of a core") {
		t.Errorf("76 bytes of memory: %v", err)
	}
	m = machinetest.Preset(t, "npu1")
	for row := range m.Grid.CoreRows {
		for col := range m.Grid.Cols {
			m.Grid.Dead = append(m.Grid.Dead, machine.Coord{Col: col, Row: m.Grid.CoreRow(row)})
		}
	}
	_, err = mapper.Map(m, gemm(64, 64, 64, dtype.BF16, dtype.F32, dtype.BF16))
	if err == nil || !strings.Contains(err.Error(), "every core is declared dead") {
		t.Errorf("no core left: %v", err)
	}
}

func BenchmarkMapSmall(b *testing.B) {
	m := machinetest.Preset(b, "npu1")
	w := gemm(128, 128, 128, dtype.F32, dtype.F32, dtype.F32)
	for b.Loop() {
		if _, err := mapper.Map(m, w); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMapPointwise(b *testing.B) {
	m := machinetest.Preset(b, "npu2")
	s := workload.Stream{DType: dtype.F32, Elements: 1 << 16}
	w := &workload.Kernel{Name: "add", Kind: workload.KindPointwise,
		Pointwise: workload.Pointwise{Elements: 1 << 16, DType: dtype.F32,
			In: []workload.Stream{s, s}, Out: []workload.Stream{s}, Ops: workload.Mix{Simple: 1}}}
	for b.Loop() {
		if _, err := mapper.Map(m, w); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMoreMemory doubles the memory of the cores: a mapping that fits less is still there,
// so that the coarse search must not find a slower one, but for the largest sizes that fit,
// which are others.
func TestMoreMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range longtest.Sample(2, 2, 20) {
		name := []string{"npu1", "npu2", "vek280"}[i%3]
		m, twice := machinetest.Preset(t, name), machinetest.Preset(t, name)
		twice.Core.Memory.Value *= 2
		w := gemm(1+r.IntN(512), 1+r.IntN(1024), 1+r.IntN(512), dtype.BF16, dtype.F32, dtype.BF16)
		before, err := mapper.Map(m, w)
		if err != nil {
			t.Fatal(err)
		}
		after, err := mapper.Map(twice, w)
		if err != nil {
			t.Fatal(err)
		}
		if after.Timing.Seconds > 1.02*before.Timing.Seconds {
			t.Errorf("%v on %s: %.4g s with twice the memory, %v; was %.4g s, %v", w.Contraction, name,
				after.Timing.Seconds, after.Mapping, before.Timing.Seconds, before.Mapping)
		}
	}
}

// TestAttentionAtOnce expects all heads of a small model to be worked on at once, with all of their features and
// with a mask or without, on streams that several share where an array has too few channels for one each.
func TestAttentionAtOnce(t *testing.T) {
	w := &workload.Kernel{Name: "attention", Kind: workload.KindAttention, Attention: workload.Attention{
		Batch: 1, Heads: 12, KVHeads: 12, Sq: 128, Sk: 128, D: 64, DV: 64, DType: dtype.F32, Acc: dtype.F32}}
	heads := []workload.Loop{{Size: w.Attention.Heads, Stride: 1}}
	for _, w.Attention.Mask = range []*workload.Mask{nil, {DType: dtype.F32, Queries: 128, Heads: heads},
		{DType: dtype.F32, Queries: 1, Heads: heads}} {
		for _, name := range []string{"npu2", "vek280"} {
			m := machinetest.Preset(t, name)
			c, err := mapper.Map(m, w)
			require.NoError(t, err)
			require.Equal(t, int64(1), c.Timing.Rounds, "%s: %v", name, c.Mapping)
			require.NoError(t, c.Verify())
			require.Greater(t, 2*w.Attention.Heads*c.Mapping.Cascade, m.Shim.Out.Int()*min(len(m.Grid.ShimDMA), c.Mapping.Cols))
			require.Greater(t, c.Mapping.FanOut, 1)
		}
	}
}

// TestPartedStreams expects of products that cores bound, on an array with few interface tiles, that parts share
// streams, so that more cores work than have streams of their own, and that these take much less time.
func TestPartedStreams(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	size := func() int { return 8 * (128 + r.IntN(128)) }
	for range 6 {
		m, w := machinetest.Preset(t, "vek280"), gemm(size(), size(), size(), dtype.F32, dtype.F32, dtype.F32)
		c, err := mapper.Map(m, w)
		require.NoError(t, err)
		require.NoError(t, c.Verify(), c.Mapping)
		g := c.Mapping
		a, b := g.FanOuts()
		require.Greater(t, a*b, 1, g)
		channels := m.Shim.Out.Int() * len(m.Grid.ShimDMA)
		require.Greater(t, (g.PartsM+g.PartsN)*g.Cascade, channels, g)
		require.LessOrEqual(t, (g.PartsM/a+g.PartsN/b)*g.Cascade, channels, g)
		alone := math.Inf(1) // the best of the largest grids whose streams come one by one
		for rows := 1; rows <= 8; rows++ {
			if cols := channels - rows; rows*cols < g.Cores() {
				other, err := mapper.Within(m, w, cols, rows)
				require.NoError(t, err)
				if a, b := other.Mapping.FanOuts(); a*b == 1 {
					alone = min(alone, other.Timing.Seconds)
				}
			}
		}
		require.Less(t, c.Timing.Seconds, 0.9*alone, g)
	}
}

// TestFittingShapes expects of products on an array whose mem tiles have few channels that the mapping found is
// hardly slower than the best on any grid of cores that has a place.
func TestFittingShapes(t *testing.T) {
	m, w := machinetest.Preset(t, "vek280"), gemm(196, 384, 384, dtype.BF16, dtype.F32, dtype.F32)
	c, err := mapper.Map(m, w)
	require.NoError(t, err)
	for _, shape := range longtest.Some(2, [2]int{17, 6}, [2]int{8, 8}, [2]int{19, 5}, [2]int{14, 5}) {
		other, err := mapper.Within(m, w, shape[0], shape[1])
		require.NoError(t, err)
		require.Less(t, c.Timing.Seconds, 1.04*other.Timing.Seconds, "%v, %v", c.Mapping, other.Mapping)
	}
}
