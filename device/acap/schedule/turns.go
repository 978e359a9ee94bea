package schedule

import (
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
)

// Turns is how often a run goes through the launches of a program, which may be in a loop. The zero value is once.
type Turns struct {
	Calls int  // of the host; 0 is one
	Each  int  // turns of a loop in every call; 0 is one
	Never bool // it is in a loop without turns
}

// All is how often each launch runs.
func (t Turns) All() int { return t.HostCalls() * t.each() }

// HostCalls is how often the host calls the program.
func (t Turns) HostCalls() int {
	if t.Never {
		return 0
	}
	return max(1, t.Calls)
}

func (t Turns) each() int { return max(1, t.Each) }

// Repeated returns the cost that each launch adds where the launches of the turn before precede it.
func (p *Program) Repeated(m *machine.Machine) []Cost {
	_, launches := p.twice().First(m)
	return launches[len(p.Launches):]
}

// twice is two turns, one after the other.
func (p *Program) twice() *Program {
	q := *p
	q.Launches = append(slices.Clone(p.Launches), p.Launches...)
	return &q
}
