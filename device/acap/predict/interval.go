package predict

import (
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/predict/notation"
	"github.com/go-acap/acap/device/acap/predict/spread"
)

// heldOut has, by group of [Summarize], the relative error that 9 of 10 rows do not exceed when the constants are
// fitted to other rows. It is the largest of the figures that the program in directory fit prints for held-out folds,
// sources and styles. A group without held-out rows has no entry.
var heldOut = map[string]float64{
	"npu1 gemm":      0.123,
	"npu2 gemm":      0.211,
	"npu2 gemv":      0.211,
	"npu2 pointwise": 0.117,
	"npu2 rope":      0.117,
	"npu2 norms":     0.25, // rows of 2048 elements, which the fit leaves out
	"npu2 attention": 0.193,
}

// Interval returns the bounds between which a measurement is expected in 9 of 10 cases; 0 and 0 for a group without
// known errors.
func Interval(group string, predicted float64) (low, high float64) {
	e, ok := heldOut[group]
	if !ok {
		return 0, 0
	}
	return spread.Within(predicted, e)
}

// fittedTo are the beginnings of sources to whose rows constants were fitted, in plain text. Rows of other sources are
// farther off.
var fittedTo = []string{"xilinx/mlir-air kernel_registry", "arc-research-lab/aries", "arc-research-lab/charm"}

// ours is the spread of products whose rows name no mapping, of sources to which constants were fitted, around the
// prediction in our best mapping. The program in directory fit prints the spread, from rows whose mapping is left out.
var ours = spread.Spread{Below: 1.15, Above: 3.7}

// interval returns between which the measurement of a row is expected in 9 of 10 cases.
func (p *Prediction) interval() (low, high float64) {
	group := p.Group()
	_, known := heldOut[group]
	source := notation.Plain(p.Row.Source)
	fitted := slices.ContainsFunc(fittedTo, func(name string) bool { return strings.HasPrefix(source, name) })
	var s spread.Spread
	switch {
	case fitted && !known || p.otherwise || !measured(p.Machine):
		return 0, 0
	case fitted && p.Named:
		return Interval(group, p.Predicted)
	case fitted:
		s = ours
	default:
		if s, known = elsewhere[p.Kind()]; !known {
			return 0, 0
		}
	}
	return s.Around(p.Predicted, p.Row.rising())
}

// measured reports whether constants of a machine were fitted to kernels on it of several sources.
func measured(name string) bool { return name == "npu1" || name == "npu2" }

// Times returns how many times as long as predicted the row was measured to take.
func (p *Prediction) Times() float64 {
	if p.Row.rising() {
		return p.Predicted / p.Row.Value
	}
	return p.Row.Value / p.Predicted
}

// rising reports whether a row's quantity rises where less time is taken.
func (r *Row) rising() bool {
	switch notation.Plain(r.Metric) {
	case "throughput", "bandwidth", "effective bandwidth", "memory bandwidth", "efficiency":
		return true
	}
	return false
}

// Unmapped returns the row of a product without its mapping, and false where it names none.
func (r Row) Unmapped() (Row, bool) {
	name := strings.Fields(notation.Plain(r.Workload) + " ?")[0]
	p := r.plain()
	for _, note := range []*notation.Pattern{tileNote, herdNote, sweepNote, gemvNote} {
		if note.MatchString(p.Notes) && (name == "gemm" || name == "gemv") {
			r.Notes = ""
			return r, true
		}
	}
	return r, false
}

// Quantile returns an error that 9 of 10 further rows are expected to remain within, from the errors of rows held out:
// the largest error if there are few.
func Quantile(errors []float64) float64 {
	if len(errors) == 0 {
		return math.Inf(1)
	}
	e := slices.Sorted(slices.Values(errors))
	return e[min(len(e), int(math.Ceil(0.9*float64(len(e)+1))))-1]
}
