package e2e

import (
	"errors"
	"fmt"
	"time"

	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/mlir/upstream"
)

// Outcome is the result of a program under a configuration: passed, failed, "failed as expected", "passed
// unexpectedly", or absent for want of tools.
type Outcome struct {
	Config  string  `json:"config"`
	Name    string  `json:"name"`
	Outcome string  `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Seconds float64 `json:"seconds"`
}

// The values of Outcome.
const (
	Passed     = "passed"
	Failed     = "failed"
	Expected   = "failed as expected"
	Unexpected = "passed unexpectedly"
	Absent     = "absent"
)

// Outcome runs a program, which must fail if fails is set; why says for what reason.
func (c *Config) Outcome(p Program, why string, fails bool) Outcome {
	start := time.Now()
	err := c.check(p)
	o := Outcome{Config: c.Name, Name: p.Name, Outcome: Passed, Seconds: time.Since(start).Seconds()}
	switch {
	case errors.Is(err, upstream.ErrAbsent):
		o.Outcome, o.Reason = Absent, err.Error()
	case err != nil && fails:
		o.Outcome, o.Reason = Expected, why
	case err != nil:
		o.Outcome, o.Reason = Failed, err.Error()
	case fails:
		o.Outcome, o.Reason = Unexpected, "it should fail: "+why
	}
	return o
}

func (c *Config) check(p Program) (err error) {
	defer conformance.CatchPanic(&err)
	o, err := p.open()
	if err != nil {
		return err
	}
	got, err := c.run(o.module, o.inputs)
	if err != nil {
		return err
	}
	if len(got) != len(o.want) {
		return fmt.Errorf("%d outputs instead of %d", len(got), len(o.want))
	}
	for i, w := range o.want {
		relative, absolute := conformance.ModelRelative, conformance.ModelAbsolute
		if got[i].DType.IsFloat() && got[i].DType.Size() < 4 {
			relative, absolute = halfRelative, halfAbsolute
		}
		if err := modelfile.Compare(got[i], w, relative, absolute); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// halfRelative and halfAbsolute are the tolerances of results with less than 32 bits.
const halfRelative, halfAbsolute = 1e-2, 1e-3
