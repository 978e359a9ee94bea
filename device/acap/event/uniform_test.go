package event_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestUniformProducts compares large products of random shapes, whose blocks are all
// alike, with package timing on every array: all within 0.5 %.
func TestUniformProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	compared, apart := 0, 0.0
	for range longtest.Sample(1, 1, 8) {
		size := func() int { return 256 << r.IntN(4) * (2 + r.IntN(3)) / 2 }
		w := product(size(), size(), size(), []dtype.DType{dtype.BF16, dtype.F32, dtype.I8}[r.IntN(3)])
		if w.Contraction.A.DType == dtype.I8 {
			w.Contraction.Acc = dtype.I32
		}
		if r.IntN(3) == 0 {
			w.Contraction.Out = w.Contraction.Acc
		}
		for _, name := range []string{"npu1", "npu2", "vek280", "vck190", "vck5000"} {
			choice, p := mapped(t, machinetest.Preset(t, name).Without(machine.Hops, machine.Routes), w)
			e := run(t, p, options(choice))
			d := choice.Timing.Seconds/e.Seconds - 1
			compared, apart = compared+1, max(apart, math.Abs(d))
			if math.Abs(d) > 0.005 {
				t.Errorf("%s on %s, %v: events %.1f us, closed form %.1f us, %+.1f %%", w.Name,
					name, choice.Mapping, e.Seconds*1e6, choice.Timing.Seconds*1e6, 100*d)
			}
		}
	}
	t.Logf("%d products, %.2f %% apart at most", compared, 100*apart)
}

// TestMappedProducts compares mappings whose blocks wait for more than operands of the
// next step: a held operand that comes beside the first tiles of the other, an only output
// tile, inputs of an epilogue that reach the last stage of a cascade, which runs ahead of others where B lies in mem
// tiles.
func TestMappedProducts(t *testing.T) {
	for _, c := range []struct {
		machine string
		m, k, n int
		t       dtype.DType
		input   int64 // elements of an input of the epilogue
		g       mapping.Mapping
	}{
		{"npu1", 789, 818, 48, dtype.BF16, 0, mapping.Mapping{Cols: 4, Rows: 4, PartsM: 4, PartsN: 4,
			TM: 8, TN: 16, TK: 824, Style: "vector", OutDepth: 2}},
		{"vek280", 839, 8, 373, dtype.F32, 0, mapping.Mapping{Cols: 19, Rows: 1, PartsM: 1, PartsN: 19,
			TM: 12, TN: 20, TK: 8, Style: "vector", OutDepth: 1}},
		{"vek280", 1014, 491, 196, dtype.BF16, 0, mapping.Mapping{Cols: 4, Rows: 8, PartsM: 2, PartsN: 4,
			TM: 32, TN: 52, TK: 128, Cascade: 4, Style: "vector", OutDepth: 2}},
		{"vck5000", 1475, 1905, 946, dtype.BF16, 1475 * 946, mapping.Mapping{Cols: 50, Rows: 8, PartsM: 25,
			PartsN: 8, TM: 60, TN: 20, TK: 40, Cascade: 2, Style: "cascade", OutDepth: 2}},
		{"vck190", 1024, 1024, 1000, dtype.F32, 1000, mapping.Mapping{Cols: 50, Rows: 8, PartsM: 8,
			PartsN: 25, TM: 32, TN: 40, TK: 16, Cascade: 2, Style: "cascade", OutDepth: 2}},
		{"vek280", 196, 1536, 384, dtype.F32, 196 * 384, mapping.Mapping{Cols: 24, Rows: 8, PartsM: 4,
			PartsN: 24, TM: 52, TN: 16, TK: 16, KL2: 32, Resident: 1, Cascade: 2, Style: "vector", OutDepth: 2}},
	} {
		w, g := product(c.m, c.k, c.n, c.t), c.g
		if c.input > 0 {
			w.Contraction.Epilogue.In = []workload.Stream{{DType: c.t, Elements: c.input}}
		}
		g.Kind, g.Depth, g.StageM, g.StageN, g.Cascade = w.Kind, 2, 1, 1, max(1, g.Cascade)
		m := machinetest.Preset(t, c.machine)
		e, err := timing.Estimate(m, w, g)
		if err != nil {
			t.Fatal(err)
		}
		p, err := build.Program(m, w, g)
		if err != nil {
			t.Fatal(err)
		}
		if err := event.Arrange(p); err != nil {
			t.Fatal(err)
		}
		events := run(t, p, options(&mapper.Choice{Timing: e}))
		if d := e.Seconds/events.Seconds - 1; math.Abs(d) > 0.005 {
			t.Errorf("%s on %s, %v: events %.1f us, closed form %.1f us, %+.1f %%", w.Name, c.machine, g,
				events.Seconds*1e6, e.Seconds*1e6, 100*d)
		}
	}
}
