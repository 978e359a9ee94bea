package event

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
)

// Finding is an agent that did not do in a run what it does in a healthy one.
type Finding struct {
	Agent Agent
	What  string
}

// Diagnose compares a run with one of the same program on a healthy array and
// names who is to blame: cores that are idle while nothing keeps them, cores
// whose calls take longer, channels that stopped or take longer between
// descriptors. It looks only at what a trace of the array would show.
func Diagnose(p *program.Program, healthy, run *Result) []Finding {
	var out []Finding
	for _, w := range run.Blocked {
		if w.For == ForNobody {
			out = append(out, Finding{w.Who, "is idle, though nothing keeps it waiting"})
		}
	}
	const noise = 1.001
	for i := range run.Cores {
		a, b := &healthy.Cores[i], &run.Cores[i]
		if a.Calls == 0 || b.Calls == 0 || a.Busy == 0 {
			continue
		}
		// The calls of a core differ; only a whole program can be compared.
		if f := b.Busy / a.Busy; a.Calls == b.Calls && f > noise {
			out = append(out, Finding{Agent{CoreAgent, i}, fmt.Sprintf("takes %.3g times as long for its calls", f)})
		}
	}
	for i := range run.Channels {
		a, b := &healthy.Channels[i], &run.Channels[i]
		if a.Done == 0 || b.Done == 0 {
			continue
		}
		if x, y := a.Setup/float64(a.Done), b.Setup/float64(b.Done); y > float64(x*noise)+1 {
			out = append(out, Finding{Agent{ChannelAgent, i},
				fmt.Sprintf("takes %.0f cycles longer for every descriptor", y-x)})
		}
	}
	return out
}
