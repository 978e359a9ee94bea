package predict

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/timing"
)

// Prediction is a row with what the model says about it.
type Prediction struct {
	Row       Row     `json:"row"`
	Machine   string  `json:"machine,omitempty"`
	Mapping   string  `json:"mapping,omitempty"`   // measured; ours when the row names none
	Named     bool    `json:"named"`               // the row names its mapping
	Predicted float64 `json:"predicted,omitempty"` // in the row's unit
	Error     float64 `json:"error"`               // predicted over measured, minus one
	Bound     string  `json:"bound,omitempty"`     // what limits the measured mapping
	Best      float64 `json:"best,omitempty"`      // the same quantity with our best mapping
	BestMap   string  `json:"best_mapping,omitempty"`
	Skipped   string  `json:"skipped,omitempty"` // why there is no prediction
}

// Rows predicts every row with the presets, and maps every kernel anew.
func Rows(rows []Row) []Prediction {
	machines := Presets()
	out := make([]Prediction, len(rows))
	for i, r := range rows {
		out[i] = Predict(r, machines)
		out[i].best(machines)
	}
	return out
}

// Predict predicts one row with the machines given, in the mapping it names.
func Predict(r Row, machines Machines) Prediction {
	p := Prediction{Row: r}
	if err := p.fill(machines); err != nil {
		p.Skipped = err.Error()
	}
	return p
}

func (p *Prediction) fill(machines Machines) error {
	name, err := machineName(&p.Row)
	if err != nil {
		return err
	}
	m, err := machines(name)
	if err != nil {
		return err
	}
	p.Machine = name
	s, err := p.Row.read(m)
	if err != nil {
		return err
	}
	if p.Named = s.mapped; !s.mapped {
		c, err := mapper.Map(m, &s.kernel)
		if err != nil {
			return err
		}
		s.mapping = c.Mapping
	}
	p.Mapping = s.mapping.String()
	t, err := timing.Estimate(m, &s.kernel, s.mapping)
	if err != nil {
		return err
	}
	p.Bound = t.Bound.String()
	if p.Predicted, err = p.Row.quantity(m, s, &t); err != nil {
		return err
	}
	p.Error = p.Predicted/p.Row.Value - 1
	return nil
}

// best adds what the best mapping of our own would reach.
func (p *Prediction) best(machines Machines) {
	if p.Skipped != "" {
		return
	}
	m, err := machines(p.Machine)
	if err != nil {
		return
	}
	s, err := p.Row.read(m)
	if err != nil {
		return
	}
	c, err := mapper.Map(m, &s.kernel)
	if err != nil {
		p.BestMap = err.Error()
		return
	}
	s.mapping = c.Mapping
	p.BestMap = c.Mapping.String()
	p.Best, _ = p.Row.quantity(m, s, &c.Timing)
}

// quantity converts a timing to the metric and unit of the row.
func (r *Row) quantity(m *machine.Machine, s *subject, t *timing.Timing) (float64, error) {
	ops := 2 * float64(s.kernel.MACs())
	switch r.Metric {
	case "latency", "avg latency":
		scale := map[string]float64{"s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}[r.Unit]
		if scale > 0 {
			return t.Seconds * scale, nil
		}
	case "throughput":
		scale := map[string]float64{"GFLOPS": 1e-9, "GOPS": 1e-9, "TFLOPS": 1e-12,
			"TOPS": 1e-12}[r.Unit]
		if scale > 0 && ops > 0 {
			return ops / t.Seconds * scale, nil
		}
	case "compute cycles":
		if strings.HasPrefix(r.Unit, "cycle") {
			return math.Round(t.Step.Core * float64(t.Rounds*t.Steps) * m.Clock.Value), nil
		}
	case "efficiency":
		c := &s.kernel.Contraction
		if rate, ok := m.MACRate(c.A.DType, c.B.DType); ok && r.Unit == "%" && ops > 0 {
			core := t.Step.Core * float64(t.Rounds*t.Steps) * m.Clock.Value
			return 100 * ops / 2 / rate / core / float64(s.mapping.Cores()), nil
		}
	}
	return 0, fmt.Errorf("metric %q in %q is not predicted", r.Metric, r.Unit)
}
