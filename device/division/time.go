package division

import (
	"context"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
)

// SetTimes gives the groups on the device the sums of the times of their kernels: predicted, without the kernels that
// run once, and measured. took has the measured time of each kernel, or is nil before a run.
func SetTimes(groups []Group, kernels []device.Kernel, took []time.Duration) {
	of := map[string]*Group{}
	for i := range groups {
		if g := &groups[i]; g.onDevice() {
			g.Predicted, g.Measured = 0, 0
			of[g.Function] = g
		}
	}
	for i, k := range kernels {
		g := of[k.Group]
		if g == nil {
			continue
		}
		if took != nil {
			g.Measured += took[i]
		}
		if !k.Once {
			g.Predicted += k.Seconds
		}
	}
}

// Measure runs a program, once to warm up and once to measure, and gives its groups the times of their
// kernels, see [SetTimes]. It returns the time of all kernels: 0, and nothing has run, if the program does not tell its
// kernels. An error is one of a run.
func Measure(ctx context.Context, exe device.Executable, inputs []*buf.Buffer, groups []Group) (time.Duration, error) {
	explained, ok := exe.(device.Explained)
	if !ok {
		return 0, nil
	}
	if _, _, err := explained.RunTimed(ctx, inputs); err != nil {
		return 0, err
	}
	_, took, err := explained.RunTimed(ctx, inputs)
	if err != nil {
		return 0, err
	}
	var all time.Duration
	for _, d := range took {
		all += d
	}
	SetTimes(groups, explained.Kernels(), took)
	return all, nil
}
