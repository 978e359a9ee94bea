package predict

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// Prediction is a row with what the model says about it.
type Prediction struct {
	Row       Row     `json:"row"`
	Machine   string  `json:"machine,omitempty"`
	Mapping   string  `json:"mapping,omitempty"`   // measured; ours when the row names none
	Named     bool    `json:"named"`               // the row names its mapping
	Predicted float64 `json:"predicted,omitempty"` // in the row's unit
	Error     float64 `json:"error"`               // predicted over measured, minus one
	// Low and High are between which a measurement is expected in 9 of 10 cases; 0 where
	// nothing is known: see [Interval].
	Low     float64 `json:"low,omitempty"`
	High    float64 `json:"high,omitempty"`
	Bound   string  `json:"bound,omitempty"` // what limits the measured mapping
	Best    float64 `json:"best,omitempty"`  // the same quantity with our best mapping
	BestMap string  `json:"best_mapping,omitempty"`
	// Remarks are the row's statements beside its shape, and the assumptions for what the row leaves out.
	Remarks []string `json:"remarks,omitempty"`
	Skipped string   `json:"skipped,omitempty"` // why there is no prediction

	guessed   bool // the mapping is the one of other people's kernels
	made      bool // the row names who made its kernels, of a style that the machine knows
	otherwise bool // the row measured something else for the most part

	// Kernel is the kernel that was measured, in the mapping Measured; nil where there is no prediction.
	Kernel   *workload.Kernel `json:"-"`
	Measured mapping.Mapping  `json:"-"`
}

// Rows predicts every row with the presets, and maps every kernel anew.
func Rows(rows []Row) []Prediction { return Defaults{}.Rows(rows) }

// Rows predicts every row, and maps every kernel anew.
func (d Defaults) Rows(rows []Row) []Prediction {
	if d.Machines == nil {
		d.Machines = Presets()
	}
	d.sources = sources(rows)
	out := make([]Prediction, len(rows))
	for i, r := range rows {
		p, m, s := d.predict(r)
		if p.Skipped == "" {
			p.best(m, s)
		}
		out[i] = p
	}
	return out
}

// Predict predicts one row with the machines given, in the mapping it names.
func Predict(r Row, machines Machines) Prediction {
	p, _, _ := (&Defaults{Machines: machines}).predict(r)
	return p
}

// predict also returns what was measured, and the machine.
func (d *Defaults) predict(r Row) (Prediction, *machine.Machine, *subject) {
	p := Prediction{Row: r}
	m, s, err := p.fill(d)
	if err != nil {
		p.Skipped = err.Error()
	}
	return p, m, s
}

func (p *Prediction) fill(d *Defaults) (*machine.Machine, *subject, error) {
	row := p.Row.plain()
	name, err := machineName(&row)
	if err != nil {
		return nil, nil, err
	}
	m, err := d.Machines(name)
	if err != nil {
		return nil, nil, err
	}
	p.Machine = name
	if m, p.Remarks, err = d.used(m, &row); err != nil {
		return nil, nil, err
	}
	s, err := row.read(m)
	if err != nil {
		return nil, nil, err
	}
	p.Row.M, p.Row.K, p.Row.N = row.M, row.K, row.N
	// A machine without programs has one mapping.
	p.Named = s.mapped || !m.Programmed()
	if !s.mapped {
		var why string
		if s.mapping, why, err = row.unnamed(m, s); err != nil {
			return nil, nil, err
		}
		p.Remarks = append(p.Remarks, why)
	}
	p.Mapping = s.mapping.String()
	p.Kernel, p.Measured = &s.kernel, s.mapping
	t, err := timing.Estimate(m, &s.kernel, s.mapping)
	if err != nil {
		return nil, nil, err
	}
	p.Bound = t.Bound.String()
	if p.Predicted, err = row.quantity(m, s, &t); err != nil {
		return nil, nil, err
	}
	p.Error = p.Predicted/p.Row.Value - 1
	_, p.made = row.madeBy(m, s)
	p.remark(m, &row, s)
	p.Low, p.High = p.interval()
	return m, s, nil
}

// unnamed returns the mapping of a row that names no whole mapping, and a remark on where the mapping comes from.
func (r *Row) unnamed(m *machine.Machine, s *subject) (mapping.Mapping, string, error) {
	if g, ok := r.constrained(m, s); ok {
		return g, "fastest mapping of what the row says", nil
	}
	why := "no mapping said: "
	if p := r.partialMapping(m); p.tm+p.tk+p.tn+p.cols > 0 {
		why = "what the row says of its mapping fits no kernel that is known: "
	}
	if g, ok := r.published(m, s); ok {
		return g, why + "kernels as people have published them", nil
	}
	g, err := published.Ours(m, &s.kernel, r.Tiles)
	return g, why + "ours", err
}

