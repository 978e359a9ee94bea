package engine

import (
	"github.com/go-acap/acap/device/engine/plan"
)

// Lifetime is memory of a run and the kernels between which it is in use.
type Lifetime struct {
	Bytes       int
	First, Last int // in [Program.Kernels]
	// Use says what the memory holds: [Between] kernels, an input, a result, or what is kept from run to run.
	Use Use
}

// Use says what memory holds.
type Use uint8

// The uses of memory.
const (
	Between  Use = iota // passed from kernel to kernel
	Argument            // an input of the run
	Result              // a result of the run
	Kept                // constants, and what is computed from constants alone
)

// String returns the name of the use.
func (u Use) String() string { return [...]string{"between", "input", "result", "kept"}[u] }

// uses says what slots hold, by their kinds.
var uses = [...]Use{plan.Arena: Between, plan.Argument: Argument, plan.Result: Result, plan.Fixed: Kept}

// Lifetimes lists the memory that the kernels of a run read and write, each piece once. Inputs
// and what is kept are there for the whole run, results to its end.
func (p *Program) Lifetimes() []Lifetime {
	end := len(p.Steps) - 1
	at := map[int]int{} // of a slot, in the list
	var list []Lifetime
	for i, st := range p.Steps {
		for _, n := range st.Slots {
			if k, ok := at[n]; ok {
				list[k].Last = max(list[k].Last, i)
				continue
			}
			at[n] = len(list)
			l := Lifetime{Bytes: p.Slots[n].Bytes, First: i, Last: i, Use: uses[p.Slots[n].Kind]}
			switch l.Use {
			case Argument, Kept:
				l.First, l.Last = 0, end
			case Result:
				l.Last = end
			}
			list = append(list, l)
		}
	}
	for n, k := range at {
		if l := &list[k]; l.Use == Between && l.First < l.Last && p.overwrites(l.Last, n) {
			l.Last--
		}
	}
	return list
}

// overwrites reports whether a step writes another slot where slot n lies.
func (p *Program) overwrites(step, n int) bool {
	for _, m := range p.Steps[step].Slots {
		if m != n && p.Slots[m].Kind == plan.Arena && p.Slots[m].Offset == p.Slots[n].Offset {
			return true
		}
	}
	return false
}
