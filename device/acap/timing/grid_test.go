package timing_test

import (
	"sync"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestGrids times mappings on several grids with one model, by several goroutines and in
// several orders, and expects what a model of each mapping's own says.
func TestGrids(t *testing.T) {
	m, w := machinetest.Preset(t, "npu2"), product(1024, 1024, 1024, dtype.BF16)
	m.DDR.PerShim.Value /= 8 // so that it matters which streams share an interface tile
	var mappings []mapping.Mapping
	var floors, seconds []float64
	for _, c := range [][4]int{{8, 4, 8, 1}, {8, 8, 4, 1}, {8, 2, 8, 2}, {8, 1, 8, 4}, {4, 4, 4, 1}} {
		g := square(32)
		g.Cols, g.PartsM, g.PartsN, g.Cascade, g.Style = c[0], c[1], c[2], c[3], "external"
		e, err := timing.Estimate(m, w, g)
		if err != nil {
			t.Fatal(err)
		}
		own, err := timing.NewModel(m, w)
		if err != nil {
			t.Fatal(err)
		}
		mappings, floors = append(mappings, g), append(floors, own.Floor(g))
		seconds = append(seconds, e.Seconds)
	}
	o, err := timing.NewModel(m, w)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for step := 1; step < len(mappings); step++ {
		group.Go(func() {
			for i := range 200 {
				k := i * step % len(mappings)
				e, err := o.Estimate(mappings[k])
				if floor := o.Floor(mappings[k]); floor != floors[k] || err != nil || e.Seconds != seconds[k] {
					t.Errorf("%v: floor %g s, %g s, alone %g s and %g s: %v", mappings[k], floor, e.Seconds,
						floors[k], seconds[k], err)
					return
				}
			}
		})
	}
	group.Wait()
}

// TestFloorAllocates expects the floors of a search on one grid to allocate nothing, with
// inputs of an epilogue too.
func TestFloorAllocates(t *testing.T) {
	w := product(1024, 1024, 1024, dtype.BF16)
	w.Contraction.Epilogue.In = []workload.Stream{{DType: dtype.BF16, Elements: 1024}}
	o, err := timing.NewModel(machinetest.Preset(t, "npu2"), w)
	if err != nil {
		t.Fatal(err)
	}
	g := square(32)
	g.Style = "external"
	if n := testing.AllocsPerRun(100, func() { o.Floor(g) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
