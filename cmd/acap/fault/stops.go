package fault

import (
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap/deadlock"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/report"
)

// Stops runs one kernel's program healthy and broken, prints what differs and what finds it, and reports whether the
// broken run does not finish.
func Stops(w io.Writer, k *report.Kernel, faults []event.Fault) bool {
	healthy, err := k.Events(event.Options{})
	if err != nil {
		fmt.Fprintf(w, "%s: %v\n", k.Name, err)
		return false
	}
	p, err := k.Choice.Program()
	if err != nil {
		return false
	}
	used := event.Concern(p, faults)
	if len(used) == 0 {
		fmt.Fprintf(w, "%s: does not use what is broken\n", k.Name)
		return false
	}
	run, err := k.Events(event.Options{Faults: used})
	if err != nil {
		fmt.Fprintf(w, "%s: %v\n", k.Name, err)
		return false
	}
	switch {
	case run.Finished && run.Seconds == healthy.Seconds:
		fmt.Fprintf(w, "%s: %s, as without the fault\n", k.Name, report.Duration(run.Seconds))
	case run.Finished:
		fmt.Fprintf(w, "%s: %s instead of %s\n", k.Name, report.Duration(run.Seconds), report.Duration(healthy.Seconds))
	default:
		fmt.Fprintf(w, "%s: %v\n", k.Name, deadlock.Explain(p, run))
	}
	for _, f := range event.Diagnose(p, healthy, run) {
		fmt.Fprintf(w, "  found: %s %s\n", f.Agent.Describe(p), f.What)
	}
	return !run.Finished
}
