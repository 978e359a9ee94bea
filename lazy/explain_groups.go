package lazy

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/division"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// ExplainedGroup is a group of operations that the device runs, or what the host runs instead.
type ExplainedGroup = division.Group

// divide says how the program is divided into groups.
func (e *Explanation) divide(dev device.Device, exe device.Explained, pending []ops.Value) error {
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
	e.Share, e.Warnings = device.Share(grouped.Division()), grouped.Warnings()
	e.Groups = division.Of(grouped.Division(), texts)
	division.SetTimes(e.Groups, exe.Kernels(), nil)
	return nil
}

// mostGroupLines bounds the lines of a group's text, and the operations of a line, that are printed.
const mostGroupLines = 24

func (e *Explanation) printGroups(b *strings.Builder) {
	if len(e.Groups) == 0 {
		return
	}
	fmt.Fprintf(b, "%.1f%% of the work is compiled for %s\n", 100*e.Share, e.Device)
	division.Write(b, e.Groups, mostGroupLines)
}
