package report

import (
	"encoding/csv"
	"io"
	"strconv"
)

// WriteCSV writes one row per kernel. Times are seconds, sizes bytes, shares
// fractions; the energy is an estimate. An error is one of w.
func (r *Report) WriteCSV(w io.Writer) error {
	r.Simulate()
	out := csv.NewWriter(w)
	out.Write([]string{"kernel", "machine", "mapping", "cores", "seconds", "cycles", "event_seconds",
		"ideal_seconds", "macs", "ops", "mac_per_cycle", "peak_share", "ops_per_second", "roofline",
		"intensity", "bound", "l3_read", "l3_write", "l2", "l1", "compute", "call", "wait_operands",
		"wait_output", "fill_drain", "host", "joules_estimate", "problem", "from", "once", "launch_seconds",
		"array_seconds"})
	f := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	for i, adds := range r.Adds() {
		k := &r.Kernels[i]
		t, s := &k.Timing, &k.Timing.Stalls
		events, ops := "", 0.0
		if e, err := k.Event(); err == nil && e != nil {
			events = f(e.Seconds)
		}
		if k.Problem == "" {
			ops = k.Work.Ops()
		}
		out.Write([]string{k.Name, r.Name, k.Layout, strconv.Itoa(t.Cores), f(t.Seconds), f(t.Cycles),
			events, f(t.Ideal), n(t.MACs), f(ops), f(t.MACsPerCycle), f(t.PeakShare), f(t.OpsPerSecond),
			f(t.Roofline), f(t.Intensity), k.Bound, n(t.ReadL3), n(t.WriteL3), n(t.L2), n(t.L1),
			f(s.Compute), f(s.Call), f(s.DMA), f(s.Output), f(s.Fill), f(s.Host), f(t.Joules),
			k.Problem, k.Where, strconv.FormatBool(k.Once), f(adds.Launch()), f(adds.Work())})
	}
	out.Flush()
	return out.Error()
}
