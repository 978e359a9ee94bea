package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// nestCompiler compiles the stages of a nest.
type nestCompiler struct {
	*nestCode
	bodies    []*bodyCompiler
	reduction [][]reduction
	buffer    map[[2]int]int // stage and number of a kept value to its buffer
}

func newNestCompiler(c *nestCode) *nestCompiler {
	return &nestCompiler{nestCode: c, buffer: make(map[[2]int]int)}
}

func (c *nestCompiler) compile() {
	for i := range c.nest.Stages {
		c.stages = append(c.stages, c.stage(i))
	}
}

// ports describes the operands to a body.
func (c *nestCompiler) ports() []port {
	ports := make([]port, len(c.nest.Access))
	for i, a := range c.nest.Access {
		ports[i] = port{dtype: a.DType, length: a.Len}
		if c.lane >= 0 {
			ports[i].stride = c.nest.Access[i].Stride(c.lane)
		}
	}
	return ports
}

func (c *nestCompiler) stage(number int) stage {
	src := &c.nest.Stages[number]
	body := &bodyCompiler{registers: &c.regs, body: src.Body, ports: c.ports(), laneLoop: c.lane}
	body.acc = func(stage, number int) int {
		r := &c.reduction[stage][number]
		r.spread = r.spread || !src.Once
		return r.result
	}
	body.kept = c.keptLeaf
	body.prepare()
	laneInner := c.lane >= 0 && !c.laneOuter
	varying := c.varying(src)
	body.varying, body.lanesInside = varying, laneInner
	escapes := make([]bool, len(src.Body)) // to all lanes
	for n := range src.Body {
		for _, o := range src.Body[n].Operands() {
			escapes[o] = escapes[o] || varying[n]
		}
	}
	after := func(n int) { // it is read once more when the body has run
		body.lastUse[n] = max(body.lastUse[n], len(body.body))
		body.reads[n]++
		escapes[n] = true
	}
	for _, k := range src.Keep {
		after(k)
		if src.Once {
			body.owned(k)
		}
	}
	for _, r := range src.Reduce {
		after(r.Value)
		if r.Kind.IsArg() {
			after(r.Arg)
		}
	}
	body.fuse(src.Reduce)
	s := stage{once: src.Once}
	for n := range src.Body {
		st := body.instr(n)
		switch {
		case st == nil:
		case varying[n]:
			s.main = append(s.main, st)
		default:
			s.before = append(s.before, st)
			if laneInner && escapes[n] {
				s.spread = append(s.spread, spread{body.reg[n], src.Body[n].Type})
			}
		}
	}
	for k, n := range src.Keep {
		s.keep(c, body, number, k, n, laneInner)
	}
	for _, r := range src.Reduce {
		s.reduce = append(s.reduce, compileReduction(&c.regs, r, folded{body.reg[r.Value], body.reg[r.Arg],
			src.Body[r.Value].Type, body.factors(r.Value), laneInner && !src.Once && !c.fixed}))
	}
	c.bodies = append(c.bodies, body)
	c.reduction = append(c.reduction, s.reduce)
	if s.once && laneInner {
		// One lane computes; what later stages read must be in all lanes.
		for i := range s.reduce {
			r := &s.reduce[i]
			s.spreads = append(s.spreads, spread{r.result, r.Result()})
		}
	}
	return s
}

// varying says which instructions depend on the inner point. Everything does in
// a stage that runs once, and where there are no inner loops.
func (c *nestCompiler) varying(s *kernel.Stage) []bool {
	v := make([]bool, len(s.Body))
	all := s.Once || len(c.nest.Inner) == 0
	for n := range s.Body {
		i := &s.Body[n]
		switch i.Op {
		case kernel.Const, kernel.Acc:
		case kernel.Kept:
			v[n] = !c.nest.Stages[i.Port].Once
		case kernel.Index:
			v[n] = i.Port >= len(c.nest.Outer)
		case kernel.Load:
			for _, stride := range c.nest.Access[i.Port].Inner {
				v[n] = v[n] || stride != 0
			}
		case kernel.LoadAt, kernel.Store:
			v[n] = true
		}
		for _, o := range i.Operands() {
			v[n] = v[n] || v[o]
		}
		v[n] = v[n] || all
	}
	return v
}

// keep makes value n of a stage available to later stages.
func (s *stage) keep(c *nestCompiler, body *bodyCompiler, stage, number, n int, laneInner bool) {
	d := body.body[n].Type
	reg := body.reg[n]
	if s.once {
		if laneInner {
			s.spreads = append(s.spreads, spread{reg, d})
		}
		return
	}
	size := widened(d).Size()
	elements := shape.Size(c.nest.Inner)
	if !laneInner {
		elements *= Lanes
	}
	buffer := len(c.kept)
	c.buffer[[2]int{stage, number}] = buffer
	c.kept = append(c.kept, (elements*size+7)/8)
	s.main = append(s.main, func(f *frame) {
		dst := unsafe.Add(f.kept[buffer], f.pos*size)
		copy(unsafe.Slice((*byte)(dst), f.n*size), unsafe.Slice((*byte)(f.reg[reg]), f.n*size))
	})
}

// keptLeaf returns the register of a kept value and the step that points it at
// the current inner point.
func (c *nestCompiler) keptLeaf(i *kernel.Instr) (int, step) {
	src := &c.nest.Stages[i.Port]
	n := src.Keep[i.Imm]
	if src.Once {
		return c.bodies[i.Port].reg[n], nil
	}
	buffer, ok := c.buffer[[2]int{i.Port, int(i.Imm)}]
	if !ok {
		panic("BUG: portable: kept value without a buffer")
	}
	size := widened(i.Type).Size()
	r := c.regs.add(i.Type)
	return r, func(f *frame) { f.reg[r] = unsafe.Add(f.kept[buffer], f.pos*size) }
}
