package ops

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Adaptive pooling: output o of n covers the inputs from ⌊o·in/n⌋ to ⌈(o+1)·in/n⌉.
// The outputs that cover an input follow by the same formula with in and n swapped,
// so the gradient of an adaptive sum is an adaptive sum.
func init() {
	for n := 2; n <= 3; n++ {
		x, size := poolSample(n), []int{3, 2, 5}[:n]
		equal, repeated := []int{7, 2, 1}[:n], []int{14, 6, 10}[:n]
		backward := fmt.Sprintf("_adaptive_avg_pool%dd_backward", n)
		for _, prefix := range []string{"_", ""} {
			register(&Op{
				Schema: fmt.Sprintf("%sadaptive_avg_pool%[2]dd(Tensor self, int[%[2]d] output_size) -> Tensor",
					prefix, n),
				Infer: floating(inferAdaptive(n)),
				Lower: func(l *Lowering, c *Call) []*mlir.Value {
					a := adaptive{l: l, in: c.Shape(0), out: c.Out[0].Shape, n: n}
					t := l.In(c, 0)
					sum := a.sum(t)
					return one(a.divide(sum, c.Out[0]))
				},
				Grad: func(g *Gradient) {
					g.Set(0, g.Call(backward, g.Grad(0), g.Tensor(0)))
				},
				Samples: samplesOf(Sample{x, size}, Sample{x, 1}, Sample{x, equal}, Sample{x, repeated}),
			})
		}
		register(&Op{
			Schema: backward + "(Tensor grad_output, Tensor self) -> Tensor",
			Infer:  floating(func(c *Call) error { return c.inferAdaptiveBackward(n) }),
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				dy := l.In(c, 0)
				forward := adaptive{l: l, in: c.Shape(1), out: c.Shape(0), n: n}
				dy = forward.divide(dy, TensorType{widened(dy.D), dy.Shape()})
				back := adaptive{l: l, in: c.Shape(0), out: c.Shape(1), n: n}
				return one(l.Cast(back.sum(dy), c.Out[0].DType))
			},
			Grad: func(g *Gradient) {
				out := g.Shape(0)
				g.Set(0, g.Call(fmt.Sprintf("_adaptive_avg_pool%dd", n), g.Grad(0), out[len(out)-n:]))
			},
			Samples: samplesOf(Sample{S(append([]int{1, 2}, size...)...), x},
				Sample{S(append([]int{1, 2}, equal...)...), x}),
		})
		registerAdaptiveMax(n, Sample{x, size}, Sample{x, equal}, Sample{x, repeated})
	}
	registerAdaptiveLine("adaptive_avg_pool1d", "adaptive_avg_pool2d", "Tensor")
	registerAdaptiveLine("adaptive_max_pool1d", "adaptive_max_pool2d", "(Tensor, Tensor)")
}

// registerAdaptiveLine registers the form of one dimension by the form of two.
func registerAdaptiveLine(name, plane, returns string) {
	register(&Op{
		Schema: name + "(Tensor self, int[1] output_size) -> " + returns,
		Infer:  inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			return e.asPlane(c, func(x Value) []Value { return e.Calls(plane, x, flat(c.Ints(1), 1)) })
		},
		Samples: samplesOf(Sample{S(2, 3, 7), 3}),
	})
}

func registerAdaptiveMax(n int, samples ...Sample) {
	name := fmt.Sprintf("adaptive_max_pool%dd", n)
	register(&Op{
		Schema: fmt.Sprintf("%s(Tensor self, int[%d] output_size) -> (Tensor, Tensor)", name, n),
		Infer: func(c *Call) error {
			if err := inferAdaptive(n)(c); err != nil {
				return err
			}
			return c.Result(dtype.I64, c.Out[0].Shape)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			a := adaptive{l: l, in: c.Shape(0), out: c.Out[0].Shape, n: n}
			return a.max(l.In(c, 0))
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call(name+"_backward", g.Grad(0), g.Tensor(0), g.Results[1]))
		},
		Samples: samplesOf(samples...),
	})
	register(&Op{
		Schema: name + "_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
		Infer: func(c *Call) error {
			if err := c.mustIndex(2, c.Shape(0)); err != nil {
				return err
			}
			return c.inferAdaptiveBackward(n)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.addAtPlaces(l.In(c, 0), l.In(c, 2), c.Out[0], n))
		},
		Grad:    func(g *Gradient) { g.Set(0, g.pooled(2, n)) },
		Samples: samplesOf(maxBackwardSample(n)),
	})
}

