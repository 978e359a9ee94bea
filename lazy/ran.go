package lazy

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/trace"
)

// Run is one run of a program by a barrier on a device.
type Run struct {
	Runtime    *Runtime
	Executable device.Executable // which nobody but the runtime closes
	Took       time.Duration     // on this computer

	program *program
}

// Calls returns the number of operators in the program.
func (r *Run) Calls() int { return r.program.sketch.Calls() }

// Lines returns how many operators of the program each source line recorded, such as
// "main.go:12". Operators of a gradient count for the line of the call that they differentiate. A program stands for
// all traces of its structure: the lines are the lines of the first trace.
func (r *Run) Lines() map[string]int {
	lines := map[string]int{}
	for i := range r.program.sketch.Calls() {
		_, at := r.program.sketch.Call(i)
		lines[at.Short()]++
	}
	return lines
}

// Report says what the array does with the run, or nil on another device.
func (r *Run) Report() *report.Report {
	if p, ok := r.Executable.(interface{ Report() *report.Report }); ok {
		return p.Report()
	}
	return nil
}

// ran keeps the last run of a device, and who wants to hear of each.
type ran struct {
	last     atomic.Pointer[program]
	took     atomic.Int64
	watchers atomic.Pointer[[]*func(Run)] // nil if there are none; the list does not change
	mu       sync.Mutex                   // of putting another list in its place
}

// note keeps a run and tells the watchers.
func (n *ran) note(r *Runtime, p *program, took time.Duration) {
	if n.last.Load() != p { // nearly always it is: a store costs more
		n.last.Store(p)
	}
	n.took.Store(int64(took))
	if watchers := n.watchers.Load(); watchers != nil {
		for _, f := range *watchers {
			(*f)(Run{r, p.exe, took, p})
		}
	}
}

// watch puts another list of watchers in the place of the one that there is.
func (n *ran) watch(change func(list []*func(Run)) []*func(Run)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	var list []*func(Run)
	if old := n.watchers.Load(); old != nil {
		list = slices.Clone(*old)
	}
	if list = change(list); len(list) == 0 {
		n.watchers.Store(nil)
	} else {
		n.watchers.Store(&list)
	}
}

// LastRun returns the last run on the device, training steps included. ok is false if nothing has run.
func (r *Runtime) LastRun() (run Run, ok bool) {
	p := r.ran.last.Load()
	if p == nil {
		return Run{}, false
	}
	return Run{r, p.exe, time.Duration(r.ran.took.Load()), p}, true
}

// LastReport says what the array does with the program that ran last, or nil if nothing
// has, or the device is no array.
func (r *Runtime) LastReport() *report.Report {
	run, ok := r.LastRun()
	if !ok {
		return nil
	}
	return run.Report()
}

// OnRun calls f after each run of a program on the device, in the goroutine that ran it,
// until stop is called. f must not compute anything on the device.
func (r *Runtime) OnRun(f func(Run)) (stop func()) {
	trace.Need("on run", "the function", f)
	r.ran.watch(func(list []*func(Run)) []*func(Run) { return append(list, &f) })
	return func() {
		r.ran.watch(func(list []*func(Run)) []*func(Run) {
			return slices.DeleteFunc(list, func(g *func(Run)) bool { return g == &f })
		})
	}
}
