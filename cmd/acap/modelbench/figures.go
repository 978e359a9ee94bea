package modelbench

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Figures are what was measured of a model. Times are seconds.
type Figures struct {
	Model   string  `json:"model"`
	Threads int     `json:"threads"`
	Read    float64 `json:"read_seconds"`    // from the file to a module
	Compile float64 `json:"compile_seconds"` // from the module to a program
	First   float64 `json:"first_run_seconds"`
	Timing
	Kernels    []KernelFigures `json:"kernels,omitempty"`           // nil if kernels were not measured
	PeakMemory int64           `json:"peak_memory_bytes,omitempty"` // 0 where the system does not say
	Peers      []PeerFigures   `json:"peers,omitempty"`             // nil where none was measured
}

// Timing is how many seconds a run takes.
type Timing struct {
	Median float64 `json:"median_seconds"` // of the rounds' medians
	Least  float64 `json:"least_seconds"`  // of all runs
}

// PeerFigures are what was measured of another runtime, in seconds.
type PeerFigures struct {
	Name    string  `json:"name"`
	Version string  `json:"version"`
	Read    float64 `json:"read_seconds"` // and compile
	First   float64 `json:"first_run_seconds"`
	Timing
	Ratio      float64 `json:"ratio"`              // its median over ours
	Difference float64 `json:"largest_difference"` // of an element of a result from ours, both finite
	Largest    float64 `json:"largest_result"`     // magnitude of a finite element of its results
	Apart      int     `json:"not_finite_apart"`   // elements that are NaN or infinite, and not the same here and there
}

// KernelFigures are the measurements of a kernel, for one run of the model. The time is the sum over all threads.
type KernelFigures struct {
	Name    string  `json:"name"`
	What    string  `json:"what"`
	Runs    float64 `json:"runs"` // of this kernel and equal ones
	Seconds float64 `json:"seconds"`
	Share   float64 `json:"share"`            // of the time of all kernels
	FLOPS   float64 `json:"flops_per_second"` // on one thread; a multiplication and an addition are two operations
	Bytes   float64 `json:"bytes_per_second"` // on one thread, each element once
}

// String is a table with a column for each runtime, and below it the table of kernels.
func (f *Figures) String() string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s, %d threads\n%-34s %14s", filepath.Base(f.Model), f.Threads, "", "acap")
	for _, p := range f.Peers {
		fmt.Fprintf(&w, "  %22s", p.Name+" "+p.Version)
	}
	row := func(name string, own float64, of func(p *PeerFigures) float64) {
		fmt.Fprintf(&w, "\n%-34s %14.3f", name, own)
		for i := range f.Peers {
			fmt.Fprintf(&w, "  %22.3f", of(&f.Peers[i]))
		}
	}
	row("file to program, ms", 1e3*(f.Read+f.Compile), func(p *PeerFigures) float64 { return 1e3 * p.Read })
	row("first run, ms", 1e3*f.First, func(p *PeerFigures) float64 { return 1e3 * p.First })
	row("one run, ms: median", 1e3*f.Median, func(p *PeerFigures) float64 { return 1e3 * p.Median })
	row("one run, ms: least", 1e3*f.Least, func(p *PeerFigures) float64 { return 1e3 * p.Least })
	row("runs a second", 1/f.Median, func(p *PeerFigures) float64 { return 1 / p.Median })
	fmt.Fprintln(&w)
	for _, p := range f.Peers {
		fmt.Fprintf(&w, "%s takes %.2f times as long; results differ by up to %.2g where the largest is %.2g\n",
			p.Name, p.Ratio, p.Difference, p.Largest)
		if p.Apart > 0 {
			fmt.Fprintf(&w, "%d elements of results are NaN or infinite, and not the same as in the results of %s\n", p.Apart, p.Name)
		}
	}
	if f.PeakMemory > 0 {
		fmt.Fprintf(&w, "%-34s %14.1f\n", "most memory, MB", float64(f.PeakMemory)/1e6)
	}
	writeKernels(&w, f.Kernels)
	return w.String()
}

// writeKernels writes a table of kernels, if there are any.
func writeKernels(w *strings.Builder, list []KernelFigures) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-24s %-14s %6s %12s %7s %10s %8s\n", "kernel", "", "runs", "ms, threads", "share", "GFLOP/s", "GB/s")
	for _, k := range list {
		fmt.Fprintf(w, "%-24s %-14s %6.3g %12.4f %6.1f%% %10.1f %8.1f\n", k.Name, k.What, k.Runs, 1e3*k.Seconds, 1e2*k.Share, k.FLOPS/1e9, k.Bytes/1e9)
	}
	fmt.Fprintln(w, "Times add up over all threads; rates are of one thread. Equal kernels share a line.")
}
