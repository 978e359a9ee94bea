package deadlock_test

import (
	"slices"
	"testing"

	"github.com/go-acap/acap/device/acap/deadlock"
	"github.com/go-acap/acap/device/acap/program"
)

// explorer walks through all states of a program, one step of one agent at a
// time. It knows nothing of package event.
type explorer struct {
	p      *program.Program
	cores  [][]program.Stmt
	needs  []need  // by step of the host
	issued [][]int // tasks by step of the host and channel
}

// need is the number of tasks of a channel that the host waits for.
type need struct{ dma, tasks int }

// state is where everybody is: the host, statements of cores, descriptors of channels
// or tasks that are complete, whether their lock is held, locks.
type state struct {
	host  int8
	pc    [4]int8
	at    [24]int8
	held  [24]bool
	locks [40]int8
}

func (x *explorer) explore(most int) (never, always, ok bool) {
	for _, c := range x.p.Cores {
		x.cores = append(x.cores, unrolled(c.Body))
	}
	x.sequence()
	var first state
	for i, l := range x.p.Locks {
		first.locks[i] = int8(l.Init)
	}
	seen := map[state]bool{first: true}
	stack := []state{first}
	good, bad := false, false
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		next := x.steps(s)
		if len(next) == 0 {
			if x.done(s) {
				good = true
			} else {
				bad = true
			}
		}
		for _, n := range next {
			if !seen[n] {
				if len(seen) > most {
					return false, false, false
				}
				seen[n] = true
				stack = append(stack, n)
			}
		}
	}
	return bad, good, true
}

// judged returns the verdict of a lowered program, which has to be the verdict of every order in which the program can
// run; nil when there are too many orders.
func judged(t *testing.T, p *program.Program) *deadlock.Verdict {
	t.Helper()
	never, always, ok := (&explorer{p: p}).explore(200000)
	if !ok {
		return nil
	}
	if never == always {
		t.Fatalf("the order decides, so the program is no Kahn network:\n%v", p)
	}
	v, err := deadlock.Check(p)
	if err != nil {
		t.Fatal(err)
	}
	if v.Stuck() != never {
		t.Fatalf("verdict %v, exploration says stuck %v:\n%v", v, never, p)
	}
	return v
}

// sequence finds what every step of the host needs.
func (x *explorer) sequence() {
	issued := make([]int, len(x.p.DMAs))
	tasks := make(map[int]need)
	for _, op := range x.p.Runtime {
		x.issued = append(x.issued, slices.Clone(issued))
		t, ok := op.(program.Task)
		if !ok {
			x.needs = append(x.needs, tasks[op.(program.Await).Task])
			continue
		}
		ends := x.p.FIFOs[t.FIFO].Ends
		dma := ends[0].DMA
		if ends[0].Tile.Row > 0 {
			dma = ends[1].DMA
		}
		issued[dma]++
		tasks[t.ID] = need{dma, issued[dma]}
		x.needs = append(x.needs, need{dma, issued[dma] - x.p.Machine.Shim.Queue.Int()})
	}
	x.issued = append(x.issued, issued)
}

// unrolled is a body without loops.
func unrolled(body []program.Stmt) []program.Stmt {
	var out []program.Stmt
	for _, s := range body {
		if l, ok := s.(program.Loop); ok {
			for range l.Count {
				out = append(out, unrolled(l.Body)...)
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

func (x *explorer) done(s state) bool {
	for i, body := range x.cores {
		if int(s.pc[i]) < len(body) {
			return false
		}
	}
	return int(s.host) == len(x.needs)
}

// steps lists the states that one step leads to.
func (x *explorer) steps(s state) []state {
	var out []state
	if i := int(s.host); i < len(x.needs) && int(s.at[x.needs[i].dma]) >= x.needs[i].tasks {
		n := s
		n.host++
		out = append(out, n)
	}
	for i, body := range x.cores {
		if int(s.pc[i]) == len(body) {
			continue
		}
		n := s
		n.pc[i]++
		switch st := body[s.pc[i]].(type) {
		case program.Acquire:
			take, _ := x.locks(i, st.FIFO, st.Produce)
			if n.locks[take] -= int8(st.N); n.locks[take] < 0 {
				continue
			}
		case program.Release:
			_, give := x.locks(i, st.FIFO, st.Produce)
			n.locks[give] += int8(st.N)
		}
		out = append(out, n)
	}
	for i := range x.p.DMAs {
		if d := x.descriptor(s, i); d != nil && !s.held[i] {
			n := s
			if n.locks[d.Acquire.Lock] -= int8(d.Acquire.Value); n.locks[d.Acquire.Lock] >= 0 {
				n.held[i] = true
				out = append(out, n)
			}
		}
	}
	for f := range x.p.FIFOs {
		if n, ok := x.transfer(s, &x.p.FIFOs[f]); ok {
			out = append(out, n)
		}
	}
	return out
}

// descriptor is the present one of a channel, nil at an interface tile.
func (x *explorer) descriptor(s state, i int) *program.Descriptor {
	d := &x.p.DMAs[i]
	if d.Tile.Row == 0 {
		return nil
	}
	return &d.Descriptors[s.at[i]]
}

func (x *explorer) locks(core, fifo int, produce bool) (take, give int) {
	f := &x.p.FIFOs[fifo]
	for _, e := range f.Ends {
		if e.Tile == x.p.Cores[core].Tile {
			take, give = e.Consume[0], e.Produce[0]
		}
	}
	if produce {
		take, give = give, take
	}
	return take, give
}

// transfer moves one object of a FIFO if all ends are ready: every descriptor and
// every task here moves a whole object.
func (x *explorer) transfer(s state, f *program.FIFO) (state, bool) {
	for _, e := range f.Ends {
		if x.p.DMAs[e.DMA].Tile.Row == 0 {
			if int(s.at[e.DMA]) == x.issued[s.host][e.DMA] {
				return s, false
			}
		} else if !s.held[e.DMA] {
			return s, false
		}
	}
	for _, e := range f.Ends {
		if d := x.descriptor(s, e.DMA); d != nil {
			s.locks[d.Release.Lock] += int8(d.Release.Value)
			s.at[e.DMA] = int8(d.Next)
			s.held[e.DMA] = false
		} else {
			s.at[e.DMA]++
		}
	}
	return s, true
}
