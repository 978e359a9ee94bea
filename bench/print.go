package main

import (
	"fmt"
	"math"
)

// printRow prints what one cell takes.
func (s *session) printRow(c cell) {
	m := typical(s.results[c][ours])
	fmt.Fprintf(s.out, "%-20s %d thr", c.name, c.threads)
	if m.Error != "" {
		fmt.Fprintf(s.out, "  failed: %s\n", m.Error)
		return
	}
	rate := ""
	switch {
	case m.GFLOPS > 0:
		rate = fmt.Sprintf("%.1f GFLOP/s", m.GFLOPS)
	case m.GBPS > 0:
		rate = fmt.Sprintf("%.1f GB/s", m.GBPS)
	}
	share := ""
	if m.Share > 0 {
		share = fmt.Sprintf("%.0f%%", 100*m.Share)
	}
	fmt.Fprintf(s.out, " %11s %14s %5s", duration(m.Median), rate, share)
	if m.Allocs != nil {
		fmt.Fprintf(s.out, " %6.1f allocs", *m.Allocs)
	}
	if m.Bytes != nil {
		fmt.Fprintf(s.out, " %6.0f B", *m.Bytes)
	}
	if m.Overhead != nil {
		fmt.Fprintf(s.out, "  overhead %.2f%%", 100**m.Overhead)
	}
	if best, ok := s.bestPeer(c); ok {
		fmt.Fprintf(s.out, "  %-17s %11s  ratio %.2f", best.Peer, duration(best.Median), best.Median/m.Median)
	}
	fmt.Fprintln(s.out)
}

// duration writes milliseconds with four digits and a fitting unit.
func duration(ms float64) string {
	switch {
	case ms < 1e-3:
		return fmt.Sprintf("%.4g ns", ms*1e6)
	case ms < 1:
		return fmt.Sprintf("%.4g µs", ms*1e3)
	}
	return fmt.Sprintf("%.4g ms", ms)
}

// printSummary prints the limits, the mean ratio for each number of threads, and
// what narrow element types gain.
func (s *session) printSummary(ratios []ratio) {
	for _, t := range s.threads {
		fmt.Fprintf(s.out, "%d threads: %.0f GFLOP/s multiply-add", t, parallelRate(t, multiplyAdd))
		var values []float64
		for _, r := range ratios {
			if r.threads == t {
				values = append(values, r.value)
			}
		}
		if len(values) > 0 {
			fmt.Fprintf(s.out, ", geometric mean of %d ratios %.3f", len(values), geomean(values))
		}
		fmt.Fprintln(s.out)
		s.printGain(t, "mm_1024_bf16", "mm_1024")
		s.printGain(t, "mm_1024_i8", "mm_1024")
	}
}

// printGain says how much faster one of our cases is than another.
func (s *session) printGain(threads int, fast, slow string) {
	a, b := s.results[cell{fast, threads}][ours], s.results[cell{slow, threads}][ours]
	if a != nil && b != nil {
		fmt.Fprintf(s.out, "%d threads: %s is %.2f times as fast as %s\n", threads, fast,
			typical(b).Median/typical(a).Median, slow)
	}
}

// geomean is the geometric mean.
func geomean(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}
