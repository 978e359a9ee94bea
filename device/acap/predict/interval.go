package predict

import (
	"cmp"
	"maps"
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
	"language models, array": 0.2,
	"language models, wall":  0.28,
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

// fittedTo is how the sources begin, in plain text, to whose rows constants were fitted: rows of others are farther off.
var fittedTo = []string{"xilinx/mlir-air kernel_registry", "arc-research-lab/aries", "arc-research-lab/charm"}

// Spread is how far measurements are from a prediction: in 9 of 10 cases a measured time is between the predicted one over
// Below and the predicted one times Above, both at least 1.
type Spread struct{ Below, Above float64 }

// elsewhere is the spread of rows of sources to which no constant was fitted, by whether they name their mapping: that of
// [Conformal] on testdata/elsewhere.csv, with each source left out in turn.
var elsewhere = map[bool]Spread{
	true:  {1.15, 1.35},
	false: {1.85, 1.6},
}

// ours is the spread of rows of products of the sources that constants were fitted to, in our best mapping, where they name
// none: what the program in directory fit prints for rows whose mapping is left out.
var ours = Spread{1.15, 3.7}

// interval returns between which the measurement of a row is expected in 9 of 10 cases.
func (p *Prediction) interval() (low, high float64) {
	group := p.Group()
	if _, known := heldOut[group]; !known {
		return 0, 0
	}
	source := plain(p.Row.Source)
	fitted := slices.ContainsFunc(fittedTo, func(name string) bool { return strings.HasPrefix(source, name) })
	var s Spread
	switch {
	case fitted && p.Named:
		return Interval(group, p.Predicted)
	case fitted:
		s = ours
	default:
		s = elsewhere[p.Named && !p.guessed]
	}
	if p.Row.rising() {
		s.Below, s.Above = s.Above, s.Below
	}
	return p.Predicted / s.Below, p.Predicted * s.Above
}

// Scored is by how much the measured times of the rows of a source differ from the predicted ones: logarithms of their
// ratio, positive where more time was measured.
type Scored map[string][]float64

// Add adds a row that has a prediction.
func (s Scored) Add(p *Prediction) {
	s[p.Row.Source] = append(s[p.Row.Source], math.Log(p.Times()))
}

// Conformal returns the spread that covers the given share of rows of a source that is not among the others: every source
// counts as one, however many rows it has. Both ends are at least the prediction.
func (s Scored) Conformal(share float64) Spread {
	type weighted struct{ score, weight float64 }
	var all []weighted
	for _, scores := range s {
		for _, x := range scores {
			all = append(all, weighted{x, 1 / float64(len(scores))})
		}
	}
	// A source more, which may be anywhere, is what makes it conformal.
	end := func(sign float64) float64 {
		slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(sign*b.score, sign*a.score) })
		beyond := (1 - share) / 2 * float64(len(s)+1)
		for _, w := range all {
			if beyond -= w.weight; beyond < 0 {
				return math.Exp(max(0, sign*w.score))
			}
		}
		return 1
	}
	return Spread{Below: end(-1), Above: end(1)}
}

// Covers reports whether a row lies within the spread.
func (s Spread) Covers(score float64) bool {
	return -math.Log(s.Below) <= score && score <= math.Log(s.Above)
}

// LeftOut returns the share of rows that lie within the spread of the other sources, with each source left out in turn.
func (s Scored) LeftOut(share float64) float64 {
	covered, rows := 0, 0
	for name, scores := range s {
		others := maps.Clone(s)
		delete(others, name)
		spread := others.Conformal(share)
		for _, x := range scores {
			if rows++; spread.Covers(x) {
				covered++
			}
		}
	}
	return float64(covered) / float64(rows)
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

// Quantile returns an error that 9 of 10 further rows are expected to remain within, by those of
// rows held out: the largest of them if there are few.
func Quantile(errors []float64) float64 {
	if len(errors) == 0 {
		return math.Inf(1)
	}
	e := slices.Sorted(slices.Values(errors))
	return e[min(len(e), int(math.Ceil(0.9*float64(len(e)+1))))-1]
}