// maxBackwardSample is a gradient, an input and the places of the maxima of windows of 3
// elements along each of n dimensions: those in the first corner.
func maxBackwardSample(n int) Sample {
	out, in := []int{1, 2, 2, 2, 2}[:n+2], []int{1, 2, 6, 6, 6}[:n+2]
	corners := make([]float64, 0, 16)
	for range 2 {
		for i := range 1 << n {
			at := 0
			for d := range n {
				at = at*6 + i>>(n-1-d)&1*3
			}
			corners = append(corners, float64(at))
		}
	}
	return Sample{S(out...), S(in...), given(dtype.I64, out, corners...)}
}

// pooled returns the elements of the cotangent at the places, by their numbers in the last n
// dimensions, that an argument has: the gradient of the backward form of a maximum.
func (g *Gradient) pooled(indices, n int) Value {
	in, out := g.Out[0].Shape, g.Shape(0)
	line := func(v Value, dims []int) Value {
		lead := dims[:len(dims)-n]
		return g.Reshape(v, append(append([]int{}, lead...), shape.Size(dims[len(dims)-n:])))
	}
	taken := g.Call("gather", line(g.Grad(0), in), -1, line(g.Tensor(indices), out))
	return g.Reshape(taken, out)
}

func inferAdaptive(n int) func(c *Call) error {
	return func(c *Call) error {
		in, size := c.Shape(0), perDim(c.Ints(1), n)
		if len(in) != n+1 && len(in) != n+2 || len(size) != n {
			return c.ShapeErrorf("input %s does not fit output_size %v", shape.String(in), c.Ints(1))
		}
		out := append(append([]int{}, in[:len(in)-n]...), size...)
		if err := c.checkAdaptive(in, out, n); err != nil {
			return err
		}
		return c.Result(c.DTypeOf(0), out)
	}
}

// checkAdaptive checks the pooling of the last n dimensions of shape in to out.
func (c *Call) checkAdaptive(in, out []int, n int) error {
	lead := len(in) - n
	for d := lead; d < len(in); d++ {
		if out[d] < 0 || in[d] == 0 {
			return c.ShapeErrorf("input %s cannot be pooled to %v", shape.String(in), out[lead:])
		}
		// A table of positions is written for every axis.
		if err := c.checkBytes("a table of positions", out[d], spanBytes); err != nil {
			return err
		}
	}
	return nil
}

// inferAdaptiveBackward gives the type of self, 1, whose pooling to the shape of
// grad_output, 0, is differentiated.
func (c *Call) inferAdaptiveBackward(n int) error {
	out, in := c.Shape(0), c.Shape(1)
	lead := len(in) - n
	if lead != 1 && lead != 2 || len(out) != len(in) || !shape.Equal(out[:lead], in[:lead]) {
		return c.ShapeErrorf("grad_output %s does not fit self %s", shape.String(out), shape.String(in))
	}
	if c.DTypeOf(0) != c.DTypeOf(1) {
		return c.DTypeErrorf("grad_output has the type %v and self %v", c.DTypeOf(0), c.DTypeOf(1))
	}
	if err := c.checkAdaptive(in, out, n); err != nil {
		return err
	}
	return c.Result(c.DTypeOf(1), in)
}

// spanBytes is what one output of a table costs while it is made.
const spanBytes = 64

// adaptive pools the last n dimensions of shape in to out.
type adaptive struct {
	l       *Lowering
	in, out []int
	n       int
	spans   []spans // see pooledSpans
}

// span returns the first input of output o along dimension d, and the one after the last.
func (a *adaptive) span(d, o int) (first, last int) {
	return o * a.in[d] / a.out[d], ((o+1)*a.in[d] + a.out[d] - 1) / a.out[d]
}

// spans are constants with the first input of every output along a dimension, and with
// the one after the last. Their computation in every kernel would take longer than what
// is computed with them.
type spans struct{ first, last Lowered }

