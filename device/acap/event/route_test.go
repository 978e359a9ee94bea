package event_test

import (
	"math"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
)

// TestHops lets switches take longer: a run with one set of tasks takes as many cycles longer as the switches to the
// farthest core and back.
func TestHops(t *testing.T) {
	for _, name := range []string{"npu1", "npu2", "vek280", "vck190"} {
		m := machinetest.Preset(t, name)
		choice, p := mapped(t, m, relu(1<<16, dtype.BF16))
		before := run(t, p, options(choice))
		slow := *m
		slow.Stream.Hop.Value += 50
		p, err := choice.Program()
		if err != nil {
			t.Fatal(err)
		}
		p.Machine = &slow
		after := run(t, p, options(choice))
		way := before.Routes.Way(m)
		if d := after.Cycles - before.Cycles; math.Abs(d-50*float64(way)) > 1 || way < 2*m.Grid.MemRows+2 {
			t.Errorf("%s: %v cycles longer over %d switches", name, d, way)
		}
	}
}

// TestSharedPorts gives switches a single port to each side: streams share them, which costs a product time where
// the memory would be fast enough, and never saves any. Every byte still arrives.
func TestSharedPorts(t *testing.T) {
	shared := 0
	for _, name := range []string{"npu1", "npu2", "vek280"} {
		m := machinetest.Preset(t, name).Without(machine.Contention)
		choice, p := mapped(t, m, product(512, 512, 512, dtype.BF16))
		free := run(t, p, options(choice))
		narrow := *m
		for _, tile := range []*machine.Tile{&narrow.Core, &narrow.Mem, &narrow.Shim} {
			tile.Switch.North.Value, tile.Switch.South.Value = 1, 1
			tile.Switch.Side.Value = min(1, tile.Switch.Side.Value)
		}
		if err := narrow.Check(); err != nil {
			t.Fatal(err)
		}
		p, err := choice.Program()
		if err != nil {
			t.Fatal(err)
		}
		p.Machine = &narrow
		congested := run(t, p, options(choice))
		if n := len(congested.Routes.Shared); n == 0 || congested.Seconds < free.Seconds*(1-1e-3) ||
			congested.ReadBytes != free.ReadBytes || congested.WriteBytes != free.WriteBytes {
			t.Errorf("%s: %d ports are shared, %v s instead of %v", name, n, congested.Seconds, free.Seconds)
		}
		if congested.Seconds-congested.Launch > 1.5*(free.Seconds-free.Launch) {
			shared++
		}
	}
	if shared == 0 {
		t.Error("no product takes much longer")
	}
}

// TestRoutesAgree compares products whose streams share ports of a preset with the time model, which gives each its
// own: within 5 %.
func TestRoutesAgree(t *testing.T) {
	shared := 0
	for _, name := range []string{"vek280", "vck190"} {
		choice, p := mapped(t, machinetest.Preset(t, name), product(1536, 2048, 1536, dtype.BF16))
		e := run(t, p, options(choice))
		if d := choice.Timing.Seconds/e.Seconds - 1; math.Abs(d) > 0.05 {
			t.Errorf("%s, %v: events %v s, closed form %+.1f %%", name, choice.Mapping, e.Seconds, 100*d)
		}
		shared += len(e.Routes.Shared)
	}
	if shared == 0 {
		t.Error("no ports are shared")
	}
	m := machinetest.Preset(t, "npu1").Without(machine.Hops, machine.Routes)
	_, p := mapped(t, m, relu(1<<12, dtype.BF16))
	if r := run(t, p, event.Options{}); r.Routes != nil {
		t.Error("routes of a machine whose switches do not matter")
	}
}
