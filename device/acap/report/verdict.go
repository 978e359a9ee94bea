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
	best, text := s.Compute, fmt.Sprintf("compute: inner loops take %s of the time, at %s of peak",
		share(s.Compute), percent(t.PeakShare))
	worse := func(v float64, format string, args ...any) {
		if v > best {
			best, text = v, fmt.Sprintf(format, args...)
		}
	}
	worse(s.Call, "kernel calls: calls of inner loops take %s of the time; larger tiles need fewer",
		share(s.Call))
	for _, by := range []timing.Resource{timing.BoundStream, timing.BoundShim, timing.BoundDDR} {
		worse(waits[by], "%s: for %s of the time cores wait for operands that come that way",
			long[by], share(waits[by]))
	}
	worse(s.Output, "output: for %s of the time cores wait for results to leave", share(s.Output))
	worse(s.Fill, "fill and drain: %s of the time passes before the first and after the last step of kernels, which are short",
		share(s.Fill))
	host, launch := t.Cost.Host(), s.Host-t.Cost.Host()
	worse(host, "the host: %s %s, %s of the time (the array works %s)", taking(t.Calls, "call"), Duration(host), share(host),
		Duration(t.Seconds-s.Host))
	worse(launch, "launches: to start %s and to restart them between tasks takes %s, %s of the time (the array works %s)",
		count(t.Kernels, "kernel"), Duration(launch), share(launch), Duration(t.Seconds-s.Host))
	return text
}

// taking is "1 call takes" or "3 calls take".
func taking(n int, what string) string {
	if n == 1 {
		return count(n, what) + " takes"
	}
	return count(n, what) + " take"
}

var long = map[timing.Resource]string{timing.BoundStream: "the stream into a core",
	timing.BoundShim: "the interface tiles", timing.BoundDDR: "memory bandwidth"}