// pooledSpans returns the spans along each pooled dimension.
func (a *adaptive) pooledSpans() []spans {
	if a.spans != nil {
		return a.spans
	}
	for d := len(a.out) - a.n; d < len(a.out); d++ {
		t := LoweredType(TensorType{dtype.I64, a.out[d : d+1]})
		first, last := make([]int64, a.out[d]), make([]int64, a.out[d])
		for o := range first {
			i, j := a.span(d, o)
			first[o], last[o] = int64(i), int64(j)
		}
		a.spans = append(a.spans, spans{a.l.constant(dtype.I64, mlir.DenseInts(t, first)),
			a.l.constant(dtype.I64, mlir.DenseInts(t, last))})
	}
	return a.spans
}

// longest is the greatest number of inputs that one output covers.
func (a *adaptive) longest(d int) int {
	most := 0
	for o := range a.out[d] {
		first, last := a.span(d, o)
		most = max(most, last-first)
	}
	return most
}

// covered returns the contribution of an input to an output that covers it: at is the position of the input, to the
// position of the output. x has the elements of the tensors that are read at the input, then of the tensors that are
// read at the output.
type covered func(s *Scalars, at, to, x []Elem) Elem

// adaptiveFold folds the contributions of the inputs that each output covers into an
// accumulator of type acc that starts at init.
type adaptiveFold struct {
	acc     dtype.DType
	init    float64
	reads   []Lowered // of shape in
	points  []Lowered // of shape out
	body    covered
	combine func(s *Scalars, x, y Elem) Elem
}

// fold folds by windows where all of them are equal, by repeating elements where every
// output covers one input and every input has as many outputs, and else by lookups.
func (a *adaptive) fold(f adaptiveFold) Lowered {
	switch {
	case a.multiple(a.in, a.out):
		return a.foldWindows(f)
	case a.multiple(a.out, a.in):
		return a.foldRepeats(f)
	}
	return a.foldLookups(f)
}

// multiple reports whether every pooled extent of many is a multiple of the extent of few.
func (a *adaptive) multiple(many, few []int) bool {
	for d := len(few) - a.n; d < len(few); d++ {
		if few[d] == 0 || many[d]%few[d] != 0 {
			return false
		}
	}
	return true
}

// loopIndices returns the indices of the first n loops.
func loopIndices(s *Scalars, n int) []Elem {
	at := make([]Elem, n)
	for d := range at {
		at[d] = s.Index(d)
	}
	return at
}

func (a *adaptive) foldWindows(f adaptiveFold) Lowered {
	rank := len(a.out)
	lead := rank - a.n
	w := window{padding: make([]int, a.n), dilation: ones(a.n)}
	for d := lead; d < rank; d++ {
		w.kernel = append(w.kernel, a.in[d]/a.out[d])
	}
	return w.fold(a.l, windowFold{padded: f.reads, points: f.points, dims: a.out, step: w.kernel, acc: f.acc, init: f.init,
		combine: f.combine, body: func(s *Scalars, x []Elem) Elem {
			to := loopIndices(s, rank)
			at := append([]Elem{}, to...)
			for k, extent := range w.kernel {
				first := s.Mul(to[lead+k], s.ConstInt(dtype.I64, int64(extent)))
				at[lead+k] = s.Add(first, s.Index(rank+k))
			}
			return f.body(s, at, to, x)
		}})
}

// foldRepeats has the loops of the input and, behind each pooled one, one over its
// outputs.
func (a *adaptive) foldRepeats(f adaptiveFold) Lowered {
	rank := len(a.in)
	lead := rank - a.n
	split := append([]int{}, a.in[:lead]...)
	for d := lead; d < rank; d++ {
		split = append(split, a.in[d], a.out[d]/a.in[d])
	}
	loops := len(split)
	from := shape.UpTo(lead)
	for k := range a.n {
		from = append(from, lead+2*k)
	}
	var ins []Operand
	for _, t := range f.reads {
		ins = append(ins, Operand{t, mlir.Projection(loops, from...)})
	}
	all := mlir.Projection(loops, shape.UpTo(loops)...)
	for _, t := range f.points {
		ins = append(ins, Operand{a.l.Reshape(t, split), all})
	}
	outs := []Operand{{a.l.Fill(f.acc, split, f.init), all}}
	t := a.l.Generic(repeat(Parallel, loops), ins, outs, func(s *Scalars, x []Elem) []Elem {
		at := loopIndices(s, rank)
		to := loopIndices(s, rank)
		for k := range a.n {
			n := s.ConstInt(dtype.I64, int64(split[lead+2*k+1]))
			at[lead+k] = s.Index(lead + 2*k)
			to[lead+k] = s.Add(s.Mul(at[lead+k], n), s.Index(lead+2*k+1))
		}
		return []Elem{f.combine(s, x[len(ins)], f.body(s, at, to, x[:len(ins)]))}
	})[0]
	return a.l.Reshape(t, a.out)
}

