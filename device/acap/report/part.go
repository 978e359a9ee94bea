package report

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// PartCost is what a part of memory and network costs a run.
type PartCost struct {
	Part    machine.Part `json:"part"`
	Seconds float64      `json:"seconds"`
	Share   float64      `json:"share"` // of the run
}

// PartCosts says how much shorter a run would be without each part of memory and network, with the mappings
// that the kernels have. What hides behind something else costs nothing.
func (r *Report) PartCosts() []PartCost {
	if r.Machine == nil || r.Machine.Systolic != nil {
		return nil
	}
	with, ok := r.kept(r.Machine)
	if !ok || with == 0 {
		return nil
	}
	var list []PartCost
	for _, p := range machine.Parts() {
		if without, ok := r.kept(r.Machine.Without(p)); ok {
			list = append(list, PartCost{p, with - without, 1 - without/with})
		}
	}
	return list
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
