package account

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/llm"
)

// Account is a model on a machine. It keeps the mappings of kernels that it has seen, and the costs of passes.
type Account struct {
	outline *llm.Outline
	machine *machine.Machine
	float   dtype.DType // of activations
	mapped  map[string]*mapper.Choice
	costs   map[pass]Cost
}

// pass has the numbers that decide the kernels of a pass.
type pass struct {
	llm.Pass
	all bool
}

// Cost is the cost of a pass.
type Cost struct {
	Seconds float64 `json:"seconds"`
	Joules  float64 `json:"joules_estimate"`
	Read    int64   `json:"read_bytes"`    // from the memory outside
	Written int64   `json:"written_bytes"` // to it
	Kernels int     `json:"kernels"`
	Bound   string  `json:"bound"` // what most of the array's time is bound by
	// Parts tells host, launches and array apart, and Energy what takes the joules.
	Parts  schedule.Cost `json:"-"`
	Energy timing.Energy `json:"-"`
}

// New returns an account that has mapped nothing yet.
func New(o *llm.Outline, m *machine.Machine) *Account {
	a := &Account{outline: o, machine: m, float: dtype.F32, mapped: map[string]*mapper.Choice{}, costs: map[pass]Cost{}}
	if _, ok := m.Compute.MACs["bf16"]; ok {
		a.float = dtype.BF16
	}
	return a
}

// Pass returns what a pass takes that computes the scores of the last token of each sequence. Layers that keep
// states or differ in their heads are an error, and so is a pass without sequences, tokens or places.
func (a *Account) Pass(p llm.Pass) (Cost, error) { return a.cost(pass{p, false}) }

// Checked is Pass with the scores of all tokens, as of guesses that a pass checks. Errors are those of [Account.Pass].
func (a *Account) Checked(p llm.Pass) (Cost, error) { return a.cost(pass{p, true}) }

func (a *Account) cost(p pass) (Cost, error) {
	if c, ok := a.costs[p]; ok {
		return c, nil
	}
	if a.outline.Stateful() {
		return Cost{}, fmt.Errorf("account: layers of a %s keep states, whose kernels are not counted", a.outline.Architecture)
	}
	if a.outline.LocalHeads != nil {
		return Cost{}, fmt.Errorf("account: layers of a %s differ in their heads, and are not counted", a.outline.Architecture)
	}
	if p.Sequences < 1 || p.Tokens < 1 || p.Seen < 1 {
		return Cost{}, fmt.Errorf("account: a pass of %d tokens of %d sequences that see %d places", p.Tokens, p.Sequences, p.Seen)
	}
	short, err := a.report(p, min(2, a.outline.Layers))
	if err != nil {
		return Cost{}, err
	}
	short.Place()
	placed := map[string]*report.Kernel{}
	for i := range short.Kernels {
		placed[short.Kernels[i].Work.Key()] = &short.Kernels[i]
	}
	r, err := a.report(p, a.outline.Layers)
	if err != nil {
		return Cost{}, err
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if as := placed[k.Work.Key()]; as != nil {
			k.Mapping, k.Timing = as.Mapping, as.Timing
		}
	}
	cost := Of(r)
	a.costs[p] = cost
	return cost, nil
}

// Of returns what a run of the kernels of a report takes. Of two bounds of the same time, Bound is the one whose name
// sorts first.
func Of(r *report.Report) Cost {
	times := map[string]float64{}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			times[k.Timing.OnArray().String()] += k.Array()
		}
	}
	t := r.Total()
	c := Cost{Seconds: t.Seconds, Joules: t.Joules, Read: t.ReadL3, Written: t.WriteL3, Kernels: t.Kernels, Parts: t.Cost, Energy: t.Energy}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		if c.Bound == "" || times[name] > times[c.Bound] {
			c.Bound = name
		}
	}
	return c
}

// report has the kernels of a pass through the first layers and the scores, each where it is fastest alone.
func (a *Account) report(p pass, layers int) (*report.Report, error) {
	l := list{Account: a, pass: p, rows: p.Sequences * p.Tokens}
	l.model(layers)
	r := &report.Report{Machine: a.machine, Name: a.machine.Name}
	for _, k := range l.kernels {
		k.Classify()
		key := k.Key()
		c := a.mapped[key]
		if c == nil {
			var err error
			if c, err = mapper.Map(a.machine, k); err != nil {
				return nil, fmt.Errorf("account: %s: %w", k.Name, err)
			}
			a.mapped[key] = c
		}
		r.Kernels = append(r.Kernels, report.Kernel{Name: k.Name, Work: k, Mapping: c.Mapping, Timing: c.Timing, Alone: c.Timing})
	}
	return r, nil
}

// Prompt returns what a prompt of the given tokens takes, in pieces as package llm cuts it: each piece sees itself and
// those before it. Errors are those of [Account.Pass].
func (a *Account) Prompt(tokens int) (sum Cost, err error) {
	for at := 0; at < tokens; {
		n := min(tokens-at, llm.MostPiece)
		c, err := a.Pass(llm.Pass{Sequences: 1, Tokens: n, Seen: at + n})
		if err != nil {
			return Cost{}, err
		}
		sum.add(c)
		at += n
	}
	return sum, nil
}

// add adds a later part; the last part says what bounds the pass.
func (c *Cost) add(d Cost) {
	c.Seconds += d.Seconds
	c.Joules += d.Joules
	c.Read += d.Read
	c.Written += d.Written
	c.Kernels += d.Kernels
	c.Parts.Add(d.Parts, 1)
	c.Energy.Add(d.Energy, 1)
	c.Bound = d.Bound
}
