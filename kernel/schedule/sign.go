package schedule

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// NotPositive reports whether a value of a stage is x - m, where m is at least the maximum of what x is one
// of: the argument of the exponential of a softmax.
func (p *Loops) NotPositive(number, value int) bool {
	body := p.Nest.Stages[number].Body
	d := body[value]
	if d.Op != kernel.Sub || d.Type != dtype.F32 {
		return false
	}
	m := body[d.B]
	if m.Op == kernel.Max { // of the maximum and another value
		if body[m.A].Op != kernel.Acc {
			m.A = m.B
		}
		m = body[m.A]
	}
	if m.Op != kernel.Acc || m.Port >= number {
		return false
	}
	of := &p.Nest.Stages[m.Port]
	r := of.Reduce[m.Imm]
	return r.Kind == kernel.ReduceMax && r.Type == dtype.F32 && !of.Once && p.storesNothing(number) &&
		p.same(number, d.A, m.Port, r.Value)
}

// storesNothing reports whether the stages before one leave all ports as they are.
func (p *Loops) storesNothing(before int) bool {
	return !slices.ContainsFunc(p.Nest.Stages[:before], func(s kernel.Stage) bool { return s.Body.Has(kernel.Store) })
}

// same reports whether value a of stage i is at every inner point what value b of stage k is.
func (p *Loops) same(i, a, k, b int) bool {
	x, y := p.Nest.Stages[i].Body[a], p.Nest.Stages[k].Body[b]
	if x.Op == kernel.Kept && !p.Nest.Stages[x.Port].Once {
		return p.same(x.Port, p.Nest.Stages[x.Port].Keep[x.Imm], k, b)
	}
	if x.Op != y.Op || x.Type != y.Type || x.Port != y.Port || x.Imm != y.Imm {
		return false
	}
	switch x.Op {
	case kernel.LoadAt, kernel.Store:
		return false
	}
	return slices.EqualFunc(x.Operands(), y.Operands(), func(a, b int) bool { return p.same(i, a, k, b) })
}
