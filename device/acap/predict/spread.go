package predict

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Spread is how far measurements are from a prediction: in 9 of 10 cases a measured time is between the predicted one over
// Below and the predicted one times Above, both at least 1.
type Spread struct{ Below, Above float64 }

// elsewhere is the spread of rows of sources to which no constant was fitted, by [Prediction.Kind]: what [Kinds.Spread] says of
// testdata/unseen.csv, and of watts that of llm/account/testdata/watts.csv, as acap predict -intervals prints it.
var elsewhere = map[string]Spread{
	"attention":                      {2.94, 8.85},
	"compilers of whole programs":    {2.94, 8.85},
	"elements and rows":              {2.94, 8.85},
	"kernels that wait for the host": {2.42, 5.55},
	"products":                       {4.13, 3.55},
	"products of known makers":       {2.94, 8.85},
	"products of mlir-aie":           {1.42, 13.17},
	"vectors":                        {1.42, 3.55},
	"watts of tokens":                {1.25, 1.71},
	"watts of prompts":               {3.62, 1.71},
}

// wholePrograms is what is said of compilers that make the kernels of a whole program.
var wholePrograms = match(`\biree\b|\btriton\b|\btorch-mlir\b`)

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

// Scored is by how much the measured times of the rows of a maker differ from the predicted ones: logarithms of their
// ratio, positive where more time was measured.
type Scored map[string][]float64

// add adds a row of a maker, which took so many times as long as predicted.
func (s Scored) add(maker string, times float64) { s[maker] = append(s[maker], math.Log(times)) }

// Kinds is the scores of rows by [Prediction.Kind].
type Kinds map[string]Scored

// few is the makers below which a kind has the shape of the spread of all rows.
const few = 3

// Score returns the scores of rows by who published them, as they were when nobody had seen their maker: by what was
// predicted then, where a row says it, and of the kind that the row was of then, when the machine knew no kernels of
// the maker. Rows without an interval, and those of sources to which constants were fitted, are left out.
func Score(predictions []Prediction) Kinds {
	k := make(Kinds)
	for i := range predictions {
		p := predictions[i]
		if !p.scored() {
			continue
		}
		if p.Row.First > 0 {
			p.Predicted, p.made = p.Row.First, false
		}
		k.of(p.Kind()).add(p.Row.Maker(), p.Times())
	}
	return k
}

// scored reports whether a row has an interval and a source that no constant was fitted to.
func (p *Prediction) scored() bool {
	source := plain(p.Row.Source)
	return p.Skipped == "" && p.High > 0 && !slices.ContainsFunc(fittedTo, func(name string) bool { return strings.HasPrefix(source, name) })
}

// of returns the scores of a kind, to add to.
func (k Kinds) of(kind string) Scored {
	if k[kind] == nil {
		k[kind] = make(Scored)
	}
	return k[kind]
}

// ScoreWatts returns the scores of rows of watts.
func ScoreWatts(predictions []ModelPrediction) Kinds {
	k := make(Kinds)
	for i := range predictions {
		p := &predictions[i]
		if p.Skipped != "" || p.Row.What != "watts" {
			continue
		}
		k.of(p.Kind()).add(p.Row.Source, p.Row.MS/p.Predicted)
	}
	return k
}

// leftOut counts the rows of a kind and maker, and those of them that lie within a spread.
func (k Kinds) leftOut(kind, maker string, spread Spread) (covered, rows int) {
	for _, x := range k[kind][maker] {
		if spread.Covers(x) {
			covered++
		}
	}
	return covered, len(k[kind][maker])
}

// Coverage is how many rows lie within the spreads of other makers.
type Coverage struct {
	Name    string
	Makers  int
	Rows    int
	Covered int
	// Width is the median of how many times the lower end of an interval the upper one is.
	Width float64
	// Spread is that of a kind, with no maker left out.
	Spread Spread
}

// Coverages returns the coverage with each maker left out in turn: by kind, by maker, and of all rows.
func (k Kinds) Coverages(share float64) (kinds, makers []Coverage, all Coverage) {
	byMaker := make(map[string]*Coverage)
	widths := make(map[*Coverage][]float64)
	all.Name = "all rows"
	for _, kind := range slices.Sorted(maps.Keys(k)) {
		c := &Coverage{Name: kind, Makers: len(k[kind]), Spread: k.Spread(kind, "", share)}
		for maker := range k[kind] {
			of := byMaker[maker]
			if of == nil {
				of = &Coverage{Name: maker, Makers: 1}
				byMaker[maker] = of
			}
			spread := k.Spread(kind, maker, share)
			covered, rows := k.leftOut(kind, maker, spread)
			for _, sum := range []*Coverage{c, of, &all} {
				sum.Covered, sum.Rows = sum.Covered+covered, sum.Rows+rows
				widths[sum] = append(widths[sum], slices.Repeat([]float64{spread.Width()}, rows)...)
			}
		}
		c.Width = middle(widths[c])
		kinds = append(kinds, *c)
	}
	for _, maker := range slices.Sorted(maps.Keys(byMaker)) {
		c := byMaker[maker]
		c.Width = middle(widths[c])
		makers = append(makers, *c)
	}
	all.Makers, all.Width = len(makers), middle(widths[&all])
	return kinds, makers, all
}

// middle is the median.
func middle(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}
