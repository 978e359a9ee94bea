package nest

import (
	"math/bits"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// gather reads a port at offsets. An index outside is a fault, and reads as 0.
func (l *lowering) gather(i *kernel.Instr) vector.Val {
	b := l.b
	p := l.ports[i.Port]
	if offset, ok := l.rows[i]; ok {
		return l.truthOf(i.Type, b.Load(kindOf(i.Type), b.Along(l.at.at[i.Port], offset, p.size()), l.access(p, false)))
	}
	from := l.element(i.Port, l.at)
	stride := p.strides[l.Lane]
	if l.at.single && l.Lane >= len(l.Nest.Outer) {
		stride = 0
	}
	from = b.Offset(from, l.copy*l.Lanes*stride)
	at := b.Into(vector.Dup, vector.I64, 0, from)
	if stride != 0 {
		at = b.Op(vector.Add, at, b.Op(vector.Mul, b.LaneNumbers(vector.I64), b.Bits(vector.I64, uint64(stride))))
	}
	at = b.Op(vector.Add, at, l.value(i.A))
	inside := b.Compare(vector.Below, at, b.Bits(vector.I64, uint64(p.length)))
	outside := b.Op(vector.Not, inside)
	if l.at.count > 0 {
		outside = b.Op(vector.And, outside, l.lanesInUse(vector.I64))
	}
	b.Fault(outside)
	k := kindOf(i.Type)
	a := vector.Access{Mem: memOf(p.dtype), Count: l.at.count}
	if l.at.single { // later stages take what is kept in all lanes
		a.Count = 0
	}
	v := b.Lookup(k, p.base, b.Op(vector.And, at, inside), a)
	return l.truthOf(i.Type, b.Op(vector.And, v, l.maskOf(inside, k).As(k)))
}

// truthOf is a value as it was read, a bool as a mask.
func (l *lowering) truthOf(t dtype.DType, v vector.Val) vector.Val {
	if t != dtype.Bool {
		return v
	}
	return l.b.Compare(vector.Less, l.b.Bits(v.Kind, 0), v)
}

// element is the number of a port's element at a place.
func (g *generator) element(port int, at *place) vector.Val {
	b, p := g.b, g.ports[port]
	from := b.Op(vector.WordSub, at.at[port], p.base)
	if shift := bits.TrailingZeros(uint(p.size())); shift > 0 {
		from = b.OpImm(vector.WordSigned, shift, from)
	}
	return from
}

// readsRow reports whether a gather reads elements side by side, from an offset on that is the same for all lanes.
func (g *generator) readsRow(at *place, body kernel.Body, i *kernel.Instr) bool {
	return g.ports[i.Port].strides[g.Lane] == 1 && !at.single && g.Nest.Extent(g.Lane) <= g.ports[i.Port].length && g.sameForLanes(body, i.A)
}

// sameForLanes reports whether a value is the same at all points of the lane loop, and depends on no earlier stage.
func (g *generator) sameForLanes(body kernel.Body, n int) bool {
	switch i := &body[n]; i.Op {
	case kernel.Const:
		return true
	case kernel.Index:
		return i.Port != g.Lane
	case kernel.Load:
		return g.ports[i.Port].strides[g.Lane] == 0 && g.ports[i.Port].still
	case kernel.LoadAt, kernel.Acc, kernel.Kept, kernel.Input:
		return false
	default:
		return !slices.ContainsFunc(i.Operands(), func(v int) bool { return !g.sameForLanes(body, v) })
	}
}

// alongRows writes the lane loop at a place. Where gathers read rows it is there twice: once for the case that all
// these rows are inside their ports.
func (g *generator) alongRows(at *place, loop func()) {
	b := g.b
	var inside vector.Val
	var rows map[*kernel.Instr]vector.Val
	for number := range g.Nest.Stages {
		body := g.Nest.Stages[number].Body
		for n := range body {
			i := &body[n]
			if i.Op != kernel.LoadAt || !g.readsRow(at, body, i) {
				continue
			}
			l := &lowering{generator: g, at: at, number: number, body: body, vals: make([]vector.Val, len(body))}
			first := l.element(i.Port, at)
			if g.LaneOuter { // the call may begin inside the row
				first = b.Op(vector.WordSub, first, at.index[g.Lane])
			}
			offset := b.Lane(l.evaluate(i.A))
			first = b.Op(vector.WordAdd, first, offset)
			ok := b.Op(vector.WordBelow, first, b.Word(g.ports[i.Port].length-g.Nest.Extent(g.Lane)+1))
			if len(rows) > 0 {
				ok = b.Op(vector.WordMulAdd, ok, inside, b.Word(0))
			}
			if rows == nil {
				rows = map[*kernel.Instr]vector.Val{}
			}
			inside, rows[i] = ok, offset
		}
	}
	if len(rows) == 0 {
		loop()
		return
	}
	g.rows = rows
	b.When(inside, loop)
	g.rows = nil
	b.When(b.Op(vector.WordSub, b.Word(1), inside), loop)
}

// evaluate writes what a value that is the same for all lanes depends on.
func (l *lowering) evaluate(n int) vector.Val {
	i := &l.body[n]
	for _, v := range i.Operands() {
		l.evaluate(v)
	}
	l.instr(n, i)
	return l.vals[n]
}
