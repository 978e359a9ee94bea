package report

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/timing"
)

// Verdict names, in one line, what the program's time goes to.
func (r *Report) Verdict() string {
	t := r.Total()
	if t.Kernels == 0 {
		return "nothing runs on the array"
	}
	share := func(v float64) string { return percent(v / t.Seconds) }
	waits := make(map[timing.Resource]float64)
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			_, by := k.Timing.Step.Max()
			waits[by] += float64(k.weight(r.Machine) * k.Timing.Stalls.DMA)
		}
	}
	s := &t.Stalls
	best, text := s.Compute, fmt.Sprintf("compute: inner loops take %s of the time, %s of peak",
		share(s.Compute), percent(t.PeakShare))
	worse := func(v float64, format string, args ...any) {
		if v > best {
			best, text = v, fmt.Sprintf(format, args...)
		}
	}
	worse(s.Call, "kernel calls: %s of the time is the overhead of calls; larger tiles would help",
		share(s.Call))
	for _, by := range []timing.Resource{timing.BoundStream, timing.BoundShim, timing.BoundDDR} {
		worse(waits[by], "%s: cores wait for operands %s of the time, and %s sets the pace",
			long[by], share(waits[by]), long[by])
	}
	worse(s.Output, "output: cores wait %s of the time for results to leave", share(s.Output))
	worse(s.Fill, "fill and drain: %s of the time; the kernels are too short to fill the pipeline",
		share(s.Fill))
	host, launch := t.Cost.Host(), s.Host-t.Cost.Host()
	worse(host, "host: %s of the time is calls, %d of them (%s); the array works %s", share(host), t.Calls,
		Duration(host), Duration(t.Seconds-s.Host))
	worse(launch, "launches: %s of the time is the start of %d kernels and the restarts between tasks (%s); the "+
		"array works %s", share(launch), t.Kernels, Duration(launch), Duration(t.Seconds-s.Host))
	return text
}

var long = map[timing.Resource]string{timing.BoundStream: "the stream into a core",
	timing.BoundShim: "the interface tiles", timing.BoundDDR: "memory bandwidth"}
