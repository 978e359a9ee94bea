package tileexact

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/kernel"
)

// strip makes a nest over some columns of one row out of the stages of another, with
// what is known of the row as operands.
type strip struct {
	r        *rowPieces
	state    *rowState
	row      int
	cols     *buf.Buffer         // numbers of the columns; nil for what there is once
	in, outs map[int]*buf.Buffer // by access
	place    *describe.Gather    // compute the place of this one instead
	gather   int                 // its number

	nest     kernel.Nest
	operands []*buf.Buffer
}

// operand adds an operand that has a value for every column, or one for all.
func (t *strip) operand(b *buf.Buffer, write bool) int {
	n := 1
	if t.cols != nil {
		n = t.cols.Len()
	}
	a := kernel.Access{Port: kernel.Port{DType: b.DType, Len: b.Len(), Write: write}, Outer: []int{0}}
	if t.cols != nil {
		a.Inner = []int{0}
		if b.Len() == n && n > 1 {
			a.Inner[0] = 1
		}
	}
	t.nest.Access = append(t.nest.Access, a)
	t.operands = append(t.operands, b)
	return len(t.operands) - 1
}

// run does the stages up to the last one given, which folds the reductions given, and
// returns their results, or the place asked for. extra is an operand of the last stage.
func (t *strip) run(last int, reduce []kernel.Reduction, extra *buf.Buffer) ([]*buf.Buffer, error) {
	t.nest = kernel.Nest{Name: "strip", Outer: []int{1}}
	if t.cols != nil {
		t.nest.Inner = []int{t.cols.Len()}
	}
	for q := 0; q <= last; q++ {
		s := t.r.n.Stages[q]
		if t.cols == nil && !s.Once {
			s = kernel.Stage{Once: true, Body: kernel.Body{{Op: kernel.Const, Type: dtype.I64}}}
		} else {
			s.Body, s.Reduce = t.body(q), nil
		}
		if q == last && t.cols != nil {
			s.Reduce = reduce
			if extra != nil {
				s.Body = append(s.Body, kernel.Instr{Op: kernel.Load, Type: extra.DType,
					Port: t.operand(extra, false)})
			}
		}
		t.nest.Stages = append(t.nest.Stages, s)
	}
	var results []*buf.Buffer
	var store kernel.Body
	for i, d := range reduce {
		b := buf.New(d.Type, []int{1})
		results = append(results, b)
		store = append(store, kernel.Instr{Op: kernel.Acc, Type: d.Type, Port: last, Imm: uint64(i)},
			kernel.Instr{Op: kernel.Store, Type: d.Type, A: 2 * i, Port: t.operand(b, true)})
	}
	if store != nil {
		t.nest.Stages = append(t.nest.Stages, kernel.Stage{Once: true, Body: store})
	}
	if g := t.place; g != nil {
		b := buf.New(dtype.I64, []int{1})
		results = append(results, b)
		s := &t.nest.Stages[g.Stage]
		s.Body = append(s.Body, kernel.Instr{Op: kernel.Store, Type: dtype.I64,
			A: t.r.n.Stages[g.Stage].Body[g.Instr].A, Port: t.operand(b, true)})
	}
	return results, once(t.r.compile, &t.nest, t.operands)
}

// body returns the body of a stage that reads what is known as operands, and leaves out
// what is not wanted.
func (t *strip) body(stage int) kernel.Body {
	body := append(kernel.Body(nil), t.r.n.Stages[stage].Body...)
	for i := range body {
		at := &body[i]
		load := func(b *buf.Buffer) {
			if *at = (kernel.Instr{Op: kernel.Const, Type: at.Type}); b != nil {
				at.Op, at.Port = kernel.Load, t.operand(b, false)
			}
		}
		switch at.Op {
		case kernel.Index:
			load(t.index(at.Port))
		case kernel.Acc:
			if b := t.state.results[reduction{at.Port, int(at.Imm)}]; b != nil || t.cols == nil {
				load(typed(b, at.Type))
			}
		case kernel.Load:
			load(t.in[at.Port])
		case kernel.LoadAt:
			load(t.gathered(stage, i))
		case kernel.Store:
			if b := t.outs[at.Port]; b != nil && t.place == nil {
				at.Port = t.operand(b, true)
			} else {
				*at = kernel.Instr{Op: kernel.Const, Type: dtype.I64}
			}
		}
	}
	return body
}

// typed is a value as an element of a type.
func typed(b *buf.Buffer, as dtype.DType) *buf.Buffer {
	if b == nil || b.DType == as {
		return b
	}
	out := buf.New(as, []int{1})
	out.SetFloat64(0, b.Float64(0))
	return out
}

// index is the values of a loop in the columns.
func (t *strip) index(loop int) *buf.Buffer {
	extents, n := t.r.n.Outer, 1
	at := func(int) int { return t.row }
	if loop >= len(extents) {
		extents, loop = t.r.n.Inner, loop-len(extents)
		at = func(int) int { return 0 }
		if t.cols != nil {
			n, at = t.cols.Len(), func(i int) int { return int(t.cols.Int64(i)) }
		}
	}
	inside := shape.Size(extents[loop+1:])
	b := buf.New(dtype.I64, []int{n})
	for i := range n {
		b.SetInt64(i, int64(at(i)/inside%extents[loop]))
	}
	return b
}

// gathered is what an instruction has read at a computed place, nil if not yet.
func (t *strip) gathered(stage, instr int) *buf.Buffer {
	for i, g := range t.r.gathers {
		if g.Stage != stage || g.Instr != instr || t.state.found == nil {
			continue
		}
		key := tileKey{1, -1}
		if t.place != nil {
			key.gather = t.gather
		}
		if b, err := t.state.found.operand(t.r.tiles, i, key); err == nil {
			return b
		}
	}
	return nil
}
