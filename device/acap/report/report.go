package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Report is what a machine did with the kernels of a program, in order.
type Report struct {
	Machine   *machine.Machine `json:"-"`
	Name      string           `json:"machine"`
	Kernels   []Kernel         `json:"kernels"`
	Fallbacks map[string]int   `json:"fallbacks,omitempty"` // calls on the host, by operator
}

// Kernel is one kernel's row.
type Kernel struct {
	Name    string           `json:"name"`
	Where   string           `json:"where,omitempty"` // source lines
	Work    *workload.Kernel `json:"-"`
	Mapping mapping.Mapping  `json:"-"`
	Timing  timing.Timing    `json:"timing"`
	Layout  string           `json:"mapping"`
	Bound   string           `json:"bound"`
	// Problem says why the array cannot run the kernel; its time is then unknown.
	Problem string `json:"problem,omitempty"`
}

// Total is the sum over the kernels that have a time.
type Total struct {
	Seconds, Cycles  float64
	MACs             int64
	Ops              float64
	ReadL3, WriteL3  int64
	PeakShare        float64 // multiply-accumulates over time, of the machine's peak
	Joules           float64
	Kernels, Missing int
}

// Total adds up the kernels.
func (r *Report) Total() Total {
	var t Total
	peak := 0.0
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Problem != "" {
			t.Missing++
			continue
		}
		t.Kernels++
		t.Seconds += k.Timing.Seconds
		t.Cycles += k.Timing.Cycles
		t.MACs += k.Timing.MACs
		t.Ops += k.Work.Ops()
		t.ReadL3 += k.Timing.ReadL3
		t.WriteL3 += k.Timing.WriteL3
		t.Joules += k.Timing.Joules
		peak += k.Timing.PeakShare * k.Timing.Seconds
	}
	if t.Seconds > 0 {
		t.PeakShare = peak / t.Seconds
	}
	return t
}

// String prints the verdict and the table.
func (r *Report) String() string {
	var b strings.Builder
	t := r.Total()
	fmt.Fprintf(&b, "%s: %d kernels, %s, %s, %s of peak, %s read, %s written\n", r.Name, t.Kernels,
		Duration(t.Seconds), Rate(t.Ops, t.Seconds), percent(t.PeakShare), Bytes(t.ReadL3), Bytes(t.WriteL3))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kernel\tcores\tmapping\tcycles\ttime\tMAC/cycle\tof peak\tDDR\tbound by\tfrom")
	for i := range r.Kernels {
		r.Kernels[i].row(w)
	}
	w.Flush()
	if t.Missing > 0 {
		fmt.Fprintf(&b, "%d kernels cannot run on this machine and are not in the total\n", t.Missing)
	}
	for name, n := range r.Fallbacks {
		fmt.Fprintf(&b, "host: %s, %d calls\n", name, n)
	}
	return b.String()
}

func (k *Kernel) row(w *tabwriter.Writer) {
	if k.Problem != "" {
		fmt.Fprintf(w, "%s\t-\t%s\t\t\t\t\t\t\t%s\n", k.Name, k.Problem, k.Where)
		return
	}
	t := &k.Timing
	fmt.Fprintf(w, "%s\t%d\t%s\t%.0f\t%s\t%.1f\t%s\t%s\t%s\t%s\n", k.Name, t.Cores, k.Layout, t.Cycles,
		Duration(t.Seconds), t.MACsPerCycle, percent(t.PeakShare), Bytes(t.ReadL3+t.WriteL3), k.Bound, k.Where)
}

// SimpleRender implements the display protocol of Go notebook kernels.
func (r *Report) SimpleRender() map[string]any {
	return map[string]any{"text/plain": r.String(), "text/html": "<pre>" + escape(r.String()) + "</pre>"}
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// Print writes the report to standard output.
func (r *Report) Print() { fmt.Print(r.String()) }

// Duration writes seconds with a fitting unit.
func Duration(s float64) string {
	switch {
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s >= 1e-3:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g us", s*1e6)
}

// Bytes writes a size with a binary unit.
func Bytes(n int64) string {
	v, unit := float64(n), 0
	for v >= 1024 && unit < 4 {
		v /= 1024
		unit++
	}
	return fmt.Sprintf("%.3g %s", v, [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}

// Rate writes operations per second.
func Rate(ops, seconds float64) string {
	if seconds <= 0 {
		return "0 GOPS"
	}
	v := ops / seconds / 1e9
	if v >= 1000 {
		return fmt.Sprintf("%.3g TOPS", v/1000)
	}
	return fmt.Sprintf("%.3g GOPS", v)
}

func percent(v float64) string { return fmt.Sprintf("%.3g%%", 100*v) }
