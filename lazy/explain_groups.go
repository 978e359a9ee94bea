package lazy

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// ExplainedGroup is a group of operations that the device runs, or an operation or a group of the
// host.
type ExplainedGroup struct {
	// Title is "acap::CompilationGroup_0" and so on; empty for what the host runs.
	Title     string        `json:"title,omitempty"`
	Function  string        `json:"function"` // of the program's text
	Device    string        `json:"device"`
	Ops       []string      `json:"ops"`
	Work      int64         `json:"work"`              // arithmetic operations, estimated
	Problem   string        `json:"problem,omitempty"` // why the host runs it
	Text      string        `json:"text,omitempty"`    // the subgraph, as the device was asked about it
	Predicted float64       `json:"predicted_seconds,omitempty"`
	Measured  time.Duration `json:"measured_ns,omitempty"`
}

// divide says how the program is divided into groups.
func (e *Explanation) divide(dev device.Device, exe device.Executable, pending []ops.Value) error {
	grouped, ok := exe.(device.Grouped)
	if !ok {
		return nil
	}
	texts := map[string]string{}
	if d, ok := dev.(device.Backed); ok {
		_, module := trace.Module(pending, compiler.Entry)
		plan, err := compiler.Divide(module, d.Backend(), d.Config())
		if err != nil {
			return err
		}
		texts = plan.Texts
	}
	division := grouped.Division()
	e.Share, e.Warnings = device.Share(division), grouped.Warnings()
	number := 0
	for _, g := range division {
		x := ExplainedGroup{Function: g.Name, Device: g.Device, Ops: g.Ops, Work: g.Work, Problem: g.Problem}
		if g.OnDevice() {
			x.Title, x.Text = device.GroupTitle(number), texts[g.Name]
			number++
		}
		e.Groups = append(e.Groups, x)
	}
	e.sumGroups()
	return nil
}

// sumGroups adds up the times of the kernels of each group.
func (e *Explanation) sumGroups() {
	for i := range e.Groups {
		g := &e.Groups[i]
		g.Predicted, g.Measured = 0, 0
		for _, k := range e.Kernels {
			if g.Title == "" || k.Group != g.Function {
				continue
			}
			g.Measured += k.Measured
			if !k.Once {
				g.Predicted += k.Predicted
			}
		}
	}
}

// mostGroupLines bounds the lines of a group's text that are printed.
const mostGroupLines = 24

func (e *Explanation) printGroups(b *strings.Builder) {
	if len(e.Groups) == 0 {
		return
	}
	fmt.Fprintf(b, "%.1f%% of the work is compiled for %s\n", 100*e.Share, e.Device)
	for _, g := range e.Groups {
		if g.Title == "" {
			fmt.Fprintf(b, "on %s: %s: %s\n", g.Device, short(g.Ops), g.Problem)
			continue
		}
		fmt.Fprintf(b, "%s = %s: %d operations", g.Title, g.Function, len(g.Ops))
		if g.Predicted > 0 {
			fmt.Fprintf(b, ", predicted %v", time.Duration(g.Predicted*1e9).Round(10*time.Nanosecond))
		}
		if g.Measured > 0 {
			fmt.Fprintf(b, ", measured %v", g.Measured)
		}
		b.WriteByte('\n')
		lines := strings.Split(strings.TrimSpace(g.Text), "\n")
		for i, line := range lines {
			if i == mostGroupLines {
				fmt.Fprintf(b, "    … %d more lines\n", len(lines)-i)
				break
			}
			fmt.Fprintf(b, "    %s\n", line)
		}
	}
}
