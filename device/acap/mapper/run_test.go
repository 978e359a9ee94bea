package mapper_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/acap/workload/workloadtest"
)

// untimed runs a lowered program without time: cores, DMA channels and the host
// take turns, streams carry bytes without storage. It is the bounded Kahn network
// of the program, so one order of running decides whether it finishes.
type untimed struct {
	p       *program.Program
	locks   []int
	sources map[int][]int // receiving DMAs, by sending DMA
	chans   []channel
	cores   []coreRun
	cascade []int // objects under way, by FIFO
	host    int
	done    map[int]bool // tasks
	rings   map[*program.Endpoint]*ring
}

// channel is the state of a DMA channel.
type channel struct {
	tasks  []program.Task // queued, of an interface tile
	at     int            // descriptor
	active bool
	left   int // bytes of the transfer under way
}

// coreRun is a core as a stack of loop positions.
type coreRun struct {
	tile  program.Coord
	stack []frame
}

type frame struct {
	body  []program.Stmt
	at    int
	times int
}

func newUntimed(p *program.Program) *untimed {
	u := &untimed{p: p, sources: make(map[int][]int), done: make(map[int]bool),
		rings: make(map[*program.Endpoint]*ring),
		chans: make([]channel, len(p.DMAs)), cascade: make([]int, len(p.FIFOs))}
	for _, l := range p.Locks {
		u.locks = append(u.locks, l.Init)
	}
	for i := range p.FIFOs {
		f := &p.FIFOs[i]
		if f.Cascade {
			continue
		}
		for _, e := range f.Ends[1:] {
			u.sources[f.Ends[0].DMA] = append(u.sources[f.Ends[0].DMA], e.DMA)
		}
	}
	for i := range p.Cores {
		c := &p.Cores[i]
		u.cores = append(u.cores, coreRun{c.Tile, []frame{{c.Body, 0, 1}}})
	}
	return u
}

// run returns an error when the program stops before its end.
func (u *untimed) run() error {
	for {
		progress := u.hostStep()
		for i := range u.chans {
			progress = u.start(i) || progress
		}
		for from, to := range u.sources {
			progress = u.move(from, to) || progress
		}
		for i := range u.cores {
			progress = u.core(&u.cores[i]) || progress
		}
		if !progress {
			break
		}
	}
	if u.host < len(u.p.Runtime) {
		return fmt.Errorf("deadlock: the host waits at step %d of %d", u.host, len(u.p.Runtime))
	}
	for i := range u.cores {
		if len(u.cores[i].stack) > 0 {
			return fmt.Errorf("deadlock: core %v has not finished", u.cores[i].tile)
		}
	}
	// Receivers end waiting for data that does not come, a free slot in hand.
	for i := range u.chans {
		d := &u.p.DMAs[i]
		if c := &u.chans[i]; c.active && d.Dir == program.S2MM && len(d.Descriptors) > 0 {
			b := &d.Descriptors[c.at]
			if c.left != b.Length*u.p.Buffers[b.Buffer].Object.DType.Size() {
				return fmt.Errorf("tile %v ends in the middle of a transfer", d.Tile)
			}
			u.locks[b.Acquire.Lock] += b.Acquire.Value
		}
	}
	for i, l := range u.p.Locks {
		if u.locks[i] != l.Init {
			return fmt.Errorf("lock %s ends at %d, started at %d", l.Name, u.locks[i], l.Init)
		}
	}
	return nil
}

func (u *untimed) hostStep() bool {
	progress := false
	for u.host < len(u.p.Runtime) {
		switch op := u.p.Runtime[u.host].(type) {
		case program.Task:
			f := &u.p.FIFOs[op.FIFO]
			end := &f.Ends[0]
			if u.p.Args[op.Arg].Output {
				end = &f.Ends[1]
			}
			u.chans[end.DMA].tasks = append(u.chans[end.DMA].tasks, op)
		case program.Await:
			if !u.done[op.Task] {
				return progress
			}
		}
		u.host++
		progress = true
	}
	return progress
}

// start begins the next transfer of a channel if its lock allows.
func (u *untimed) start(i int) bool {
	c, d := &u.chans[i], &u.p.DMAs[i]
	if c.active {
		return false
	}
	if len(d.Descriptors) == 0 {
		if len(c.tasks) == 0 {
			return false
		}
		t := c.tasks[0]
		c.left = t.Elements() * u.p.Args[t.Arg].DType.Size()
		c.active = true
		return true
	}
	b := &d.Descriptors[c.at]
	if l := b.Acquire.Lock; l >= 0 {
		if u.locks[l] < b.Acquire.Value {
			return false
		}
		u.locks[l] -= b.Acquire.Value
	}
	c.left = b.Length * u.p.Buffers[b.Buffer].Object.DType.Size()
	c.active = true
	return true
}

