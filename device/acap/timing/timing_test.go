package timing_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

func product(m, k, n int, t dtype.DType) *workload.Kernel {
	op := workload.Operand{DType: t}
	return &workload.Kernel{Name: "product", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: m, N: n, K: k, A: op, B: op, Acc: t, Out: t}}
}

// square is a mapping on four by four cores with cubic tiles.
func square(tile int) mapping.Mapping {
	return mapping.Mapping{Kind: workload.KindContraction, Cols: 4, Rows: 4, TM: tile, TN: tile,
		TK: tile, PartsM: 4, PartsN: 4, Cascade: 1, StageM: 1, StageN: 1, Style: "vector",
		OutDepth: 2, Depth: 2}
}

// TestSystolicCycles checks the five cycle counts published with SCALE-Sim.
func TestSystolicCycles(t *testing.T) {
	for _, c := range []struct {
		flow    machine.Dataflow
		m, k, n int64
		want    int64
	}{
		{machine.WeightStationary, 3025, 363, 96, 112283}, // AlexNet conv1
		{machine.OutputStationary, 256, 256, 128, 10175},
		{machine.WeightStationary, 256, 256, 128, 11199},
		{machine.InputStationary, 256, 256, 128, 14207},
		{machine.WeightStationary, 25, 1728, 384, 77111}, // Inception 5b 3x3
	} {
		if got := c.flow.Cycles(32, 32, c.m, c.k, c.n); got != c.want {
			t.Errorf("%s %d x %d x %d: %d cycles, want %d", c.flow, c.m, c.k, c.n, got, c.want)
		}
	}
}

// runner is the machine of mlir-air's runner: its cost function counts work over
// rate plus 100 cycles for the call, and bytes over 4 a cycle.
func runner() *machine.Machine {
	rate := func(v float64) machine.Constant { return machine.Constant{Value: v} }
	m := machine.Systolic(1, 1, machine.OutputStationary)
	m.Name, m.Family, m.Systolic = "air", machine.AIE2, nil
	m.Grid.ShimDMA, m.Grid.MemRows = []int{0}, 1
	m.Core.ChannelRate, m.Core.In, m.Core.Out = rate(4), rate(2), rate(2)
	m.Shim.ChannelRate, m.Shim.In, m.Shim.Out = rate(4), rate(2), rate(2)
	m.Compute = machine.Compute{
		MACs:      map[string]machine.Constant{"i32": rate(32), "bf16": rate(128), "i8": rate(256)},
		Lanes:     map[string]machine.Constant{"i32": rate(1)},
		Styles:    map[string]machine.Style{"linalg": {Efficiency: rate(1), Call: rate(100)}},
		Routines:  map[string]machine.Routine{"linalg.generic": {Element: rate(4), Call: rate(100)}},
		LoadBytes: rate(1 << 20), StoreBytes: rate(1 << 20),
	}
	return m
}

