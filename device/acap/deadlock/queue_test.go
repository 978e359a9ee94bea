package deadlock_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/deadlock"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// relay is a core that passes objects on from the host to the host, which issues all tasks of one direction before the
// tasks of the other.
func relay(m *machine.Machine, objects int) *program.Program {
	core, shim := program.Coord{Row: 2}, program.Coord{}
	object := program.Object{Shape: []int{4}, DType: dtype.I32}
	p := &program.Program{Name: "relay", Machine: m, FIFOs: []program.FIFO{
		{Name: "x", Producer: shim, Consumers: []program.Coord{core}, Depth: 1, Object: object},
		{Name: "y", Producer: core, Consumers: []program.Coord{shim}, Depth: 1, Object: object},
	}}
	p.Cores = []program.Core{{Tile: core, Body: []program.Stmt{program.Loop{Count: objects,
		Body: []program.Stmt{program.Acquire{FIFO: 0, N: 1}, program.Acquire{FIFO: 1, Produce: true, N: 1},
			program.Release{FIFO: 0, N: 1}, program.Release{FIFO: 1, Produce: true, N: 1}}}}}}
	for f, name := range []string{"x", "y"} {
		p.Args = append(p.Args, program.Arg{Name: name, Shape: []int{4 * objects}, DType: dtype.I32,
			Output: f == 1})
		for i := range objects {
			p.Runtime = append(p.Runtime, program.Task{ID: len(p.Runtime), FIFO: f, Arg: f, Offset: 4 * i,
				Dims: []program.Dim{{Size: 4, Stride: 1}}, Repeat: 1, Share: 1})
		}
	}
	p.Runtime = append(p.Runtime, program.Await{Task: 2*objects - 1})
	return p
}

// queues returns npu1 with queues for the given number of tasks.
func queues(t *testing.T, tasks float64) *machine.Machine {
	m := *npu1(t)
	m.Shim.Queue.Value = tasks
	m.Core.In.Value, m.Core.Out.Value = 8, 8
	return &m
}

