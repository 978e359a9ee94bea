package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-acap/acap/base/median"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

// Result is the result of a calibration.
type Result struct {
	Machine   *machine.Machine `json:"-"` // with the constants as they are now
	Constants []Constant       `json:"constants"`
	Sources   []Source         `json:"sources"`
	All       Source           `json:"all"`
	Skipped   []string         `json:"skipped,omitempty"` // rows without a prediction, and why
	Doubts    []string         `json:"doubts,omitempty"`  // what makes the calibration less than it seems
}

// Source has the errors of the rows of a source, absolute values relative to the measurements.
type Source struct {
	Name    string  `json:"name"`
	Rows    int     `json:"rows"`
	Before  Errors  `json:"before"`
	After   Errors  `json:"after"`
	LeftOut *Errors `json:"left_out,omitempty"` // by constants that were fitted to the others; nil where there is no other
}

// Errors is the median, the mean and the greatest of some errors.
type Errors struct {
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Worst  float64 `json:"worst"`
}

// Options are the options of a calibration.
type Options struct {
	Patterns []string              // of constants that may move; none for all that are fitted or assumed
	Bounds   map[string][2]float64 // of constants by name, in their units
	Defaults predict.Defaults      // how machines were used; Machines is not looked at
	Label    string                // what constants that moved have as their source
	Progress func(what string)     // told what is done; may be nil
}

// Fit moves the constants of a machine towards what rows of it say. Rows of other machines are left out. It is an error
// when no row of the machine has a prediction, or when no constant may move.
func Fit(m *machine.Machine, rows []predict.Row, o Options) (*Result, error) {
	find := func(name string) (*machine.Machine, error) {
		if name != m.Name {
			return nil, fmt.Errorf("a row of %s, not of %s", name, m.Name)
		}
		return m, nil
	}
	for _, pattern := range o.Patterns {
		if len(Constants(m, pattern)) == 0 {
			return nil, fmt.Errorf("%s has no constant %s; acap machines %[1]s lists them", m.Name, pattern)
		}
	}
	f := &fit{machine: m, constants: Constants(m, o.Patterns...)}
	if err := f.bound(o.Bounds); err != nil {
		return nil, err
	}
	o.Defaults.Machines = find
	if err := o.Defaults.Check(rows); err != nil {
		return nil, err
	}
	o.tell("mapping the kernels of %d rows", len(rows))
	prepared, predictions := o.Defaults.Prepare(rows)
	r := &Result{}
	for _, p := range predictions {
		if p.Skipped != "" {
			r.Skipped = append(r.Skipped, fmt.Sprintf("line %d: %s", p.Row.Line, p.Skipped))
		}
	}
	if len(prepared) == 0 {
		why := ""
		if len(r.Skipped) > 0 {
			why = ": " + r.Skipped[0]
		}
		return nil, fmt.Errorf("no row of %s has a prediction%s", m.Name, why)
	}
	f.rows = prepared
	f.fixedBy()
	if !slices.ContainsFunc(f.constants, func(c Constant) bool { return c.Loose == "" }) {
		return nil, errors.New("no row depends on a constant that may move")
	}
	o.tell("fitting %d constants to %d rows", f.free(), len(prepared))
	one := f.ones()
	best := f.minimize(one, prepared)
	r.report(f, one, best, &o)
	r.Doubts = f.doubts(best)
	for i := range f.constants {
		c := &f.constants[i]
		c.After = c.Before * best[i]
	}
	r.Constants = f.constants
	r.Machine = with(m, f.constants, best)
	moved := make(map[string]bool)
	for _, c := range f.constants {
		for _, name := range c.Names {
			moved[name] = c.Loose == ""
		}
	}
	r.Machine.Constants(func(name string, c *machine.Constant) {
		if moved[name] {
			c.Evidence, c.Source = machine.Fitted, o.Label
		}
	})
	return r, r.Machine.Check()
}

