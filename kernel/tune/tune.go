package tune

import (
	"time"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/native"
)

const (
	mostForms  = 8                     // forms of a kernel that are timed
	mostTime   = 50 * time.Millisecond // of all runs of a kernel, beyond the first run of each form
	mostBytes  = 256 << 20             // of the operands of a kernel that is timed
	leastGain  = 0.03                  // share of the time that another form must save
	leastRuns  = 3                     // runs of each form
	leastNanos = 1e3                   // of a kernel that is timed: shorter runs say little
	mostNanos  = 50e6
)

// Result says what the timing of a kernel found.
type Result struct {
	Choices Choices // for [Again]
	Forms   int     // forms that were timed; 0 if the generator saw no close decision
	Model   float64 // seconds of the form that the model prefers
	Best    float64 // seconds of the form that was taken
}

// Compile compiles a kernel for a processor with the fastest of its close forms. A kernel without close decisions, a
// kernel of more than 256 MiB and a kernel whose runs are estimated below 1 us or above 50 ms are compiled as the model
// has them. Kernels in fixed order (see cpu.Features.Fixed) keep the model's form, because forms may order sums
// otherwise.
func Compile(k kernel.Kernel, f cpu.Features) (kernel.Code, Result, error) {
	first := &recorder{}
	code, err := compile(k, f, first)
	if err != nil || f.Fixed {
		return code, Result{}, err
	}
	r := Result{Choices: first.taken()}
	others := first.others()
	nanos := float64(code.Units()) * code.UnitNanos()
	if len(others) == 0 || nanos < leastNanos || nanos > mostNanos || size(k) > mostBytes {
		return code, r, nil
	}
	forms := []*form{{code: code, choices: r.Choices}}
	for _, choices := range others[:min(len(others), mostForms-1)] {
		recorded := &recorder{choices: choices}
		if other, err := compile(k, f, recorded); err == nil {
			forms = append(forms, &form{code: other, choices: recorded.taken()})
		}
	}
	r.Forms = len(forms)
	race(k, forms)
	best := fastest(forms)
	r.Model, r.Best, r.Choices = forms[0].seconds, best.seconds, best.choices
	for _, o := range forms {
		if o != best {
			o.code.Close()
		}
	}
	return best.code, r, nil
}

// fastest returns the fastest form, or the first, which the model prefers, unless another one saves a [leastGain].
func fastest(forms []*form) *form {
	best := forms[0]
	for _, o := range forms[1:] {
		if o.seconds < best.seconds && o.seconds < forms[0].seconds*(1-leastGain) {
			best = o
		}
	}
	return best
}

// Again compiles a kernel by choices that [Compile] returned for an equal kernel and processor.
func Again(k kernel.Kernel, f cpu.Features, choices Choices) (kernel.Code, error) {
	return compile(k, f, &recorder{choices: choices})
}

func compile(k kernel.Kernel, f cpu.Features, r *recorder) (kernel.Code, error) {
	if !f.Fixed {
		f.Chooser = r
	}
	return native.CompileFor(k, f)
}
