package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// lowering writes a body at a place.
type lowering struct {
	*generator
	at     *place
	copy   int // which of the vectors of a turn
	number int // of the stage
	body   kernel.Body
	vals   []vector.Val // of a bool a mask, as wide as what it came from
}

// body writes the body of a stage at a place, for one of the vectors there. Its values are there until the next body.
func (g *generator) body(at *place, copy, number int) *lowering {
	s := &g.Nest.Stages[number]
	l := &g.lowering
	vals := l.vals
	if len(s.Body) > cap(vals) {
		vals = make([]vector.Val, len(s.Body))
	}
	*l = lowering{generator: g, at: at, copy: copy, number: number, body: s.Body, vals: vals[:len(s.Body)]}
	for n := range l.body {
		l.instr(n, &l.body[n])
	}
	for k, n := range s.Keep {
		if p := g.kept(number, k).port; p != nil {
			l.storeKept(p, n)
		}
	}
	return l
}

// instr writes an instruction of the body.
func (l *lowering) instr(n int, i *kernel.Instr) {
	switch i.Op {
	case kernel.Store:
		l.store(l.ports[i.Port], l.at.at[i.Port], i.Type, i.A)
	case kernel.Const:
		l.vals[n] = l.constant(i.Type, i.Imm)
	case kernel.Load:
		l.vals[n] = l.load(l.ports[i.Port], l.at.at[i.Port], i.Type)
	case kernel.LoadAt:
		l.vals[n] = l.gather(i)
	case kernel.Index:
		l.vals[n] = l.index(i.Port)
	case kernel.Acc:
		l.vals[n] = l.result(l.reduced(i.Port, int(i.Imm)))
	case kernel.Kept:
		l.vals[n] = l.keptValue(i)
	case kernel.Input:
		l.vals[n] = l.input()
	default:
		l.vals[n] = l.compute(i)
	}
}

// input is the sums of an epilogue.
func (l *lowering) input() vector.Val {
	if l.summed.Kind == vector.None {
		unsupported()
	}
	return l.summed
}

// result is the value that an earlier stage left for this copy of the body.
func (l *lowering) result(of *left) vector.Val {
	if len(of.vals) == 0 {
		unsupported()
	}
	return of.vals[l.leftIndex(l)]
}

func (l *lowering) keptValue(i *kernel.Instr) vector.Val {
	of := l.kept(i.Port, int(i.Imm))
	if p := of.port; p != nil {
		return l.load(p, l.at.at[p.number], p.dtype)
	}
	return l.result(of)
}

func (l *lowering) storeKept(p *port, n int) {
	v := l.value(n)
	if l.body[n].Type == dtype.Bool {
		v = l.maskOf(v, vector.I32)
	}
	l.b.Store(v, l.at.at[p.number], l.access(p, false))
}

// access is how a port lies in memory at this place.
func (l *lowering) access(p *port, strided bool) vector.Access {
	a := vector.Access{Mem: memOf(p.dtype), Count: l.at.count, Offset: p.shift + l.copy*l.Lanes*p.strides[l.Lane]*p.size()}
	if p.local {
		a.Offset = p.shift + l.copy*l.Lanes*p.size()
	}
	if strided {
		a.Stride = p.strides[l.Lane] * p.size()
	}
	a.Still, a.Shared = p.still, p.shared
	return a
}

// load reads a port.
func (l *lowering) load(p *port, at vector.Val, t dtype.DType) vector.Val {
	k := kindOf(t)
	var v vector.Val
	switch stride := p.strides[l.Lane]; {
	case stride == 0 || l.at.single:
		a := l.access(p, false)
		a.Offset, a.Count = p.shift, 0
		v = l.b.Splat(k, at, a)
	case stride == 1:
		v = l.b.Load(k, at, l.access(p, false))
	default:
		v = l.b.Strided(k, at, l.access(p, true))
	}
	return l.truthOf(t, v)
}

// store writes value n to a port.
func (l *lowering) store(p *port, at vector.Val, t dtype.DType, n int) {
	stride := p.strides[l.Lane]
	v, flushed := l.value(n), l.flushes && p.dtype == dtype.BF16 && stride == 1 && !l.at.single
	if x, ok := l.rounds[v.ID]; ok && (p.dtype == dtype.F16 || flushed) { // the store rounds
		v = x
	}
	if t == dtype.Bool {
		v = l.b.Op(vector.And, l.b.Bits(vector.I32, 1), l.maskOf(v, vector.I32))
	}
	switch {
	case l.at.single:
		a := l.access(p, false)
		a.Offset, a.Count = 0, 1
		l.b.Store(v, at, a)
	case stride == 1:
		a := l.access(p, false)
		a.Streams = l.streaming && l.at.count == 0
		if flushed {
			a.Mem = vector.Flushed
		}
		l.b.Store(v, at, a)
	case stride == 0 && l.Nest.Extent(l.Lane) == 1:
		a := l.access(p, false)
		a.Count = 1
		l.b.Store(v, at, a)
	case stride == 0:
		unsupported()
	default:
		l.b.Store(v, at, l.access(p, true))
	}
}

// index is the i64 index of a loop.
func (l *lowering) index(loop int) vector.Val {
	b := l.b
	inner := loop >= len(l.Nest.Outer)
	if l.at.single && inner {
		return b.Bits(vector.I64, 0)
	}
	w := l.at.index[loop]
	if loop != l.Lane {
		return b.Into(vector.Dup, vector.I64, 0, w)
	}
	return b.Op(vector.Add, b.Into(vector.Dup, vector.I64, 0, b.Offset(w, l.copy*l.Lanes)), b.LaneNumbers(vector.I64))
}

// lanesInUse is the mask of the lanes that take part at a tail.
func (l *lowering) lanesInUse(k vector.Kind) vector.Val {
	return l.b.Compare(vector.Less, l.b.LaneNumbers(k), l.b.Bits(k, uint64(l.at.count)))
}

// inUse is v in the lanes that take part, else old.
func (l *lowering) inUse(old, v vector.Val) vector.Val {
	if l.at.count == 0 || l.at.single || l.LaneOuter {
		return v // lanes of outer points that are not there do not matter
	}
	return l.b.Into(vector.Select, v.Kind, 0, l.lanesInUse(v.Kind.Mask()), v, old)
}

func (l *lowering) value(n int) vector.Val { return l.vals[n] }

func (l *lowering) constant(t dtype.DType, imm uint64) vector.Val {
	switch {
	case t == dtype.Bool:
		return l.b.Bits(vector.I32, -(imm&1)&math.MaxUint32)
	case t == dtype.F64 || t == dtype.I64 || t == dtype.F32:
		return l.b.Bits(kindOf(t), imm)
	case t.IsFloat():
		return l.b.Float(vector.F32, kernel.Value(t, imm))
	}
	return l.b.Bits(vector.I32, uint64(uint32(kernel.Integer(t, imm))))
}
