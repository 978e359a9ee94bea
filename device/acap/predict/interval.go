package predict

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// heldOut is the error, in 9 of 10 rows no more, of predictions of rows that the constants
// were not fitted to, by group of [Summarize]: the largest of the figures that the program in
// directory fit prints for parts held out (folds, sources and styles). Groups whose constants
// were fitted to all rows that there are have none.
var heldOut = map[string]float64{
	"npu1 gemm":              0.123,
	"npu2 gemm":              0.211,
	"npu2 gemv":              0.211,
	"npu2 pointwise":         0.117,
	"npu2 rope":              0.117,
	"npu2 norms":             0.25, // rows of 2048 elements, which the fit leaves out
	"npu2 attention":         0.193,
	"language models, array": 0.133,
	"language models, wall":  0.213,
}

// Interval returns between which a measurement is expected in 9 of 10 cases, 0 and 0 for a
// group of which nothing is known.
func Interval(group string, predicted float64) (low, high float64) {
	e, ok := heldOut[group]
	if !ok {
		return 0, 0
	}
	return predicted / (1 + e), predicted / (1 - e)
}

// unnamed is the least and the most that rows of products take, as multiples of what they are predicted to take
// in our best mapping, where they do not name theirs: what the program in directory fit prints for the rows
// whose mappings are left out, and for those of testdata/types.csv; npu1's least is 6.76 TOPS of i8, which
// E. Taka et al., Striking the Balance, 2025, reached.
var unnamed = map[string][2]float64{
	"npu1 gemm": {0.72, 2.97},
	"npu2 gemm": {0.87, 3.73},
	"npu2 gemv": {1.01, 1.64},
}

// interval returns between which the measurement of a row is expected in 9 of 10 cases.
func (p *Prediction) interval() (low, high float64) {
	if p.Named {
		return Interval(p.Group(), p.Predicted)
	}
	of, ok := unnamed[p.Group()]
	switch {
	case !ok:
		return 0, 0
	case p.Row.rising():
		return p.Predicted / of[1], p.Predicted / of[0]
	}
	return p.Predicted * of[0], p.Predicted * of[1]
}

// Times returns how many times as long as predicted the row was measured to take.
func (p *Prediction) Times() float64 {
	if p.Row.rising() {
		return p.Predicted / p.Row.Value
	}
	return p.Row.Value / p.Predicted
}

// rising reports whether a row's quantity rises where less time is taken.
func (r *Row) rising() bool {
	switch plain(r.Metric) {
	case "throughput", "bandwidth", "effective bandwidth", "memory bandwidth", "efficiency":
		return true
	}
	return false
}

// Unmapped returns the row of a product without its mapping, and false where it names none.
func (r Row) Unmapped() (Row, bool) {
	name := strings.Fields(plain(r.Workload) + " ?")[0]
	p := r.plain()
	for _, note := range []*regexp.Regexp{tileNote, herdNote, sweepNote, gemvNote} {
		if note.MatchString(p.Notes) && (name == "gemm" || name == "gemv") {
			r.Notes = ""
			return r, true
		}
	}
	return r, false
}

// Quantile returns an error that 9 of 10 further rows are expected to stay within, by those of
// rows held out: the largest of them if there are few.
func Quantile(errors []float64) float64 {
	if len(errors) == 0 {
		return math.Inf(1)
	}
	e := slices.Sorted(slices.Values(errors))
	return e[min(len(e), int(math.Ceil(0.9*float64(len(e)+1))))-1]
}
