package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/language"
)

// languageConstants are what whole language models tell that kernels alone do not.
func languageConstants() []constant {
	return []constant{
		field("host.context", 0, func(m *machine.Machine) *machine.Constant { return &m.Host.Context }),
		field("host.switch", 0, func(m *machine.Machine) *machine.Constant { return &m.Host.Switch }),
		field("host.copy", 0, func(m *machine.Machine) *machine.Constant { return &m.Host.Copy }),
		style("gemv", "amid", 0, func(s *machine.Style) *machine.Constant { return &s.Amid }),
		routine("attention", "amid", func(r *machine.Routine) *machine.Constant { return &r.Amid }),
	}
}

// models is a fit to rows of language models. Each kernel is timed once, as no constant of
// the fit changes its time alone.
type models struct {
	group
	kernels *language.Predictor
}

// reportLanguage fits the rows, and predicts the rows of every model by constants that were fitted to the rows of the
// other models.
func reportLanguage(w io.Writer, rows []language.Row) {
	m, err := machine.Preset("npu2")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	l := &models{group{machine: "npu2", constants: languageConstants()}, language.NewPredictor(m)}
	start := l.start()
	fmt.Fprintf(w, "language models: %d rows\n", len(rows))
	fmt.Fprintf(w, "  presets         %s\n", summary(l.errors(start, rows)))
	best := l.fit(start, rows)
	fmt.Fprintf(w, "  fitted          %s\n", summary(l.errors(best, rows)))
	for i, c := range l.constants {
		fmt.Fprintf(w, "    %-24s %12.5g  (preset %.5g)\n", c.name, math.Exp(best[i]), math.Exp(start[i]))
	}
	held := make(map[string][]float64) // by group
	var all []float64
	for _, name := range names(rows) {
		var others, mine []language.Row
		for _, r := range rows {
			if r.Name == name {
				mine = append(mine, r)
			} else {
				others = append(others, r)
			}
		}
		if len(others) == 0 {
			return
		}
		errors := l.errors(l.fit(start, others), mine)
		for i := range mine {
			held[mine[i].Group()] = append(held[mine[i].Group()], errors[i])
		}
		all = append(all, errors...)
		fmt.Fprintf(w, "  without %-14s %s\n", name, summary(errors))
	}
	fmt.Fprintf(w, "  held out        %s\n", summary(all))
	for _, name := range slices.Sorted(maps.Keys(held)) {
		e := held[name]
		fmt.Fprintf(w, "    9 of 10 within %5.1f %%: %s, %d rows\n", 100*predict.Quantile(e), name, len(e))
	}
}

// names are the models that rows are of, in the order of the rows.
func names(rows []language.Row) []string {
	var out []string
	for _, r := range rows {
		if !slices.Contains(out, r.Name) {
			out = append(out, r.Name)
		}
	}
	return out
}

func (l *models) predict(x []float64, rows []language.Row) []language.Prediction {
	m, err := l.at(x)("")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return l.kernels.On(m).Predict(rows)
}

// fit returns the logarithms of the constants that fit rows best. Rows of another system
// than the one whose constants these are take no part.
func (l *models) fit(start []float64, rows []language.Row) []float64 {
	loss := func(x []float64) float64 {
		sum := 0.0
		for _, p := range l.predict(x, rows) {
			if p.Skipped == "" && p.Row.Program != "iron" {
				sum += min(outlier, math.Abs(math.Log1p(p.Error)))
			}
		}
		return sum
	}
	x := start
	for _, edge := range []float64{0.3, 0.1, -0.3, 0.05} {
		x = minimize(loss, x, edge, 120*len(start))
	}
	return x
}

// errors are the absolute errors of the rows, NaN for those without a prediction.
func (l *models) errors(x []float64, rows []language.Row) []float64 {
	e := make([]float64, 0, len(rows))
	for _, p := range l.predict(x, rows) {
		if p.Skipped == "" {
			e = append(e, math.Abs(p.Error))
		}
	}
	return e
}
