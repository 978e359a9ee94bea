package main

import (
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/go-acap/acap/base/median"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

const (
	outlier = 0.2 // cap of one row's loss
	folds   = 5
)

// report fits the group and prints the constants and the errors.
func (g *group) report(w io.Writer, rows []predict.Row) {
	mine := g.choose(rows)
	if len(mine) == 0 {
		return
	}
	start := g.start()
	fmt.Fprintf(w, "%s: %d rows\n", g.name, len(mine))
	fmt.Fprintf(w, "  presets         %s\n", g.errors(start, mine))
	best := g.fit(start, mine)
	fmt.Fprintf(w, "  fitted          %s\n", g.errors(best, mine))
	for i, c := range g.constants {
		fmt.Fprintf(w, "    %-24s %12.5g  (preset %.5g)\n", c.name, math.Exp(best[i]),
			math.Exp(start[i]))
	}
	if len(mine) >= 2*folds {
		n := 0
		g.heldOut(w, "five folds", best, mine, func(*predict.Row) string { n++; return fmt.Sprint(fold(n - 1)) })
	}
	g.heldOut(w, "sources", best, mine, func(r *predict.Row) string { return r.Source })
	g.heldOut(w, "styles", best, mine, func(r *predict.Row) string { return r.Workload })
}

// heldOut predicts the rows of each part by constants that were fitted to the others, and
// prints the error of all. Parts are of rows of a name; there must be two.
func (g *group) heldOut(w io.Writer, by string, best []float64, rows []predict.Row, name func(*predict.Row) string) {
	parts := make(map[string][]predict.Row)
	var order []string
	names := make([]string, len(rows))
	for i := range rows {
		n := name(&rows[i])
		if parts[n] == nil {
			order = append(order, n)
		}
		names[i], parts[n] = n, append(parts[n], rows[i])
	}
	if len(order) < 2 {
		return
	}
	var held []float64
	for _, part := range order {
		var train []predict.Row
		for i, r := range rows {
			if names[i] != part {
				train = append(train, r)
			}
		}
		held = append(held, g.relative(g.refit(best, train), parts[part])...)
	}
	fmt.Fprintf(w, "  held out by %-10s %s, 9 of 10 within %.1f %%\n", by, summary(held), 100*predict.Quantile(held))
}

// refit is fit from a point that is near.
func (g *group) refit(start []float64, rows []predict.Row) []float64 {
	loss := func(x []float64) float64 { return g.loss(x, rows) }
	x := start
	for _, edge := range []float64{0.1, -0.1} {
		x = minimize(loss, x, edge, 60*len(start))
	}
	return x
}

// fold spreads the rows over the folds without following their order.
func fold(i int) int { return int(uint64(i) * 0x9E3779B97F4A7C15 >> 32 % folds) }

func (g *group) choose(rows []predict.Row) []predict.Row {
	var mine []predict.Row
	for _, r := range rows {
		if g.rows(&r) && predict.Predict(r, predict.Presets()).Skipped == "" {
			mine = append(mine, r)
		}
	}
	return mine
}

func (g *group) start() []float64 {
	m, err := machine.Preset(g.machine)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	x := make([]float64, len(g.constants))
	for i, c := range g.constants {
		x[i] = math.Log(max(c.get(m), 1e-9))
	}
	return x
}

// at returns the preset with the constants at x.
func (g *group) at(x []float64) predict.Machines {
	m, err := machine.Preset(g.machine)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	for i, c := range g.constants {
		v := math.Exp(x[i])
		if c.high > 0 {
			v = min(v, c.high)
		}
		c.set(m, v)
	}
	if g.tie != nil {
		g.tie(m)
	}
	return func(string) (*machine.Machine, error) { return m, nil }
}

func (g *group) loss(x []float64, rows []predict.Row) float64 {
	machines := g.at(x)
	var sum float64
	for _, r := range rows {
		p := predict.Predict(r, machines)
		sum += min(outlier, math.Abs(math.Log1p(p.Error)))
	}
	for i, c := range g.constants {
		if c.high > 0 && math.Exp(x[i]) > c.high {
			sum += math.Exp(x[i])/c.high - 1
		}
	}
	return sum / float64(len(rows))
}

// fit returns the logarithms of the constants that fit rows best.
func (g *group) fit(start []float64, rows []predict.Row) []float64 {
	x := start
	loss := func(x []float64) float64 { return g.loss(x, rows) }
	for _, edge := range []float64{0.3, 0.1, -0.3, 0.05} {
		x = minimize(loss, x, edge, 120*len(start))
	}
	return x
}

func (g *group) relative(x []float64, rows []predict.Row) []float64 {
	machines := g.at(x)
	e := make([]float64, len(rows))
	for i, r := range rows {
		e[i] = math.Abs(predict.Predict(r, machines).Error)
	}
	return e
}

func (g *group) errors(x []float64, rows []predict.Row) string {
	return summary(g.relative(x, rows))
}

func summary(e []float64) string {
	e = append([]float64(nil), e...)
	sort.Float64s(e)
	var sum float64
	for _, v := range e {
		sum += v
	}
	return fmt.Sprintf("median %5.2f %%  mean %5.2f %%  worst %6.2f %%",
		100*median.Of(e), 100*sum/float64(len(e)), 100*e[len(e)-1])
}
