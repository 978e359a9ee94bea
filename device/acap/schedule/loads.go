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
func (p *Program) Loads(m *machine.Machine) []int { return newLoading(p, m).loads }

// loading is the loads of a program, core by core: a core does not depend on the others, so that what has changed of a
// few launches is counted anew on their cores alone.
type loading struct {
	program *Program
	machine *machine.Machine
	codes   []int   // of launches: numbers from 1 on, 0 for one that is loaded each time
	areas   []area  // of launches
	before  [][]int // launches before which each core is loaded
	loads   []int   // how many cores are loaded before each launch
	held    []int   // codes in the program memory of the core that is counted
	most    int     // of them
	touched []area  // by a change
}

// area is the cores of a launch, from one column and row to before others.
type area struct{ col, row, toCol, toRow int }

func (a *area) has(col, row int) bool {
	return col >= a.col && col < a.toCol && row >= a.row && row < a.toRow
}

func newLoading(p *Program, m *machine.Machine) *loading {
	all := area{toCol: m.Grid.Cols, toRow: m.Grid.CoreRows}
	if !m.Programmed() { // a systolic array of any size loads nothing
		all = area{}
	}
	l := &loading{program: p, machine: m, most: 1, codes: make([]int, len(p.Launches)), areas: make([]area, len(p.Launches)),
		loads: make([]int, len(p.Launches)), before: make([][]int, all.toCol*all.toRow)}
	if m.Compute.Code.Value > 0 {
		l.most = max(1, int(m.Core.Program.Value/m.Compute.Code.Value))
	}
	numbers := make(map[string]int)
	for i := range p.Launches {
		if code := p.Launches[i].Code; code != "" {
			if numbers[code] == 0 {
				numbers[code] = len(numbers) + 1
			}
			l.codes[i] = numbers[code]
		}
		l.areas[i] = p.Launches[i].area(m)
	}
	l.count(all)
	return l
}

// area is the cores of a launch, none of one that needs none.
func (l *Launch) area(m *machine.Machine) area {
	g := &l.Mapping
	if l.Kernel.Kind == workload.KindMove || !m.Programmed() {
		return area{}
	}
	col, row, ok := m.Grid.At(g.Cols, g.Rows, g.Col, g.Row)
	if !ok {
		return area{}
	}
	return area{col, row, col + g.Cols, row + g.Rows}
}

// changed counts anew after launches have changed their mappings.
func (l *loading) changed(launches []int) {
	l.touched = l.touched[:0]
	touch := func(a area) {
		if !slices.Contains(l.touched, a) {
			l.touched = append(l.touched, a)
		}
	}
	for _, i := range launches {
		touch(l.areas[i])
		l.areas[i] = l.program.Launches[i].area(l.machine)
		touch(l.areas[i])
	}
	for _, a := range l.touched {
		l.count(a)
	}
}

// count counts the loads of some cores anew.
func (l *loading) count(a area) {
	for row := a.row; row < a.toRow; row++ {
		for col := a.col; col < a.toCol; col++ {
			l.core(col, row)
		}
	}
}

// core counts the loads of a core anew.
func (l *loading) core(col, row int) {
	at := row*l.machine.Grid.Cols + col
	for _, i := range l.before[at] {
		l.loads[i]--
	}
	list := l.before[at][:0]
	l.held = l.held[:0]
	for i := range l.areas {
		if l.areas[i].has(col, row) && l.load(l.codes[i]) {
			list = append(list, i)
		}
	}
	if len(list) == 1 && !l.program.Amid { // it keeps the code
		list = list[:0]
	}
	for _, i := range list {
		l.loads[i]++
	}
	l.before[at] = list
}

// load reports whether the core that is counted is loaded anew for a launch of a code.
func (l *loading) load(code int) bool {
	if code != 0 && slices.Contains(l.held, code) {
		return false
	}
	anew := len(l.held) == 0 || code == 0 || l.held[0] == 0 || len(l.held) == l.most
	if anew {
		l.held = l.held[:0]
	}
	l.held = append(l.held, code)
	return anew
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