// TestRunnerGoldens checks the cycle counts of mlir-air's runner tests.
func TestRunnerGoldens(t *testing.T) {
	m := runner()
	for _, c := range []struct {
		t            dtype.DType
		core, stream float64
	}{{dtype.I32, 1124, 1024}, {dtype.BF16, 356, 512}, {dtype.I8, 228, 256}} {
		g := mapping.Mapping{Kind: workload.KindContraction, Cols: 1, Rows: 1, TM: 32, TN: 32,
			TK: 32, PartsM: 1, PartsN: 1, Cascade: 1, StageM: 1, StageN: 1, Style: "linalg",
			OutDepth: 2, Depth: 2}
		e, err := timing.Estimate(m, product(32, 32, 32, c.t), g)
		if err != nil {
			t.Fatal(err)
		}
		core, stream := e.Step.Core*m.Clock.Value, e.Step.Stream*m.Clock.Value
		if !near(core, c.core) || !near(stream, c.stream) {
			t.Errorf("matmul of %v: %g and %g cycles, want %g and %g", c.t, core, stream, c.core,
				c.stream)
		}
	}
	s := workload.Stream{DType: dtype.I32, Elements: 32 * 32}
	generic := &workload.Kernel{Name: "generic", Kind: workload.KindPointwise,
		Pointwise: workload.Pointwise{Elements: 32 * 32, DType: dtype.I32,
			In: []workload.Stream{s}, Out: []workload.Stream{s},
			Ops: workload.Mix{Routine: "linalg.generic"}}}
	e, err := timing.Estimate(m, generic, mapping.Mapping{Kind: workload.KindPointwise, Cols: 1,
		Rows: 1, Tile: 1024, Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Step.Core * m.Clock.Value; !near(got, 4196) {
		t.Errorf("generic: %g cycles, want 4196", got)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// TestBounds checks over random products and mappings that no estimate beats
// peak rate or compulsory traffic, that the parts add up, and that utilization
// is at most one.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	types := []dtype.DType{dtype.I8, dtype.I16, dtype.BF16}
	for range 2000 {
		m := machinetest.Preset(t, "npu1")
		w := product(1+r.IntN(3000), 1+r.IntN(3000), 1+r.IntN(3000), types[r.IntN(3)])
		g := square(8 << r.IntN(4))
		g.OutDepth = 1 + r.IntN(2)
		e, err := timing.Estimate(m, w, g)
		if err != nil {
			t.Fatal(err)
		}
		if e.Seconds < e.Ideal*(1-1e-9) {
			t.Errorf("%v of %+v: %g s beat the ideal %g s", g, w.Contraction, e.Seconds, e.Ideal)
		}
		s := e.Stalls
		sum := s.Compute + s.Call + s.DMA + s.Output + s.Fill + s.Host
		if least := min(s.Compute, s.Call, s.DMA, s.Output, s.Fill, s.Host); least < 0 {
			t.Errorf("%v of %+v: a stall of %g s", g, w.Contraction, least)
		}
		if !near(sum, e.Seconds) {
			t.Errorf("stalls add up to %g of %g s", sum, e.Seconds)
		}
		parts := e.Launch + e.Restart + e.Fill + e.Steady + e.Output + e.Drain
		if !near(parts, e.Seconds) {
			t.Errorf("phases add up to %g of %g s", parts, e.Seconds)
		}
		if e.PeakShare > 1 || e.OpsPerSecond > e.Roofline*(1+1e-9) {
			t.Errorf("%g of peak, %g ops/s of %g", e.PeakShare, e.OpsPerSecond, e.Roofline)
		}
		if e.MACs != w.MACs() || e.ReadL3 < w.ReadBytes() || e.WriteL3 < w.WriteBytes() {
			t.Errorf("%d multiply-accumulates, %d and %d bytes", e.MACs, e.ReadL3, e.WriteL3)
		}
	}
}

// TestFloor checks over random products and mappings that no estimate beats its floor, and
// that the floor is near it where the pipeline is filled and all buffers are double.
func TestFloor(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range longtest.Sample(1250, 1250, 2500) {
		m := machinetest.Preset(t, []string{"npu1", "vek280"}[r.IntN(2)])
		w := product(1+r.IntN(2000), 1+r.IntN(2000), 1+r.IntN(2000), dtype.BF16)
		w.Contraction.Batch = 1 + r.IntN(3)
		if r.IntN(3) == 0 {
			c := &w.Contraction
			c.Epilogue.In = []workload.Stream{{DType: dtype.BF16, Elements: int64(c.Batch * c.M * c.N)}}
		}
		g := square(8)
		g.TM, g.TN, g.TK = 8<<r.IntN(4), 8<<r.IntN(4), 8<<r.IntN(8)
		g.OutDepth, g.Depth, g.KL2 = 1+r.IntN(2), 1+r.IntN(2), g.TK<<r.IntN(3)
		if r.IntN(3) == 0 {
			g.PartsM, g.Cascade = 2, 2
		}
		if i%5 == 4 { // an array without mem tiles
			m = machinetest.Preset(t, "vck190")
			w = product(1+r.IntN(500), 1+r.IntN(500), 1+r.IntN(40), dtype.F32)
			g.Style, g.Cols, g.Rows, g.PartsM, g.PartsN = "cascade", 2, 1, 1+r.IntN(2), 1
			g.Cascade, g.TM, g.TN, g.TK = 2/g.PartsM, 4<<r.IntN(4), 4<<r.IntN(6), 4<<r.IntN(4)
			if r.IntN(2) == 0 {
				w.Contraction.Epilogue.In = []workload.Stream{{DType: dtype.F32, Elements: int64(w.Contraction.N)}}
			}
		}
		o, err := timing.NewModel(m, w)
		if err != nil {
			t.Fatal(err)
		}
		e, err := o.Estimate(g)
		if err != nil {
			t.Fatal(err)
		}
		floor := o.Floor(g)
		if floor > e.Seconds*(1+1e-9) {
			t.Errorf("%s, %v of %+v: %g s, floor %g s", m.Name, g, w.Contraction, e.Seconds, floor)
		}
		if e.Rounds*e.Steps > 1000 && min(g.Depth, g.OutDepth) > 1 && len(w.Contraction.Epilogue.In) == 0 && floor < e.Seconds*0.9 {
			t.Errorf("%s, %v of %+v: %g s, floor only %g s", m.Name, g, w.Contraction, e.Seconds, floor)
		}
		for _, share := range []float64{0.1, 0.5, 0.9, 1.01} {
			if least := o.FloorUpTo(&g, share*floor); least > floor*(1+1e-9) || least < min(share, 1)*floor {
				t.Errorf("%s, %v of %+v: floor %g s, %g s for %g of it", m.Name, g, w.Contraction, floor, least, share)
			}
		}
	}
}

// TestMonotone expects that a better machine is never slower.
func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	better := []func(*machine.Machine){
		func(m *machine.Machine) { m.Clock.Value *= 1.5 },
		func(m *machine.Machine) { m.DDR.Read.Value *= 1.5 },
		func(m *machine.Machine) { m.DDR.Write.Value *= 1.5 },
		func(m *machine.Machine) { m.DDR.Total.Value *= 1.5 },
		func(m *machine.Machine) { m.DDR.PerShim.Value *= 1.5 },
		func(m *machine.Machine) { m.Host.Launch.Value /= 2 },
		func(m *machine.Machine) { m.Core.ChannelRate.Value *= 2 },
	}
	for range 300 {
		w := product(1+r.IntN(2000), 1+r.IntN(2000), 1+r.IntN(2000), dtype.BF16)
		g := square(16 << r.IntN(3))
		g.OutDepth = 1 + r.IntN(2)
		base, err := timing.Estimate(machinetest.Preset(t, "npu1"), w, g)
		if err != nil {
			t.Fatal(err)
		}
		for i, change := range better {
			m := machinetest.Preset(t, "npu1")
			change(m)
			e, err := timing.Estimate(m, w, g)
			if err != nil {
				t.Fatal(err)
			}
			if e.Seconds > base.Seconds*(1+1e-12) {
				t.Errorf("change %d made %v slower: %g s, was %g s", i, g, e.Seconds, base.Seconds)
			}
		}
	}
}

// TestHalfK expects half the work from half the contracted dimension: on a machine whose
// rows do not disturb each other, and where both have more rows of B than banks.
func TestHalfK(t *testing.T) {
	even := machinetest.Preset(t, "npu1")
	even.DDR.Pitch = nil
	for _, n := range []int{1024, 2048, 4096} {
		halfK(t, even, n, 1024, 4096, 16384)
		halfK(t, machinetest.Preset(t, "npu1"), n, 4096, 16384)
	}
}

func halfK(t *testing.T, m *machine.Machine, n int, ks ...int) {
	t.Helper()
	estimate := func(k int) timing.Timing {
		e, err := timing.Estimate(m, product(2048, k, n, dtype.BF16), square(64))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for _, k := range ks {
		whole, half := estimate(k), estimate(k/2)
		fixed := whole.Launch + whole.Restart
		ratio := (half.Seconds - fixed) / (whole.Seconds - fixed)
		if ratio < 0.45 || ratio > 0.55 {
			t.Errorf("K of %d, N of %d: ratio %g", k, n, ratio)
		}
	}
}

// TestTransposed expects the same time when M and N, rows and columns change
// places on a square array with symmetric memory.
func TestTransposed(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	m.DDR.Burst, m.DDR.Pitch, m.DDR.Chips = nil, nil, machine.Chips{}
	g := square(32)
	g.TM, g.TN = 64, 32
	h := g
	h.TM, h.TN = g.TN, g.TM
	h.PartsM, h.PartsN = g.PartsN, g.PartsM
	for _, style := range []string{"vector"} {
		s := m.Compute.Styles[style]
		s.Set = 1
		m.Compute.Styles[style] = s
	}
	a, err := timing.Estimate(m, product(1024, 512, 256, dtype.BF16), g)
	if err != nil {
		t.Fatal(err)
	}
	b, err := timing.Estimate(m, product(256, 512, 1024, dtype.BF16), h)
	if err != nil {
		t.Fatal(err)
	}
	if !near(a.Seconds, b.Seconds) {
		t.Errorf("%g s, transposed %g s", a.Seconds, b.Seconds)
	}
}

// TestCausal expects a mask to save time, and never more than the masked share.
func TestCausal(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	g := mapping.Mapping{Kind: workload.KindAttention, Cols: 8, Rows: 4, Heads: 2, FanOut: 1, Tile: 64, TK: 64,
		TN: 64, Cascade: 4, Style: "external", Depth: 2}
	for _, n := range []int{256, 1000, 4096} {
		w := &workload.Kernel{Name: "attention", Kind: workload.KindAttention,
			Attention: workload.Attention{Batch: 1, Heads: 8, KVHeads: 8, Sq: n, Sk: n, D: 64, DV: 64,
				DType: dtype.BF16, Acc: dtype.F32}}
		full, err := timing.Estimate(m, w, g)
		if err != nil {
			t.Fatal(err)
		}
		w.Attention.Causal = true
		causal, err := timing.Estimate(m, w, g)
		if err != nil {
			t.Fatal(err)
		}
		if causal.Seconds > full.Seconds || causal.Seconds < full.Seconds/2 {
			t.Errorf("%d: %g s causal, %g s full", n, causal.Seconds, full.Seconds)
		}
		masked := g
		masked.Masked = true
		if all, err := timing.Estimate(m, w, masked); err != nil || all.Seconds != full.Seconds {
			t.Errorf("%d: %g s with all scores masked, %g s full: %v", n, all.Seconds, full.Seconds, err)
		}
	}
}

// TestKeysShare: keys and values of a token take as much longer as they are read at a smaller share of the memory's
// rate.
func TestKeysShare(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	w := &workload.Kernel{Name: "attention", Kind: workload.KindAttention, Attention: workload.Attention{Batch: 1, Heads: 8, KVHeads: 8,
		Sq: 4, Sk: 8192, D: 128, DV: 128, DType: dtype.BF16, Acc: dtype.F32}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 8, Rows: 1, Heads: 8, FanOut: 1, Tile: 8, TK: 8, TN: 128, Cascade: 1, Style: "exact", Depth: 2}
	slow, err := timing.Estimate(m, w, g)
	require.NoError(t, err)
	attention := m.Compute.Routines["attention"]
	require.InEpsilon(t, 8*2*2*128*8192/(m.DDR.Read.Value*0.78), slow.Step.DDR*float64(slow.Steps), 1e-9)
	attention.Read.Value = 0
	m.Compute.Routines["attention"] = attention
	fast, err := timing.Estimate(m, w, g)
	require.NoError(t, err)
	require.InEpsilon(t, fast.Step.DDR/0.78, slow.Step.DDR, 1e-9)
	require.Greater(t, slow.Seconds, fast.Seconds)
}

func TestErrors(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	g := square(64)
	wrong := g
	wrong.Kind = workload.KindMove
	unknown := g
	unknown.Style = "interpretive"
	empty := g
	empty.TK = 0
	for name, c := range map[string]struct {
		w *workload.Kernel
		g mapping.Mapping
	}{
		"kind":  {product(64, 64, 64, dtype.BF16), wrong},
		"style": {product(64, 64, 64, dtype.BF16), unknown},
		"tile":  {product(64, 64, 64, dtype.BF16), empty},
		"type":  {product(64, 64, 64, dtype.C64), g},
		"shape": {product(0, 64, 64, dtype.BF16), g},
	} {
		if _, err := timing.Estimate(m, c.w, c.g); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	o, err := timing.NewModel(machinetest.Preset(b, "npu1"), product(4096, 4096, 4096, dtype.BF16))
	if err != nil {
		b.Fatal(err)
	}
	g := square(64)
	for b.Loop() {
		if _, err := o.Estimate(g); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleEstimate() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	bf16 := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "gemm", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 4096, N: 4096, K: 4096, A: bf16, B: bf16,
			Acc: dtype.BF16, Out: dtype.BF16}}
	g := mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 4, PartsM: 4, PartsN: 4, TM: 64, TN: 64, TK: 64,
		Cascade: 1, StageM: 1, StageN: 1, Style: "vector", Depth: 2, OutDepth: 2}
	t, err := timing.Estimate(m, w, g)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f ms, %.2f TFLOPS, %.0f %% of peak, bound by %v\n", 1e3*t.Seconds,
		t.OpsPerSecond/1e12, 100*t.PeakShare, t.Bound)
	// Output:
	// 67.7 ms, 2.03 TFLOPS, 50 % of peak, bound by DDR
}

func BenchmarkFloor(b *testing.B) {
	o, err := timing.NewModel(machinetest.Preset(b, "npu1"), product(4096, 4096, 4096, dtype.BF16))
	if err != nil {
		b.Fatal(err)
	}
	g := square(64)
	for b.Loop() {
		if o.Floor(g) == 0 {
			b.Fatal("no floor")
		}
	}
}