// TestFullQueue finds the host in a circle: two objects fit the core, four tasks the
// queue, and the host has a seventh.
func TestFullQueue(t *testing.T) {
	check := func(p *program.Program) *deadlock.Verdict {
		v, err := deadlock.Check(p)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := check(relay(npu1(t), 6)); v.Stuck() {
		t.Error(v)
	}
	if v := check(relay(queues(t, 0), 7)); v.Stuck() {
		t.Error(v)
	}
	p := relay(npu1(t), 7)
	v := check(p)
	if len(v.Cycle) != 6 {
		t.Errorf("%d wait in a circle", len(v.Cycle))
	}
	explained(t, v)
	const order = "task 6 on x needs a place in the queue of tile (0, 0) MM2S 0, whose 4 tasks wait for"
	if err := p.Verify(); err == nil || !strings.Contains(err.Error(), order) {
		t.Errorf("verified: %v", err)
	}
	for _, want := range []string{
		"host has a task for x to issue, but (0, 0) MM2S 0 has 4 in its queue",
		"(0, 0) S2MM 0 waits for its next task",
	} {
		if !strings.Contains(v.String(), want) {
			t.Errorf("%q is missing in\n%v", want, v)
		}
	}
	if err := event.Arrange(p); err != nil {
		t.Fatal(err)
	}
	if v := check(p); v.Stuck() {
		t.Error(v)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
}

// hosted makes a program of one or two cores in a row and up to two inputs, whose tasks the
// host issues in an order that often cannot work.
func hosted(m *machine.Machine, r *rand.Rand) *program.Program {
	cores, object := 1+r.IntN(2), program.Object{Shape: []int{4}, DType: dtype.I32}
	p := &program.Program{Name: "hosted", Machine: m}
	var bodies [2][]program.Stmt
	// Each FIFO carries the same number of objects in every round.
	rounds := 2 + r.IntN(3)
	use := func(core, fifo, each int, produce bool) {
		for range each {
			bodies[core] = append(bodies[core], program.Acquire{FIFO: fifo, Produce: produce, N: 1},
				program.Release{FIFO: fifo, Produce: produce, N: 1})
		}
	}
	add := func(from, to program.Coord) int {
		p.FIFOs = append(p.FIFOs, program.FIFO{Name: fmt.Sprintf("f%d", len(p.FIFOs)), Producer: from,
			Consumers: []program.Coord{to}, Depth: 1 + r.IntN(2), Object: object})
		return len(p.FIFOs) - 1
	}
	issue := func(fifo, each int, output bool) {
		p.Args = append(p.Args, program.Arg{Name: p.FIFOs[fifo].Name, Shape: []int{4 * rounds * each},
			DType: dtype.I32, Output: output})
		for i := range rounds * each {
			p.Runtime = append(p.Runtime, program.Task{ID: len(p.Runtime), FIFO: fifo,
				Arg: len(p.Args) - 1, Offset: 4 * i, Dims: []program.Dim{{Size: 4, Stride: 1}}, Repeat: 1,
				Share: 1})
		}
	}
	shim := program.Coord{}
	tile := func(i int) program.Coord { return program.Coord{Col: i, Row: 2} }
	for range 1 + r.IntN(2) {
		core, each := r.IntN(cores), 1+r.IntN(2)
		f := add(shim, tile(core))
		use(core, f, each, false)
		issue(f, each, false)
	}
	for from := range 2 * (cores - 1) {
		if from == 0 || r.IntN(2) == 0 { // there, and sometimes back
			f, each := add(tile(from), tile(1-from)), 1+r.IntN(2)
			use(from, f, each, true)
			use(1-from, f, each, false)
		}
	}
	f, each := add(tile(cores-1), shim), 1+r.IntN(2)
	use(cores-1, f, each, true)
	issue(f, each, true)
	for i := range cores {
		shuffle(r, bodies[i])
		p.Cores = append(p.Cores, program.Core{Tile: tile(i),
			Body: []program.Stmt{program.Loop{Count: rounds, Body: bodies[i]}}})
	}
	last := len(p.Runtime) - 1
	mix(r, p.Runtime)
	p.Runtime = append(p.Runtime, program.Await{Task: last})
	return p
}

// mix changes the order of tasks but keeps the order of each FIFO's tasks.
func mix(r *rand.Rand, steps []program.HostOp) {
	for range r.IntN(2 * len(steps)) {
		i := r.IntN(len(steps) - 1)
		if steps[i].(program.Task).FIFO != steps[i+1].(program.Task).FIFO {
			steps[i], steps[i+1] = steps[i+1], steps[i]
		}
	}
}

// TestQueuesAgreeWithExploration judges random programs of a host with short queues in
// every possible order, and expects those to finish after [event.Arrange] that finish
// with queues without an end.
func TestQueuesAgreeWithExploration(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	stuck, fine, full, mended := 0, 0, 0, 0
	for stuck+fine < 200 {
		queue := 1 + r.IntN(2)
		p := hosted(queues(t, float64(queue)), r)
		endless := p.Copy()
		endless.Machine = queues(t, 0)
		p.Lower()
		v := judged(t, p)
		if v == nil {
			continue // too many states
		}
		e, err := deadlock.Check(endless)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Verify(); (err != nil) != (v.Stuck() && !e.Stuck()) {
			t.Errorf("%v, with endless queues: %v, verified: %v", v, e, err)
		}
		if !v.Stuck() {
			fine++
			continue
		}
		stuck++
		explained(t, v)
		if slices.ContainsFunc(v.Cycle, func(w event.Wait) bool { return w.For == event.ForSpace }) {
			full++
		}
		if err := event.Arrange(p); err != nil {
			t.Fatal(err)
		}
		if v, err = deadlock.Check(p); err != nil || v.Stuck() != e.Stuck() {
			t.Errorf("with endless queues: %v, arranged: %v, %v", e, v, err)
		}
		if !v.Stuck() {
			mended++
		}
	}
	t.Logf("%d stuck, %d of them by a full queue, %d mended, %d fine", stuck, full, mended, fine)
	if stuck < 60 || fine < 60 || full < 40 || mended < 40 || stuck == mended {
		t.Error("the programs are too much alike")
	}
}
