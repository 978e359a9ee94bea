package deadlock

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/program"
)

// Verdict says whether a program can finish, before it runs.
type Verdict struct {
	Program *program.Program
	// Waits is empty when the program finishes. Otherwise it lists everybody who
	// waits when nobody can go on.
	Waits []event.Wait
	// Cycle is a ring of waits, each for the next and the last for the first. It
	// is empty when somebody waits for one who has come to his end or is broken;
	// then Chain leads from the host, or the first who waits, to that one.
	Cycle, Chain []event.Wait
}

// Check gives the verdict of a program, which it lowers if need be. It is an
// error when the program is malformed.
func Check(p *program.Program) (*Verdict, error) {
	r, err := event.Run(p, event.Options{})
	if err != nil {
		return nil, err
	}
	return Explain(p, r), nil
}

// Explain gives the verdict that a run of the program amounts to.
func Explain(p *program.Program, r *event.Result) *Verdict {
	v := &Verdict{Program: p}
	if r.Finished {
		return v
	}
	v.Waits = r.Blocked
	v.follow()
	return v
}

// Stuck reports whether the program cannot finish.
func (v *Verdict) Stuck() bool { return len(v.Waits) > 0 }

// follow looks for a cycle: it walks from every wait to the processes that could end the wait.
func (v *Verdict) follow() {
	index := make(map[event.Agent]int)
	for i, w := range v.Waits {
		index[w.Who] = i
	}
	for _, w := range v.Waits {
		if w.For == event.ForNobody {
			v.chain(index) // what is broken explains the rest
			return
		}
	}
	const (
		fresh = iota
		open
		closed
	)
	state := make([]int, len(v.Waits))
	for start := range v.Waits {
		type frame struct{ wait, next int }
		stack := []frame{{start, 0}}
		if state[start] != fresh {
			continue
		}
		state[start] = open
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			others := v.Waits[f.wait].Others
			if f.next == len(others) {
				state[f.wait] = closed
				stack = stack[:len(stack)-1]
				continue
			}
			to, waits := index[others[f.next]]
			f.next++
			switch {
			case !waits || state[to] == closed:
			case state[to] == fresh:
				state[to] = open
				stack = append(stack, frame{to, 0})
			default:
				for i := range stack {
					if len(v.Cycle) > 0 || stack[i].wait == to {
						v.Cycle = append(v.Cycle, v.Waits[stack[i].wait])
					}
				}
				return
			}
		}
	}
	v.chain(index)
}

// chain finds the shortest way from the host, or the first who waits, to one who
// does not wait for anybody that waits.
func (v *Verdict) chain(index map[event.Agent]int) {
	start := 0
	for i, w := range v.Waits {
		if w.Who.Kind == event.HostAgent {
			start = i
		}
	}
	from := map[int]int{start: -1}
	end := -1
	for queue := []int{start}; len(queue) > 0 && end < 0; queue = queue[1:] {
		at := queue[0]
		last := true
		for _, o := range v.Waits[at].Others {
			i, ok := index[o]
			last = last && !ok
			if _, seen := from[i]; ok && !seen {
				from[i] = at
				queue = append(queue, i)
			}
		}
		if last {
			end = at
		}
	}
	for ; end >= 0; end = from[end] {
		v.Chain = append([]event.Wait{v.Waits[end]}, v.Chain...)
	}
}

// String explains the verdict, one wait to a line.
func (v *Verdict) String() string {
	if !v.Stuck() {
		return "no deadlock"
	}
	var b strings.Builder
	list := v.Cycle
	if len(list) > 0 {
		fmt.Fprintf(&b, "deadlock in %s: %d wait in a circle", v.Program.Name, len(list))
	} else {
		list = v.Chain
		fmt.Fprintf(&b, "%s cannot finish: %d wait", v.Program.Name, len(v.Waits))
	}
	for _, w := range list {
		b.WriteString("\n  " + v.describe(w))
	}
	if n := len(v.Chain); n > 0 && len(v.Chain[n-1].Others) > 0 {
		for _, o := range v.Chain[n-1].Others {
			b.WriteString("\n  " + o.Describe(v.Program) + " has come to its end")
		}
	}
	return b.String()
}

// describe says who waits for what from whom.
func (v *Verdict) describe(w event.Wait) string {
	p := v.Program
	who := w.Who.Describe(p)
	switch w.For {
	case event.ForNobody:
		return who + " is halted by a fault"
	case event.ForTask:
		if w.Who.Kind == event.HostAgent {
			return who + " awaits a task of " + names(p, w.Others)
		}
		return who + " waits for its next task"
	case event.ForSpace:
		return fmt.Sprintf("%s has a task for %s to issue, but %s has %d in its queue and has space for no more",
			who, p.FIFOs[w.FIFO].Name, names(p, w.Others), w.Value)
	case event.ForStream:
		return who + " is ready to move " + v.buffer(w.Who) + " and waits for " + names(p, w.Others)
	}
	what := "a cascade"
	if w.Lock >= 0 {
		l := &p.Locks[w.Lock]
		what = fmt.Sprintf("lock %s (holds %d, needs %d)", l.Name, w.Value, w.Need)
	}
	if w.FIFO >= 0 {
		f := &p.FIFOs[w.FIFO]
		verb := "to read "
		if w.Who.Kind == event.CoreAgent && f.Producer == p.Cores[w.Who.Index].Tile {
			verb = "to write "
		}
		what = verb + f.Name + ": " + what
	} else {
		what = "for " + v.buffer(w.Who) + ": " + what
	}
	return who + " waits " + what + ", which " + names(p, w.Others) + " releases"
}

// buffer names what a channel moves next.
func (v *Verdict) buffer(a event.Agent) string {
	d := &v.Program.DMAs[a.Index]
	if len(d.Descriptors) == 0 {
		return "a task"
	}
	name := v.Program.Buffers[d.Descriptors[0].Buffer].Name
	if n := len(d.Descriptors); n > 1 {
		name += fmt.Sprintf(" (ring of %d)", n)
	}
	return name
}

func names(p *program.Program, list []event.Agent) string {
	if len(list) == 0 {
		return "nobody"
	}
	var parts []string
	for _, a := range list {
		parts = append(parts, a.Describe(p))
	}
	return strings.Join(parts, " or ")
}