// move carries as many bytes as sender and all receivers are ready for.
func (u *untimed) move(from int, to []int) bool {
	if !u.chans[from].active {
		return false
	}
	n := u.chans[from].left
	for _, r := range to {
		if !u.chans[r].active {
			return false
		}
		n = min(n, u.chans[r].left)
	}
	for _, i := range append([]int{from}, to...) {
		if u.chans[i].left -= n; u.chans[i].left == 0 {
			u.finish(i)
		}
	}
	return true
}

func (u *untimed) finish(i int) {
	c, d := &u.chans[i], &u.p.DMAs[i]
	c.active = false
	if len(d.Descriptors) == 0 {
		u.done[c.tasks[0].ID] = true
		c.tasks = c.tasks[1:]
		return
	}
	b := &d.Descriptors[c.at]
	if b.Release.Lock >= 0 {
		u.locks[b.Release.Lock] += b.Release.Value
	}
	c.at = b.Next
}

// core runs a core until it has to wait.
func (u *untimed) core(c *coreRun) bool {
	progress := false
	for len(c.stack) > 0 {
		f := &c.stack[len(c.stack)-1]
		if f.at == len(f.body) || f.times == 0 {
			if f.times--; f.times <= 0 {
				c.stack = c.stack[:len(c.stack)-1]
				continue
			}
			f.at = 0
		}
		switch s := f.body[f.at].(type) {
		case program.Loop:
			f.at++
			c.stack = append(c.stack, frame{s.Body, 0, s.Count})
			continue
		case program.Acquire:
			if !u.acquire(c.tile, s) {
				return progress
			}
		case program.Release:
			u.release(c.tile, s)
		}
		f.at++
		progress = true
	}
	return progress
}

func (u *untimed) end(fifo int, tile program.Coord, produce bool) *program.Endpoint {
	f := &u.p.FIFOs[fifo]
	for i := range f.Ends {
		if (i == 0) == produce && f.Ends[i].Tile == tile {
			return &f.Ends[i]
		}
	}
	panic("BUG: no end")
}

// ring is where a core is in the slots of an end.
type ring struct{ acquired, released int }

func (u *untimed) acquire(tile program.Coord, s program.Acquire) bool {
	if u.p.FIFOs[s.FIFO].Cascade {
		return u.cascade[s.FIFO] == map[bool]int{true: 0, false: 1}[s.Produce]
	}
	e := u.end(s.FIFO, tile, s.Produce)
	r, locks := u.ring(e), e.Consume
	if s.Produce {
		locks = e.Produce
	}
	need := make(map[int]int)
	for i := range s.N {
		need[locks[(r.acquired+i)%len(locks)]]++
	}
	for l, n := range need {
		if u.locks[l] < n {
			return false
		}
	}
	for l, n := range need {
		u.locks[l] -= n
	}
	r.acquired += s.N
	return true
}

func (u *untimed) release(tile program.Coord, s program.Release) {
	if u.p.FIFOs[s.FIFO].Cascade {
		u.cascade[s.FIFO] = map[bool]int{true: 1, false: 0}[s.Produce]
		return
	}
	e := u.end(s.FIFO, tile, s.Produce)
	r, locks := u.ring(e), e.Produce
	if s.Produce {
		locks = e.Consume
	}
	for range s.N {
		u.locks[locks[r.released%len(locks)]]++
		r.released++
	}
}

func (u *untimed) ring(e *program.Endpoint) *ring {
	r := u.rings[e]
	if r == nil {
		r = new(ring)
		u.rings[e] = r
	}
	return r
}

// TestProgramsFinish runs the programs of random small kernels to their end: no
// deadlock, and every lock back at its initial value.
func TestProgramsFinish(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	ran := make(map[workload.Kind]int)
	for range longtest.Sample(3, 3, 20) {
		w := workloadtest.Kernel(r)
		for _, name := range arrays {
			c, err := mapper.Map(machinetest.Preset(t, name), w)
			if err != nil {
				t.Fatal(err)
			}
			if c.Timing.Rounds*c.Timing.Steps > 5000 {
				continue
			}
			p, err := c.Program()
			if err != nil {
				t.Fatal(err)
			}
			p.Lower()
			if err := newUntimed(p).run(); err != nil {
				t.Errorf("%s: %v %v %v: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
			}
			ran[w.Kind]++
		}
	}
	t.Log(ran)
}
