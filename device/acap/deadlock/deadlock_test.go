package deadlock_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/deadlock"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

func npu1(t testing.TB) *machine.Machine {
	t.Helper()
	m, err := machine.Preset("npu1")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// random makes a program of two or three cores that pass small objects to each
// other, some through a mem tile, in an order that often cannot work.
func random(m *machine.Machine, r *rand.Rand) *program.Program {
	p := &program.Program{Name: "random", Machine: m}
	n := 2 + r.IntN(2)
	tile := func(i int) program.Coord { return program.Coord{Col: i, Row: 2} }
	object := program.Object{Shape: []int{4}, DType: dtype.I32}
	for range 1 + r.IntN(3) {
		from := r.IntN(n)
		f := program.FIFO{Name: fmt.Sprintf("f%d", len(p.FIFOs)), Producer: tile(from),
			Depth: 1 + r.IntN(2), Object: object, Cascade: false}
		for i := range n {
			if i != from && (len(f.Consumers) == 0 || r.IntN(3) == 0) {
				f.Consumers = append(f.Consumers, tile(i))
			}
		}
		if r.IntN(3) == 0 {
			mem, at := program.Coord{Col: from, Row: 1}, len(p.FIFOs)
			in := f
			in.Name, in.Consumers, f.Producer = in.Name+"_in", []program.Coord{mem}, mem
			p.FIFOs = append(p.FIFOs, in)
			p.Links = append(p.Links, program.Link{Tile: mem, In: []int{at}, Out: []int{at + 1}})
		}
		p.FIFOs = append(p.FIFOs, f)
	}
	// A result for the host, so that there is something to wait for.
	p.Args = []program.Arg{{Name: "y", Shape: []int{4}, DType: dtype.I32, Output: true}}
	out := len(p.FIFOs)
	p.FIFOs = append(p.FIFOs, program.FIFO{Name: "y", Producer: tile(0), Depth: 1, Object: object,
		Consumers: []program.Coord{{Col: 0, Row: 0}}})
	for i := range n {
		var body []program.Stmt
		for j := range p.FIFOs {
			f := &p.FIFOs[j]
			uses := f.Producer == tile(i)
			for _, c := range f.Consumers {
				uses = uses || c == tile(i)
			}
			if !uses {
				continue
			}
			k := 1 + r.IntN(f.Depth)
			times := 1 + r.IntN(2)
			if r.IntN(4) > 0 {
				k, times = 1, 2
			}
			if j == out {
				k, times = 1, 1
			}
			produce := f.Producer == tile(i)
			for range times {
				body = append(body, program.Acquire{FIFO: j, Produce: produce, N: k},
					program.Release{FIFO: j, Produce: produce, N: k})
			}
		}
		shuffle(r, body)
		if n := len(body); r.IntN(3) == 0 && i > 0 && n > 0 {
			// All of it again and again: what is acquired is also released.
			body = []program.Stmt{program.Loop{Count: 1 + r.IntN(3), Body: body}}
		}
		p.Cores = append(p.Cores, program.Core{Tile: tile(i), Body: body})
	}
	p.Runtime = []program.HostOp{program.Task{FIFO: out, Dims: []program.Dim{{Size: 4, Stride: 1}},
		Repeat: 1, Share: 1}, program.Await{}}
	return p
}

// shuffle changes the order of statements but keeps acquires before releases.
func shuffle(r *rand.Rand, body []program.Stmt) {
	for range 3 * len(body) {
		i := r.IntN(max(1, len(body)-1))
		if i+1 >= len(body) {
			continue
		}
		_, rel := body[i+1].(program.Release)
		a, acq := body[i].(program.Acquire)
		if acq && rel && body[i+1].(program.Release).FIFO == a.FIFO {
			continue
		}
		if _, ok := body[i].(program.Release); ok && !rel &&
			body[i].(program.Release).FIFO == body[i+1].(program.Acquire).FIFO {
			continue
		}
		body[i], body[i+1] = body[i+1], body[i]
	}
}

// TestAgreesWithExploration judges random programs in every possible order.
func TestAgreesWithExploration(t *testing.T) {
	m := npu1(t)
	r := rand.New(rand.NewPCG(4, 2))
	stuck, fine, circles, linked := 0, 0, 0, 0
	programs := longtest.Sample(20, 50, 200)
	for stuck+fine < programs {
		p := random(m, r)
		p.Lower()
		v := judged(t, p)
		if v == nil {
			continue // too many states
		}
		if v.Stuck() {
			stuck++
			explained(t, v)
			if len(v.Cycle) > 0 {
				circles++
			}
		} else {
			fine++
		}
		if len(p.Links) > 0 {
			linked++
		}
	}
	t.Logf("%d stuck, %d of them in a circle, %d fine, %d with mem tiles", stuck, circles, fine, linked)
	if third, tenth := programs*3/10, programs/10; stuck < third || fine < third || circles < tenth ||
		stuck-circles < tenth || linked < third {
		t.Error("the programs are too much alike")
	}
}

// explained checks that the waits that are named hold each other up: every one lacks
// something that the next could give, and the last is held up by the first of a circle
// or by nobody who waits.
func explained(t *testing.T, v *deadlock.Verdict) {
	t.Helper()
	waits := make(map[event.Agent]bool)
	for _, w := range v.Waits {
		waits[w.Who] = true
	}
	list := append(append([]event.Wait(nil), v.Cycle...), v.Chain...)
	if len(list) == 0 {
		t.Fatalf("no explanation: %v", v)
	}
	for i, w := range list {
		next := list[(i+1)%len(list)].Who
		if !waits[w.Who] || w.Lock >= 0 && w.Value >= w.Need {
			t.Errorf("%v does not wait in\n%v", w.Who, v)
		}
		if i < len(list)-1 || len(v.Cycle) > 0 {
			if !slices.Contains(w.Others, next) {
				t.Errorf("%v does not wait for %v in\n%v", w.Who, next, v)
			}
			continue
		}
		for _, o := range w.Others {
			if waits[o] {
				t.Errorf("the chain does not end at %v in\n%v", o, v)
			}
		}
	}
}

// swapped is two cores that each read before they write.
func swapped(m *machine.Machine) *program.Program {
	a, b := program.Coord{Col: 0, Row: 2}, program.Coord{Col: 1, Row: 2}
	object := program.Object{Shape: []int{16}, DType: dtype.I32}
	p := &program.Program{Name: "swap", Machine: m, FIFOs: []program.FIFO{
		{Name: "ab", Producer: a, Consumers: []program.Coord{b}, Depth: 1, Object: object},
		{Name: "ba", Producer: b, Consumers: []program.Coord{a}, Depth: 1, Object: object},
	}}
	body := func(in, out int) []program.Stmt {
		return []program.Stmt{program.Acquire{FIFO: in, N: 1}, program.Acquire{FIFO: out, Produce: true, N: 1},
			program.Release{FIFO: in, N: 1}, program.Release{FIFO: out, Produce: true, N: 1}}
	}
	p.Cores = []program.Core{{Tile: a, Body: body(1, 0)}, {Tile: b, Body: body(0, 1)}}
	return p
}

func TestNamesTheCycle(t *testing.T) {
	v, err := deadlock.Check(swapped(npu1(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"in a circle", "core (0, 2) waits to read ba", "core (1, 2) waits to read ab"} {
		if !strings.Contains(v.String(), want) {
			t.Errorf("%q is missing in\n%v", want, v)
		}
	}
}

func ExampleCheck() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	v, err := deadlock.Check(swapped(m))
	if err != nil {
		panic(err)
	}
	fmt.Println(v)
	// Output:
	// deadlock in swap: 6 wait in a circle
	//   core (0, 2) waits to read ba: lock ba_cons_0_cons_lock_0 (holds 0, needs 1), which (0, 2) S2MM 0 releases
	//   (0, 2) S2MM 0 is ready to move ba_cons_0_buff_0 and waits for (1, 2) MM2S 0
	//   (1, 2) MM2S 0 waits for ba_buff_0: lock ba_cons_lock_0 (holds 0, needs 1), which core (1, 2) releases
	//   core (1, 2) waits to read ab: lock ab_cons_0_cons_lock_0 (holds 0, needs 1), which (1, 2) S2MM 0 releases
	//   (1, 2) S2MM 0 is ready to move ab_cons_0_buff_0 and waits for (0, 2) MM2S 0
	//   (0, 2) MM2S 0 waits for ab_buff_0: lock ab_cons_lock_0 (holds 0, needs 1), which core (0, 2) releases
}