func (o *Options) tell(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// report fills in the errors of sources, and leaves each out in turn.
func (r *Result) report(f *fit, before, after []float64, o *Options) {
	bySource := make(map[string][]*predict.Prepared)
	var names []string
	for _, p := range f.rows {
		if bySource[p.Row.Source] == nil {
			names = append(names, p.Row.Source)
		}
		bySource[p.Row.Source] = append(bySource[p.Row.Source], p)
	}
	slices.Sort(names)
	for _, name := range names {
		mine := bySource[name]
		s := Source{Name: name, Rows: len(mine), Before: f.errors(before, mine), After: f.errors(after, mine)}
		if len(names) > 1 {
			o.tell("leaving out %s", name)
			var others []*predict.Prepared
			for _, p := range f.rows {
				if p.Row.Source != name {
					others = append(others, p)
				}
			}
			e := f.errors(f.minimize(before, others), mine)
			s.LeftOut = &e
		}
		r.Sources = append(r.Sources, s)
	}
	r.All = Source{Name: "all rows", Rows: len(f.rows), Before: f.errors(before, f.rows), After: f.errors(after, f.rows)}
}

// fit is a calibration under way. The fit varies the logarithm of a factor for each constant.
type fit struct {
	machine   *machine.Machine
	rows      []*predict.Prepared
	constants []Constant
}

func (f *fit) ones() []float64 {
	one := make([]float64, len(f.constants))
	for i := range one {
		one[i] = 1
	}
	return one
}

func (f *fit) free() (n int) {
	for _, c := range f.constants {
		if c.Loose == "" {
			n++
		}
	}
	return n
}

// bound sets the bounds that were asked for.
func (f *fit) bound(bounds map[string][2]float64) error {
	for _, name := range slices.Sorted(maps.Keys(bounds)) {
		b := bounds[name]
		i := slices.IndexFunc(f.constants, func(c Constant) bool { return slices.Contains(c.Names, name) })
		switch {
		case i < 0:
			return fmt.Errorf("%s has no constant %s that may move", f.machine.Name, name)
		case !(0 < b[0] && b[0] <= f.constants[i].Before && f.constants[i].Before <= b[1]):
			return fmt.Errorf("bounds %g to %g of %s are not around %g", b[0], b[1], name, f.constants[i].Before)
		}
		f.constants[i].Low, f.constants[i].High = b[0], b[1]
	}
	return nil
}

// residuals returns the logarithms of measured over predicted times.
func (f *fit) residuals(x []float64, rows []*predict.Prepared) []float64 {
	m := with(f.machine, f.constants, x)
	out := make([]float64, len(rows))
	for i, p := range rows {
		t, err := p.Times(m)
		if out[i] = math.Log(t); err != nil {
			out[i] = 0 // a row whose prediction fails with these constants tells nothing
		}
	}
	return out
}

func (f *fit) errors(x []float64, rows []*predict.Prepared) Errors {
	var all []float64
	sum := 0.0
	for _, r := range f.residuals(x, rows) {
		e := math.Abs(math.Exp(-r) - 1)
		all, sum = append(all, e), sum+e
	}
	return Errors{median.Of(all), sum / float64(len(all)), slices.Max(all)}
}

// slopes returns by how much the logarithm of each row's predicted time moves with the logarithm of each constant.
func (f *fit) slopes(x []float64, rows []*predict.Prepared, at []float64) [][]float64 {
	const step = 0.05
	out := make([][]float64, len(rows))
	for i := range out {
		out[i] = make([]float64, len(x))
	}
	for j := range x {
		if f.constants[j].Loose != "" {
			continue
		}
		y, move := slices.Clone(x), math.Exp(step)
		if f.constants[j].clamp(y[j]*move) != y[j]*move {
			move = 1 / move
		}
		y[j] *= move
		for i, r := range f.residuals(y, rows) {
			out[i][j] = (at[i] - r) / math.Log(move)
		}
	}
	return out
}

// fixedBy finds the rows that fix each constant, and the constants that none does.
func (f *fit) fixedBy() {
	const least, lines = 0.01, 3
	one := f.ones()
	slopes := f.slopes(one, f.rows, f.residuals(one, f.rows))
	for j := range f.constants {
		c := &f.constants[j]
		order := make([]int, 0, len(f.rows))
		for i := range f.rows {
			if math.Abs(slopes[i][j]) >= least {
				c.Rows++
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(math.Abs(slopes[b][j]), math.Abs(slopes[a][j]))
		})
		for _, i := range order[:min(lines, len(order))] {
			c.Lines = append(c.Lines, f.rows[i].Row.Line)
		}
		switch {
		case c.Rows == 0:
			c.Loose = "no row depends on it"
		case c.Low == c.High:
			c.Loose = "its bounds are equal"
		}
	}
}

// minimize walks to the least sum of the absolute residuals, which rows that nothing explains weigh little in: a
// Levenberg-Marquardt walk whose weights follow the residuals.
func (f *fit) minimize(x []float64, rows []*predict.Prepared) []float64 {
	x = slices.Clone(x)
	at := f.residuals(x, rows)
	loss := f.loss(x, at)
	damping := 1e-3
	for range 25 {
		slopes := f.slopes(x, rows, at)
		weights := weigh(at)
		improved := false
		for range 6 {
			y := f.step(x, at, slopes, weights, damping)
			next := f.residuals(y, rows)
			if l := f.loss(y, next); l < loss {
				improved = loss-l > 1e-4*loss
				x, at, loss = y, next, l
				damping = max(1e-6, damping/5)
				break
			}
			damping *= 6
		}
		if !improved {
			break
		}
	}
	return x
}

// outlier is the residual from which on a row weighs no more.
const outlier = 0.25

// pull holds constants where they are if rows hardly fix them, in residuals of a row for a factor of e.
const pull = 0.02

func (f *fit) loss(x, residuals []float64) float64 {
	sum := 0.0
	for _, r := range residuals {
		sum += min(outlier, math.Abs(r)) + float64(0.02*math.Abs(r))
	}
	for _, v := range x {
		sum += float64(pull * math.Abs(math.Log(v)))
	}
	return sum
}

// weigh returns the weights of rows that make the sum of squares one of absolute values.
func weigh(residuals []float64) []float64 {
	sorted := make([]float64, len(residuals))
	for i, r := range residuals {
		sorted[i] = math.Abs(r)
	}
	slices.Sort(sorted)
	floor := max(0.003, sorted[len(sorted)/2]/2)
	out := make([]float64, len(residuals))
	for i, r := range residuals {
		out[i] = 1 / max(floor, math.Abs(r))
	}
	return out
}

// step solves the normal equations of a step, and keeps constants within their bounds.
func (f *fit) step(x, residuals []float64, slopes [][]float64, weights []float64, damping float64) []float64 {
	n := len(x)
	a, b := make([][]float64, n), make([]float64, n)
	for j := range n {
		a[j] = make([]float64, n)
		for i := range residuals {
			w := weights[i] * slopes[i][j]
			b[j] += float64(w * residuals[i])
			for k := range n {
				a[j][k] += float64(w * slopes[i][k])
			}
		}
		a[j][j] += float64(damping*a[j][j]) + 1e-9
	}
	d := solve(a, b)
	y := slices.Clone(x)
	for j := range y {
		if f.constants[j].Loose == "" {
			move := min(0.4, max(-0.4, d[j]))
			y[j] = f.constants[j].clamp(y[j] * math.Exp(move))
		}
	}
	return y
}

// solve returns the solution of a·x = b by elimination with pivots on the diagonal, which suffices as a comes from a
// sum of squares.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for i := range n {
		if a[i][i] == 0 {
			a[i][i] = 1
		}
		for j := i + 1; j < n; j++ {
			r := a[j][i] / a[i][i]
			for k := i; k < n; k++ {
				a[j][k] -= float64(r * a[i][k])
			}
			b[j] -= float64(r * b[i])
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		sum := b[i]
		for k := i + 1; k < n; k++ {
			sum -= float64(a[i][k] * x[k])
		}
		x[i] = sum / a[i][i]
	}
	return x
}