func (a *adaptive) foldLookups(f adaptiveFold) Lowered {
	l, rank := a.l, len(a.out)
	lead := rank - a.n
	var extents []int
	for k := range a.n {
		extents = append(extents, a.longest(lead+k))
	}
	point := mlir.Projection(rank+a.n, shape.UpTo(rank)...)
	var ins []Operand
	for _, t := range f.points {
		ins = append(ins, Operand{t, point})
	}
	// The extents of the folded loops come from a tensor whose elements are not read.
	ins = append(ins, Operand{l.Empty(f.acc, extents),
		mlir.Projection(rank+a.n, shape.UpTo(rank + a.n)[rank:]...)})
	outs := []Operand{{l.Fill(f.acc, a.out, f.init), point}}
	spans := a.pooledSpans()
	kinds := append(repeat(Parallel, rank), repeat(Reduction, a.n)...)
	return l.Generic(kinds, ins, outs, func(s *Scalars, x []Elem) []Elem {
		to := loopIndices(s, rank)
		at := append([]Elem{}, to...)
		var inside Elem
		for k, span := range spans {
			d := lead + k
			i := s.Add(s.At(span.first, to[d]), s.Index(rank+k))
			here := s.Cmp("lt", i, s.At(span.last, to[d]))
			if k > 0 {
				here = s.And(inside, here)
			}
			inside = here
			at[d] = s.Min(i, s.ConstInt(dtype.I64, int64(a.in[d]-1)))
		}
		var elements []Elem
		for _, t := range f.reads {
			elements = append(elements, s.At(t, at...))
		}
		elements = append(elements, x[:len(f.points)]...)
		v := s.Select(inside, f.body(s, at, to, elements), s.Const(f.acc, f.init))
		return []Elem{f.combine(s, x[len(ins)], v)}
	})[0]
}

// sum adds up what each output covers.
func (a *adaptive) sum(t Lowered) Lowered {
	acc := widened(t.D)
	return a.fold(adaptiveFold{acc: acc, reads: []Lowered{t}, combine: (*Scalars).Add,
		body: func(s *Scalars, _, _, x []Elem) Elem { return s.Cast(x[0], acc) }})
}

// divide divides by the number of inputs that each output covers.
func (a *adaptive) divide(t Lowered, out TensorType) Lowered {
	lead := len(a.out) - a.n
	if a.multiple(a.in, a.out) {
		n := 1
		for d := lead; d < len(a.out); d++ {
			n *= a.longest(d)
		}
		return a.l.Pointwise(out, []Lowered{t}, func(s *Scalars, x []Elem) Elem {
			return s.Div(x[0], s.Cast(s.ConstInt(dtype.I64, int64(n)), x[0].D))
		})
	}
	spans := a.pooledSpans()
	return a.l.Pointwise(out, []Lowered{t}, func(s *Scalars, x []Elem) Elem {
		n := s.ConstInt(dtype.I64, 1)
		for k, span := range spans {
			o := s.Index(lead + k)
			n = s.Mul(n, s.Sub(s.At(span.last, o), s.At(span.first, o)))
		}
		return s.Div(x[0], s.Cast(n, x[0].D))
	})
}

// max returns the maxima and the position of each: the first position of a maximum, or the position of the last NaN.
func (a *adaptive) max(t Lowered) []*mlir.Value {
	value := a.fold(adaptiveFold{acc: t.D, init: Lowest(t.D), reads: []Lowered{t}, combine: (*Scalars).Max,
		body: func(_ *Scalars, _, _, x []Elem) Elem { return x[0] }})
	lead := len(a.out) - a.n
	none := float64(math.MaxInt32)
	position := a.fold(adaptiveFold{acc: dtype.I64, init: none, reads: []Lowered{t}, points: []Lowered{value},
		combine: (*Scalars).Min, body: func(s *Scalars, at, _, x []Elem) Elem {
			return s.keyOfMaximum(x[0], x[1], flatIndex(s, at[lead:], a.in[lead:]), none)
		}})
	return []*mlir.Value{value.V, a.l.placeOfMaximum(position, t.D).V}
}
