package describe

import (
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// split returns how rows can be taken in pieces: not when what is done once for a row
// reads or writes an element of it, nor when something but the end of the row reads at a
// computed place or writes there.
func split(n *kernel.Nest) workload.Split {
	last := -1 // pass over the row
	for i, s := range n.Stages {
		if !s.Once {
			last = i
		}
	}
	for _, g := range Gathers(n) {
		if g.Stage <= last {
			return workload.SplitNever
		}
	}
	for _, s := range n.Stages {
		for _, i := range s.Body {
			if i.Op != kernel.Load && i.Op != kernel.Store {
				continue
			}
			along := len(moving(loops(n.Inner, n.Access[i.Port].Inner))) > 0
			if along && s.Once || !along && !s.Once && i.Op == kernel.Store {
				return workload.SplitNever
			}
		}
	}
	if last < 0 {
		return workload.SplitNever
	}
	return workload.SplitPasses
}

// late marks the inputs that only the last pass over a row reads. A pass computes the elements of earlier passes again,
// so the pass reads the inputs of the earlier passes too.
func late(in []workload.Stream, n *kernel.Nest) {
	var passes []int // the stages that go over the row
	for i, s := range n.Stages {
		if !s.Once {
			passes = append(passes, i)
		}
	}
	if len(passes) < 2 {
		return
	}
	early := make(map[int]bool) // ports
	for _, s := range n.Stages[:passes[len(passes)-2]+1] {
		for _, i := range s.Body {
			if i.Op == kernel.Load || i.Op == kernel.LoadAt {
				early[i.Port] = true
			}
		}
	}
	next := 0
	for i := range n.Access {
		if !n.Access[i].Write {
			in[next].Late = !early[i]
			next++
		}
	}
}
