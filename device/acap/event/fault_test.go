package event_test

import (
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
)

// TestFaults breaks a program in every way and checks that the culprit is named.
func TestFaults(t *testing.T) {
	c, p := mapped(t, machinetest.Preset(t, "npu1"), product(256, 256, 256, dtype.BF16))
	healthy := run(t, p, options(c))
	mem := program.Coord{Col: 1, Row: 1}
	for _, f := range []struct {
		name   string
		fault  event.Fault
		agent  string
		finish bool
	}{
		{"dead", event.Fault{Kind: event.DeadTile, Tile: p.Cores[0].Tile},
			event.Agent{Kind: event.CoreAgent}.Describe(p), false},
		{"dead mem tile", event.Fault{Kind: event.DeadTile, Tile: mem}, "(1, 1) S2MM 0", false},
		{"dead shim", event.Fault{Kind: event.DeadTile, Tile: program.Coord{Col: 1}}, "(1, 0) MM2S 0", false},
		{"slow", event.Fault{Kind: event.SlowColumn, Tile: p.Cores[0].Tile, Factor: 3},
			event.Agent{Kind: event.CoreAgent}.Describe(p), true},
		{"drop", event.Fault{Kind: event.DropDMA, Tile: mem, Dir: program.S2MM, After: 1},
			"(1, 1) S2MM 0", false},
		{"stall", event.Fault{Kind: event.StallDMA, Tile: mem, Dir: program.S2MM, Cycles: 700},
			"(1, 1) S2MM 0", true},
	} {
		o := options(c)
		o.Faults = []event.Fault{f.fault}
		r, err := event.Run(p, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Finished != f.finish {
			t.Errorf("%s: finished %v", f.name, r.Finished)
		}
		found := event.Diagnose(p, healthy, r)
		if len(found) == 0 || found[0].Agent.Describe(p) != f.agent {
			t.Errorf("%s: found %v, want %s", f.name, found, f.agent)
		}
		if f.finish && r.Seconds <= healthy.Seconds {
			t.Errorf("%s: not slower", f.name)
		}
	}
	if found := event.Diagnose(p, healthy, healthy); len(found) > 0 {
		t.Errorf("a healthy run: %v", found)
	}
}

func TestMalformed(t *testing.T) {
	for name, spoil := range map[string]func(*program.Program){
		"await":  func(p *program.Program) { p.Runtime = []program.HostOp{program.Await{Task: 7}} },
		"task":   func(p *program.Program) { p.Runtime = []program.HostOp{program.Task{FIFO: 99}} },
		"end":    func(p *program.Program) { p.Cores[0].Body = []program.Stmt{program.Acquire{FIFO: 99, N: 1}} },
		"flow":   func(p *program.Program) { p.Flows = append(p.Flows, p.Flows[0]) },
		"length": func(p *program.Program) { p.DMAs[len(p.DMAs)-1].Descriptors[0].Length = 0 },
	} {
		m := machinetest.Preset(t, "npu1")
		w := relu(8192, dtype.BF16)
		p, err := build.Program(m, w, mapping.Mapping{Kind: w.Kind, Cols: 1, Rows: 2, Tile: 1024, Depth: 2})
		if err != nil {
			t.Fatal(err)
		}
		p.Lower()
		for i := range p.DMAs { // a channel with descriptors last
			if len(p.DMAs[i].Descriptors) > 0 {
				p.DMAs[len(p.DMAs)-1], p.DMAs[i] = p.DMAs[i], p.DMAs[len(p.DMAs)-1]
				break
			}
		}
		spoil(p)
		if _, err := event.Run(p, event.Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