// best adds what the best mapping of our own would reach.
func (p *Prediction) best(m *machine.Machine, s *subject) {
	c, err := mapper.Map(m, &s.kernel)
	if err != nil {
		p.BestMap = err.Error()
		return
	}
	best, t := subject{kernel: s.kernel, mapping: c.Mapping}, c.Timing
	if g, two, ok := twoLaunches(m, &s.kernel); ok && two.Seconds < t.Seconds {
		best.mapping, t = g, two
	}
	p.BestMap = best.mapping.String()
	row := p.Row.plain()
	p.Best, _ = row.quantity(m, &best, &t)
}

// twoLaunches returns the best mapping of a product whose sums leave in their own type
// for a second launch that converts them, where the machine has kernels for that. A
// device program is one launch, so that package mapper does not offer it; hardware people
// do it where sums and a converted tile do not fit a core together.
func twoLaunches(m *machine.Machine, k *workload.Kernel) (mapping.Mapping, timing.Timing, bool) {
	for _, name := range slices.Sorted(maps.Keys(m.Compute.Styles)) {
		style := m.Compute.Styles[name]
		sums := *k
		sums.Contraction.Out = k.Contraction.Acc
		if style.Cast.Value == 0 || k.Kind != workload.KindContraction ||
			k.Contraction.Out == k.Contraction.Acc || k.Contraction.Acc.String() != style.Accumulate {
			continue
		}
		c, err := mapper.Map(m, &sums)
		if err != nil {
			continue
		}
		g := c.Mapping
		g.Style = name
		if t, err := timing.Estimate(m, k, g); err == nil {
			return g, t, true
		}
	}
	return mapping.Mapping{}, timing.Timing{}, false
}

// quantity converts a timing to the metric and unit of a plain row.
func (r *Row) quantity(m *machine.Machine, s *subject, t *timing.Timing) (float64, error) {
	ops := 2 * float64(s.kernel.MACs())
	switch r.Metric {
	case "latency", "avg latency", "mean latency", "median latency", "min latency", "time", "runtime", "duration":
		scale := map[string]float64{"s": 1, "sec": 1, "seconds": 1, "ms": 1e3, "msec": 1e3, "milliseconds": 1e3, "us": 1e6, "usec": 1e6,
			"microseconds": 1e6, "ns": 1e9, "nsec": 1e9, "nanoseconds": 1e9}[r.Unit]
		if scale > 0 {
			return t.Seconds * scale, nil
		}
	case "throughput", "bandwidth", "effective bandwidth", "memory bandwidth":
		if scale := map[string]float64{"b/s": 1, "mb/s": 1e-6, "gb/s": 1e-9, "gbps": 1e-9}[r.Unit]; scale > 0 {
			return float64(s.kernel.Bytes()) / t.Seconds * scale, nil // what goes in and out once
		}
		unit := strings.Replace(r.Unit, "op/s", "ops", 1)
		scale := map[string]float64{"gflops": 1e-9, "gops": 1e-9, "tflops": 1e-12,
			"tops": 1e-12}[unit]
		if scale > 0 && ops > 0 && r.Metric == "throughput" {
			return ops / t.Seconds * scale, nil
		}
	case "compute cycles":
		if strings.HasPrefix(r.Unit, "cycle") {
			return math.Round(t.Step.Core * float64(t.Rounds*t.Steps) * m.Clock.Value), nil
		}
	case "total cycles", "stall cycles":
		if m.Scratchpads == (machine.Scratchpads{}) && !calc.MatchString(strings.ToLower(r.Workload)) {
			return 0, fmt.Errorf("%s need the sizes of scratchpads and the words a cycle: \"32x32 systolic, 64+64+64 KB\", \"gemm os USER bw10\"", r.Metric)
		}
		if strings.HasPrefix(r.Unit, "cycle") {
			core := float64(t.Step.Core * float64(t.Rounds*t.Steps)) // rounded, and not fused with the difference
			cycles := max(core, t.Steady)
			if m.Scratchpads == (machine.Scratchpads{}) {
				cycles = core
			}
			if r.Metric == "stall cycles" {
				cycles -= core
			}
			return math.Round(cycles * m.Clock.Value), nil
		}
	case "efficiency":
		c := &s.kernel.Contraction
		if rate, ok := m.MACRate(c.A.DType, c.B.DType); ok && r.Unit == "%" && ops > 0 {
			core := t.Step.Core * float64(t.Rounds*t.Steps) * m.Clock.Value
			return 100 * ops / 2 / rate / core / float64(s.mapping.Cores()), nil
		}
	}
	return 0, fmt.Errorf("metric %q in %q is not predicted, but latency in s, ms, us or ns, throughput in GOPS, TFLOPS or GB/s, bandwidth in GB/s, "+
		"and compute, stall and total cycles in cycles", r.Metric, r.Unit)
}
