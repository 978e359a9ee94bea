package schedule

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Launch is a kernel that runs once in a program.
type Launch struct {
	Name    string
	Kernel  *workload.Kernel
	Mapping mapping.Mapping
	Timing  *timing.Timing // of the launch in a call of its own
	// Alone is the same for the kernel as it would run if there were no others; nil is Timing.
	Alone *timing.Timing
	// Code names the kernel's machine code, which several shapes may share: see [Program.Loads].
	// "" is one that is loaded anew each time.
	Code string
}

// Program is launches that the host starts with one call.
type Program struct {
	Name     string
	Launches []Launch
	Turns    Turns
	// Written is bytes of inputs that the host hands over before every run.
	Written int64
	// Amid programs take turns with others, each for a short time.
	Amid bool
	// Prefetched programs bring the next launch's configuration, and the first of its
	// weights, to the array while the last launch drains.
	Prefetched bool
}

// Cost is the seconds of one run.
type Cost struct {
	Call   float64 `json:"call"`   // of the host
	Write  float64 `json:"write"`  // of inputs by the host
	Load   float64 `json:"load"`   // of kernels
	Switch float64 `json:"switch"` // from launch to launch
	Array  float64 `json:"array"`
	Hidden float64 `json:"hidden"` // of load and switch, beside the launch before
	Early  float64 `json:"early"`  // of array, beside the launch before: first weights
}

// Host is the part of the host.
func (c Cost) Host() float64 { return c.Call + c.Write }

// Launch is the time of launches besides the array's work, without the time that other work hides.
func (c Cost) Launch() float64 { return c.Load + c.Switch - c.Hidden }

// Work is the array's part, without what is hidden.
func (c Cost) Work() float64 { return c.Array - c.Early }

// Seconds is the whole run.
func (c Cost) Seconds() float64 { return c.Host() + c.Launch() + c.Work() }

// Add adds another cost, n times.
func (c *Cost) Add(d Cost, n int) {
	f := float64(n)
	c.Call += float64(f * d.Call)
	c.Write += float64(f * d.Write)
	c.Load += float64(f * d.Load)
	c.Switch += float64(f * d.Switch)
	c.Array += float64(f * d.Array)
	c.Hidden += float64(f * d.Hidden)
	c.Early += float64(f * d.Early)
}

// Cost returns the cost of a run of the program on a machine.
func (p *Program) Cost(m *machine.Machine) Cost {
	return sum(p.Costs(m))
}

// sum adds what launches add to the host's part.
func sum(host Cost, launches []Cost) Cost {
	for _, d := range launches {
		host.Add(d, 1)
	}
	return host
}

// Costs returns the cost of the host's part of a run, and the cost that each launch adds in all its turns. A loop of a
// number of turns is as many times its launches one after the other, with one call.
func (p *Program) Costs(m *machine.Machine) (host Cost, launches []Cost) {
	return p.costs(m, p.Loads(m))
}

// costs is Costs of a program whose loads in the first turn are known.
func (p *Program) costs(m *machine.Machine, loads []int) (host Cost, launches []Cost) {
	host, launches = p.first(m, loads)
	if p.Turns.All() == 1 || len(p.Launches) == 0 {
		return host, launches
	}
	calls, each := p.Turns.HostCalls(), p.Turns.each()
	var later []Cost
	if each > 1 {
		_, both := p.twice().First(m)
		launches, later = both[:len(p.Launches)], both[len(p.Launches):]
	}
	for i := range launches {
		all := Cost{}
		all.Add(launches[i], calls)
		if each > 1 {
			all.Add(later[i], calls*(each-1))
		}
		launches[i] = all
	}
	host.Call *= float64(calls)
	return host, launches
}

// First is Costs of the first turn alone.
func (p *Program) First(m *machine.Machine) (host Cost, launches []Cost) {
	return p.first(m, p.Loads(m))
}

func (p *Program) first(m *machine.Machine, loads []int) (host Cost, launches []Cost) {
	if len(p.Launches) == 0 {
		return Cost{}, nil
	}
	launches = make([]Cost, len(p.Launches))
	for i := range launches {
		launches[i] = p.launch(m, i, loads)
	}
	return p.call(m), launches
}

// call is the host's part.
func (p *Program) call(m *machine.Machine) Cost {
	c := Cost{Call: m.Host.Launch.Value}
	if p.Amid {
		c.Call += m.Host.Context.Value
	}
	if p.Written > 0 && m.Host.Write.Value > 0 {
		c.Write = float64(p.Written) / m.Host.Write.Value
	}
	return c
}

// launch returns the cost that the i-th launch adds to the host's call.
func (p *Program) launch(m *machine.Machine, i int, loads []int) Cost {
	l := &p.Launches[i]
	t := l.Timing
	c := Cost{Load: max(0, t.Launch-m.Host.Launch.Value), Array: t.Seconds - t.Launch}
	if p.Amid {
		c.Array *= amid(m, l)
	}
	switch {
	case p.Amid && i == 0: // the change of program loads the cores
	case loads[i] > 0:
		c.Switch = m.Host.Switch.Value * float64(loads[i])
		if i > 0 { // its DMA tasks are started, too
			c.Switch = max(c.Switch, m.Host.Restart.Value)
		}
	case i > 0:
		c.Load, c.Switch = 0, m.Host.Restart.Value
	}
	if i > 0 && p.Prefetched {
		drain := p.Launches[i-1].Timing.Drain
		c.Hidden = min(c.Load+c.Switch, drain)
		if early := min(t.Fill, drain-c.Hidden); early > 0 && weights(l.Kernel) {
			c.Early = early
		}
	}
	return c
}

// amid returns how many times as long a launch takes in a program that takes turns.
func amid(m *machine.Machine, l *Launch) float64 {
	c := m.Compute.Styles[l.Mapping.Style].Amid
	if l.Kernel.Kind == workload.KindAttention {
		c = m.Compute.Routines["attention"].Amid
	}
	if c.Value > 0 {
		return c.Value
	}
	return 1
}

// Separate returns the cost of the launches in calls of their own, with the same inputs to write. A call after a call
// of other code is a change of program.
func (p *Program) Separate(m *machine.Machine) Cost {
	var c Cost
	for i := range p.Launches {
		one := Program{Launches: []Launch{p.Launches[i]}}
		if i == 0 {
			one.Written = p.Written
		}
		if l := &one.Launches[0]; l.Alone != nil {
			l.Timing = l.Alone
		}
		c.Add(one.Cost(m), p.Turns.All())
		if l := &p.Launches[i]; l.Code != "" && (i == 0 || l.Code != p.Launches[i-1].Code) && len(p.Launches) > 1 {
			c.Call += float64(float64(p.Turns.All()) * m.Host.Context.Value)
		}
	}
	return c
}

// weights reports whether an operand of the kernel is the same on every run.
func weights(k *workload.Kernel) bool {
	for _, s := range k.Inputs() {
		if s.Constant {
			return true
		}
	}
	return false
}
