package nest

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// notPositive reports whether a value of a stage is x - m, where m is at least the maximum of what x is one
// of: the argument of the exponential of a softmax.
func (g *generator) notPositive(number, value int) bool {
	body := g.Nest.Stages[number].Body
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
	of := &g.Nest.Stages[m.Port]
	r := of.Reduce[m.Imm]
	return r.Kind == kernel.ReduceMax && r.Type == dtype.F32 && !of.Once && g.storesNothing(number) &&
		g.same(number, d.A, m.Port, r.Value)
}

// storesNothing reports whether the stages before one leave all ports as they are.
func (g *generator) storesNothing(before int) bool {
	for i := range g.Nest.Stages[:before] {
		for _, in := range g.Nest.Stages[i].Body {
			if in.Op == kernel.Store || in.Op == kernel.StoreAt {
				return false
			}
		}
	}
	return true
}

// same reports whether value a of stage i is at every inner point what value b of stage k is.
func (g *generator) same(i, a, k, b int) bool {
	x, y := g.Nest.Stages[i].Body[a], g.Nest.Stages[k].Body[b]
	if x.Op == kernel.Kept && !g.Nest.Stages[x.Port].Once {
		return g.same(x.Port, g.Nest.Stages[x.Port].Keep[x.Imm], k, b)
	}
	if x.Op != y.Op || x.Type != y.Type || x.Port != y.Port || x.Imm != y.Imm {
		return false
	}
	switch x.Op {
	case kernel.LoadAt, kernel.Store, kernel.StoreAt:
		return false
	}
	xs, ys := x.Operands(), y.Operands()
	if len(xs) != len(ys) {
		return false
	}
	for n := range xs {
		if !g.same(i, xs[n], k, ys[n]) {
			return false
		}
	}
	return true
}
