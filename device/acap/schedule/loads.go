package schedule

import (
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// Loads returns how many cores are loaded anew before each launch. A core gets the code of as
// many of its launches in a row as its program memory holds. One that holds the code of all
// its launches keeps it from run to run; else the first of them, too, finds it loaded for the
// last.
func (p *Program) Loads(m *machine.Machine) []int {
	loads := make([]int, len(p.Launches))
	most := 1
	if m.Compute.Code.Value > 0 {
		most = max(1, int(m.Core.Program.Value/m.Compute.Code.Value))
	}
	cores := make([]core, m.Grid.Cols*m.Grid.CoreRows)
	held := make([]int, most*len(cores))
	for i := range cores {
		cores[i].held = held[i*most : i*most : (i+1)*most]
	}
	numbers := make(map[string]int) // of codes, from 1 on
	for i := range p.Launches {
		l := &p.Launches[i]
		code := 0
		if l.Code != "" {
			if code = numbers[l.Code]; code == 0 {
				code = len(numbers) + 1
				numbers[l.Code] = code
			}
		}
		l.cores(m, func(at int) {
			if c := &cores[at]; c.load(code) {
				if c.times++; c.times == 1 {
					c.first = i
				}
				loads[i]++
			}
		})
	}
	for _, c := range cores {
		if c.times == 1 && !p.Amid {
			loads[c.first]--
		}
	}
	return loads
}

// core is the codes that a core's program memory holds, of as many as it has space for, how often it was loaded, and
// before which launch at first.
type core struct {
	held         []int
	times, first int
}

// load reports whether the core is loaded anew for a launch of a code, 0 for one that is loaded each time.
func (c *core) load(code int) bool {
	if code != 0 && slices.Contains(c.held, code) {
		return false
	}
	anew := len(c.held) == 0 || code == 0 || c.held[0] == 0 || len(c.held) == cap(c.held)
	if anew {
		c.held = c.held[:0]
	}
	c.held = append(c.held, code)
	return anew
}

// cores visits the cores of a launch, row by row.
func (l *Launch) cores(m *machine.Machine, visit func(core int)) {
	g := &l.Mapping
	if l.Kernel.Kind == workload.KindMove || !m.Programmed() {
		return
	}
	col, row, ok := m.Grid.At(g.Cols, g.Rows, g.Col, g.Row)
	if !ok {
		return
	}
	for r := row; r < row+g.Rows; r++ {
		for c := col; c < col+g.Cols; c++ {
			visit(r*m.Grid.Cols + c)
		}
	}
}

// Reloads returns before how many launches of a run cores are loaded, and how many seconds more
// it would take to load them for every launch.
func (p *Program) Reloads(m *machine.Machine) (times int, saved float64) {
	n := len(p.Launches)
	for i, cores := range p.twice().Loads(m) {
		switch {
		case cores > 0 && i < n:
			times += p.Turns.HostCalls()
		case cores > 0:
			times += p.Turns.HostCalls() * (p.Turns.each() - 1)
		}
	}
	each := *p
	each.Launches = slices.Clone(p.Launches)
	for i := range each.Launches {
		each.Launches[i].Code = ""
	}
	return times, each.Cost(m).Seconds() - p.Cost(m).Seconds()
}
