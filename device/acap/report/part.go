package report

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
)

// PartCost is what a part of memory and network costs a run.
type PartCost struct {
	Part    machine.Part `json:"part"`
	Seconds float64      `json:"seconds"`
	Share   float64      `json:"share"` // of the run
}

// PartCosts says how much shorter a run would be without each part of memory and network, with the mappings
// that the kernels have. Work that hides behind other work costs nothing.
func (r *Report) PartCosts() []PartCost {
	if r.Machine == nil || !r.Machine.Programmed() {
		return nil
	}
	with, ok := r.kept(r.Machine)
	if !ok || with == 0 {
		return nil
	}
	var list []PartCost
	for _, p := range machine.Parts() {
		if p == machine.Routes {
			cost := r.shared()
			list = append(list, PartCost{p, cost, cost / with})
		} else if without, ok := r.kept(r.Machine.Without(p)); ok {
			list = append(list, PartCost{p, with - without, 1 - without/with})
		}
	}
	return list
}

// shared returns how much longer kernels take whose streams share ports of switches, as the events say: the time
// model gives every stream its own.
func (r *Report) shared() (seconds float64) {
	r.Simulate()
	known := make(map[*simulated]float64)
	for i := range r.Kernels {
		k := &r.Kernels[i]
		e, err := k.Event()
		if err != nil || e == nil || k.Once || e.Routes == nil || len(e.Routes.Shared) == 0 {
			continue
		}
		cost, ok := known[k.events]
		if !ok {
			if free, err := k.on(k.part(r.Machine.Without(machine.Routes)), event.Options{}); err == nil {
				cost = e.Seconds - free.Seconds
			}
			known[k.events] = cost
		}
		seconds += float64(cost * k.weight(r.Machine))
	}
	return seconds
}

func (r *Report) partCosts(b *strings.Builder) {
	list := r.PartCosts()
	if len(list) == 0 {
		return
	}
	b.WriteString("\nwhat memory and network cost, with these mappings\n")
	for _, c := range list {
		fmt.Fprintf(b, "  %-28s%-9s %s\n", c.Part, Duration(c.Seconds), percent(c.Share))
	}
}

// ways is how the streams of a kernel pass the switches.
func (k *Kernel) ways() []string {
	e, err := k.Event()
	if err != nil || e == nil || e.Routes == nil {
		return nil
	}
	w := e.Routes
	farthest := 0
	for i := range w.Streams {
		farthest = max(farthest, w.Streams[i].Hops)
	}
	fullest := "-"
	if w.Of > 0 {
		fullest = fmt.Sprintf("%d of %d from (%d, %d) to (%d, %d)", w.Used, w.Of, w.From.Col, w.From.Row, w.To.Col, w.To.Row)
	}
	return []string{k.Name, fmt.Sprint(len(w.Streams)), fmt.Sprint(farthest), fmt.Sprint(w.Detours), fmt.Sprint(len(w.Shared)), fullest}
}
