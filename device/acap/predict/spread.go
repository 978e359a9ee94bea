package predict

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Spread is how far measurements are from a prediction: in 9 of 10 cases a measured time is between the predicted one over
// Below and the predicted one times Above, both at least 1.
type Spread struct{ Below, Above float64 }

// elsewhere is the spread of rows of sources to which no constant was fitted, by [Prediction.Kind]: what [Kinds.Spread] says of
// testdata/unseen.csv, and of watts that of llm/account/testdata/watts.csv, as acap predict -intervals prints it.
var elsewhere = map[string]Spread{
	"attention":                      {1.38, 2.61},
	"compilers of whole programs":    {1.21, 7.11},
	"elements and rows":              {1.38, 2.61},
	"kernels that wait for the host": {1.56, 1.51},
	"products":                       {1.54, 1.36},
	"products of known makers":       {1.38, 1.43},
	"products of mlir-aie":           {1.13, 4.25},
	"vectors":                        {1.04, 1.39},
	"watts of tokens":                {1.25, 1.71},
	"watts of prompts":               {3.62, 1.71},
}

// wholePrograms is what is said of compilers that make the kernels of a whole program.
var wholePrograms = regexp.MustCompile(`\biree\b|\btriton\b|\btorch-mlir\b`)

// Kind is what decides how far measurements are from a prediction, where these are of a source to which no constant was
// fitted: who made the kernels, whether they wait for the host, and else the family of kernels.
func (p *Prediction) Kind() string {
	said := plain(p.Row.Workload + " " + p.Row.Notes)
	kind := family(plain(p.Row.Workload))
	product := kind == "gemm" || kind == ""
	switch {
	case kind == "convolution":
		return "convolutions"
	case wholePrograms.MatchString(said) && !p.made:
		return "compilers of whole programs"
	case product && p.made:
		return "products of known makers"
	case p.Bound == "host":
		return "kernels that wait for the host"
	case kind == "gemv":
		return "vectors"
	case kind == "attention":
		return "attention"
	case product && mlirAIE.MatchString(said):
		return "products of mlir-aie"
	case product:
		return "products"
	}
	return "elements and rows"
}

// Kind is the kind of a row of watts: those of the array while it reads prompts, or while it decodes tokens.
func (p *ModelPrediction) Kind() string {
	if p.Row.Phase == "prefill" {
		return "watts of prompts"
	}
	return "watts of tokens"
}

// Around returns the interval of the spread around a prediction; of quantities that rise where less time is taken it lies the
// other way round.
func (s Spread) Around(predicted float64, rising bool) (low, high float64) {
	if rising {
		s.Below, s.Above = s.Above, s.Below
	}
	return predicted / s.Below, predicted * s.Above
}

// Width is how many times the lower end the upper one is.
func (s Spread) Width() float64 { return s.Below * s.Above }

// Covers reports whether a row lies within the spread.
func (s Spread) Covers(score float64) bool {
	return -math.Log(s.Below) <= score && score <= math.Log(s.Above)
}

// Scored is by how much the measured times of the rows of a source differ from the predicted ones: logarithms of their
// ratio, positive where more time was measured.
type Scored map[string][]float64

// Add adds a row that has a prediction.
func (s Scored) Add(p *Prediction) {
	s[p.Row.Source] = append(s[p.Row.Source], math.Log(p.Times()))
}

// Without returns the scores of the sources but for one.
func (s Scored) Without(source string) Scored {
	others := maps.Clone(s)
	delete(others, source)
	return others
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

// LeftOut returns the share of rows that lie within the spread of the other sources, with each source left out in turn.
func (s Scored) LeftOut(share float64) float64 {
	k := Kinds{"": s}
	covered, rows := 0, 0
	for source := range s {
		in, of := k.leftOut("", source, share)
		covered, rows = covered+in, rows+of
	}
	return float64(covered) / float64(rows)
}

// Kinds is the scores of rows by [Prediction.Kind].
type Kinds map[string]Scored

// few is the sources below which a kind has the spread of all rows.
const few = 3

// Score returns the scores of rows that have an interval, whose sources no constant was fitted to.
func Score(predictions []Prediction) Kinds {
	k := make(Kinds)
	for i := range predictions {
		p := &predictions[i]
		source := plain(p.Row.Source)
		if p.Skipped != "" || p.High == 0 || slices.ContainsFunc(fittedTo, func(name string) bool { return strings.HasPrefix(source, name) }) {
			continue
		}
		if k[p.Kind()] == nil {
			k[p.Kind()] = make(Scored)
		}
		k[p.Kind()].Add(p)
	}
	return k
}

// ScoreWatts returns the scores of rows of watts.
func ScoreWatts(predictions []ModelPrediction) Kinds {
	k := make(Kinds)
	for i := range predictions {
		p := &predictions[i]
		if p.Skipped != "" || p.Row.What != "watts" {
			continue
		}
		kind := p.Kind()
		if k[kind] == nil {
			k[kind] = make(Scored)
		}
		k[kind][p.Row.Source] = append(k[kind][p.Row.Source], math.Log(p.Row.MS/p.Predicted))
	}
	return k
}

// Spread returns the spread of rows of a kind, with a source left out if it is named. Where fewer than three sources are left,
// it is that of all kinds.
func (k Kinds) Spread(kind, without string, share float64) Spread {
	own := k[kind].Without(without)
	if len(own) >= few || len(k) < 2 {
		return own.Conformal(share)
	}
	all := make(Scored)
	for _, s := range k {
		for source, scores := range s {
			if source != without {
				all[source] = append(all[source], scores...)
			}
		}
	}
	return all.Conformal(share)
}

// leftOut counts the rows of a kind and source, and those of them that lie within the spread of the others.
func (k Kinds) leftOut(kind, source string, share float64) (covered, rows int) {
	spread := k.Spread(kind, source, share)
	for _, x := range k[kind][source] {
		if spread.Covers(x) {
			covered++
		}
	}
	return covered, len(k[kind][source])
}

// Coverage is how many rows lie within the spreads of other sources.
type Coverage struct {
	Name    string
	Sources int
	Rows    int
	Covered int
	// Width is the median of how many times the lower end of an interval the upper one is.
	Width float64
	// Spread is that of a kind, with no source left out.
	Spread Spread
}

// Coverages returns the coverage with each source left out in turn: by kind, by source, and of all rows.
func (k Kinds) Coverages(share float64) (kinds, sources []Coverage, all Coverage) {
	bySource := make(map[string]*Coverage)
	widths := make(map[*Coverage][]float64)
	all.Name = "all rows"
	for _, kind := range slices.Sorted(maps.Keys(k)) {
		c := &Coverage{Name: kind, Sources: len(k[kind]), Spread: k.Spread(kind, "", share)}
		for source := range k[kind] {
			of := bySource[source]
			if of == nil {
				of = &Coverage{Name: source, Sources: 1}
				bySource[source] = of
			}
			covered, rows := k.leftOut(kind, source, share)
			width := k.Spread(kind, source, share).Width()
			for _, sum := range []*Coverage{c, of, &all} {
				sum.Covered, sum.Rows = sum.Covered+covered, sum.Rows+rows
				widths[sum] = append(widths[sum], slices.Repeat([]float64{width}, rows)...)
			}
		}
		c.Width = middle(widths[c])
		kinds = append(kinds, *c)
	}
	for _, source := range slices.Sorted(maps.Keys(bySource)) {
		c := bySource[source]
		c.Width = middle(widths[c])
		sources = append(sources, *c)
	}
	all.Sources, all.Width = len(sources), middle(widths[&all])
	return kinds, sources, all
}

// middle is the median.
func middle(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}
