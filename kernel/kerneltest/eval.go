package kerneltest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// Value is a scalar: F if its type is floating, I if not.
type Value struct {
	F float64
	I int64
}

// interpreter runs a nest point by point, or an epilogue, which is a nest without inner loops whose body has an input.
type interpreter struct {
	n     *kernel.Nest
	ports []Buffer
	input Value
	store func(i *kernel.Instr, v Value) // of a value that the body stores
	outer []int
	inner []int
	accs  [][]Value   // of each stage
	kept  [][][]Value // of each stage, each kept value, each inner point
	fault bool
	// largest is the largest finite size of a partial sum of floats: the rounding
	// errors of a sum in another order are in proportion to it.
	largest float64
}

// Eval runs a nest on buffers and reports whether an access faulted and how large partial sums of floats became.
// Every operation on f16, bf16 and f32 is done in float64 and rounded once.
func Eval(n *kernel.Nest, ports []Buffer) (fault bool, largest float64) {
	e := &interpreter{n: n, ports: ports, inner: make([]int, len(n.Inner))}
	e.store = func(i *kernel.Instr, v Value) { ports[i.Port].Set(e.element(i.Port), v) }
	walk(n.Outer, func(index []int) {
		e.outer = index
		e.accs, e.kept = nil, nil
		for i := range n.Stages {
			e.stage(i)
		}
	})
	return e.fault, e.largest
}

// walk calls f at every point of a loop nest, the last loop fastest.
func walk(extents []int, f func(index []int)) {
	_ = shape.Points(extents, func(index []int) error {
		f(index)
		return nil
	})
}

func (e *interpreter) stage(number int) {
	s := &e.n.Stages[number]
	folds := make([]fold, len(s.Reduce))
	kept := make([][]Value, len(s.Keep))
	point := 0
	visit := func(index []int) {
		e.inner = index
		v := e.body(s, point)
		for i, r := range s.Reduce {
			folds[i].add(&s.Reduce[i], s.Body[r.Value].Type, v[r.Value], v[r.Arg])
			if sums(&r) {
				e.largest = max(e.largest, finite(folds[i].value.F), finite(v[r.Value].F))
			}
		}
		for i, k := range s.Keep {
			kept[i] = append(kept[i], v[k])
		}
		point++
	}
	if s.Once {
		visit(make([]int, len(e.n.Inner)))
	} else {
		walk(e.n.Inner, visit)
	}
	accs := make([]Value, len(s.Reduce))
	for i := range folds {
		accs[i] = folds[i].result(&s.Reduce[i])
	}
	e.accs, e.kept = append(e.accs, accs), append(e.kept, kept)
}

func (e *interpreter) element(port int) int {
	a := &e.n.Access[port]
	at := a.Offset
	for l, x := range e.outer {
		at += x * a.Outer[l]
	}
	for l, x := range e.inner {
		at += x * a.Inner[l]
	}
	return at
}

func (e *interpreter) body(s *kernel.Stage, point int) []Value {
	v := make([]Value, len(s.Body)+1)
	for n := range s.Body {
		i := &s.Body[n]
		switch i.Op {
		case kernel.Load:
			v[n] = e.ports[i.Port].Get(e.element(i.Port))
		case kernel.LoadAt:
			if at := e.element(i.Port) + int(v[i.A].I); at >= 0 && at < e.ports[i.Port].Len() {
				v[n] = e.ports[i.Port].Get(at)
			} else {
				e.fault = true
			}
		case kernel.Store:
			e.store(i, v[i.A])
		case kernel.Input:
			v[n] = e.input
		case kernel.Index:
			if i.Port < len(e.outer) {
				v[n].I = int64(e.outer[i.Port])
			} else {
				v[n].I = int64(e.inner[i.Port-len(e.outer)])
			}
		case kernel.Acc:
			v[n] = e.accs[i.Port][i.Imm]
		case kernel.Kept:
			if e.n.Stages[i.Port].Once {
				v[n] = e.kept[i.Port][i.Imm][0]
			} else {
				v[n] = e.kept[i.Port][i.Imm][point]
			}
		default:
			v[n] = Compute(s.Body, n, v)
		}
	}
	return v
}

// fold is a reduction under way.
type fold struct {
	any   bool
	value Value
	arg   int64
}

func (f *fold) add(r *kernel.Reduction, from dtype.DType, v, arg Value) {
	if r.Kind.IsArg() {
		if !f.any || f.beaten(r, from, v, arg.I) {
			f.any, f.value, f.arg = true, v, arg.I
		}
		return
	}
	to := r.Type
	if to == dtype.F16 || to == dtype.BF16 {
		to = dtype.F32
	}
	v = cast(to, from, v)
	if !f.any {
		f.any, f.value = true, start(r)
	}
	f.value = combine(r, f.value, v)
}

func start(r *kernel.Reduction) Value {
	if r.Type.IsFloat() {
		return Value{F: kernel.Value(r.Type, r.Init)}
	}
	return Value{I: kernel.Integer(r.Type, r.Init)}
}

func (f *fold) beaten(r *kernel.Reduction, from dtype.DType, v Value, arg int64) bool {
	x, y := v, f.value
	first := arg < f.arg
	if !from.IsFloat() {
		if x.I == y.I {
			return first
		}
		return (x.I > y.I) == (r.Kind == kernel.ReduceArgMax)
	}
	nx, ny := math.IsNaN(x.F), math.IsNaN(y.F)
	switch {
	case nx || ny:
		return nx && (!ny || first)
	case x.F == y.F:
		return first
	}
	return (x.F > y.F) == (r.Kind == kernel.ReduceArgMax)
}

func combine(r *kernel.Reduction, a, b Value) Value {
	t := r.Type
	if t.IsFloat() {
		t = dtype.F64
	}
	b2 := kernel.Body{{Type: t}, {Type: t}, {Op: r.Kind.Op(), Type: t, A: 0, B: 1}}
	return Compute(b2, 2, []Value{a, b})
}

func (f *fold) result(r *kernel.Reduction) Value {
	switch {
	case r.Kind.IsArg():
		return Value{I: f.arg}
	case !f.any:
		return start(r)
	}
	return Value{F: roundTo(r.Type, f.value.F), I: f.value.I}
}

func sums(r *kernel.Reduction) bool { return r.Kind == kernel.ReduceSum && r.Type.IsFloat() }

func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return math.Abs(x)
}
