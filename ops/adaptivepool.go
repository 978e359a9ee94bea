package ops

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// Adaptive pooling: output o of n covers the inputs from ⌊o·in/n⌋ to ⌈(o+1)·in/n⌉.
// The outputs that cover an input follow by the same formula with in and n swapped,
// so the gradient of an adaptive sum is an adaptive sum.
func init() {
	for n := 2; n <= 3; n++ {
		x, size := poolSample(n), []int{3, 2, 5}[:n]
		backward := fmt.Sprintf("_adaptive_avg_pool%dd_backward", n)
		for _, prefix := range []string{"_", ""} {
			register(&Op{
				Schema: fmt.Sprintf("%sadaptive_avg_pool%[2]dd(Tensor self, int[%[2]d] output_size) -> Tensor",
					prefix, n),
				Infer: inferAdaptive(n),
				Lower: func(l *Lowering, c *Call) []*mlir.Value {
					a := adaptive{l, c.Shape(0), c.Out[0].Shape, n}
					t := l.In(c, 0)
					sum := a.sum(t)
					return one(a.divide(sum, c.Out[0]))
				},
				Grad: func(g *Gradient) {
					g.Set(0, g.Call(backward, g.Grad(0), g.Tensor(0)))
				},
				Samples: samplesOf(Sample{x, size}, Sample{x, 1}),
			})
		}
		register(&Op{
			Schema: backward + "(Tensor grad_output, Tensor self) -> Tensor",
			Infer:  func(c *Call) error { return c.Result(c.DTypeOf(1), c.Shape(1)) },
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				dy := l.In(c, 0)
				forward := adaptive{l, c.Shape(1), c.Shape(0), n}
				dy = forward.divide(dy, TensorType{widened(dy.D), dy.Shape()})
				back := adaptive{l, c.Shape(0), c.Shape(1), n}
				return one(l.Cast(back.sum(dy), c.Out[0].DType))
			},
		})
		registerAdaptiveMax(n, x, size)
	}
	registerAdaptiveLine("adaptive_avg_pool1d", "adaptive_avg_pool2d", "Tensor")
	registerAdaptiveLine("adaptive_max_pool1d", "adaptive_max_pool2d", "(Tensor, Tensor)")
}

// registerAdaptiveLine registers the form of one dimension by that of two.
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

func registerAdaptiveMax(n int, x T, size []int) {
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
			a := adaptive{l, c.Shape(0), c.Out[0].Shape, n}
			return a.max(l.In(c, 0))
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call(name+"_backward", g.Grad(0), g.Tensor(0), g.Results[1]))
		},
		Samples: samplesOf(Sample{x, size}),
	})
	register(&Op{
		Schema: name + "_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
		Infer:  func(c *Call) error { return c.Result(c.DTypeOf(1), c.Shape(1)) },
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			back := adaptive{l, c.Shape(0), c.Shape(1), n}
			return one(l.Cast(back.maxBackward(l.In(c, 0), l.In(c, 2)), c.Out[0].DType))
		},
	})
}

func inferAdaptive(n int) func(c *Call) error {
	return func(c *Call) error {
		in, size := c.Shape(0), perDim(c.Ints(1), n)
		if len(in) != n+1 && len(in) != n+2 || len(size) != n {
			return c.ShapeErrorf("input %s does not fit output_size %v", shape.String(in), c.Ints(1))
		}
		for i, v := range size {
			if v < 0 || in[len(in)-n+i] == 0 {
				return c.ShapeErrorf("input %s cannot be pooled to %v", shape.String(in), size)
			}
		}
		return c.Result(c.DTypeOf(0), append(append([]int{}, in[:len(in)-n]...), size...))
	}
}

// adaptive pools the last n dimensions of shape in to out.
type adaptive struct {
	l       *Lowering
	in, out []int
	n       int
}

// bounds returns the first input of the output in loop d, and the one after the last.
func (a *adaptive) bounds(s *Scalars, d int) (first, last Elem) {
	in, out := s.ConstInt(dtype.I64, int64(a.in[d])), s.ConstInt(dtype.I64, int64(a.out[d]))
	i, one := s.Index(d), s.ConstInt(dtype.I64, 1)
	first = s.Div(s.Mul(i, in), out)
	last = s.Div(s.Add(s.Mul(s.Add(i, one), in), s.Sub(out, one)), out)
	return first, last
}

// longest is the greatest number of inputs that one output covers.
func (a *adaptive) longest(d int) int {
	most := 0
	for o := range a.out[d] {
		first, last := o*a.in[d]/a.out[d], ((o+1)*a.in[d]+a.out[d]-1)/a.out[d]
		most = max(most, last-first)
	}
	return most
}

// fold folds what body returns at the covered inputs, and init elsewhere. body gets
// the input position of every dimension.
func (a *adaptive) fold(acc dtype.DType, init float64, points []Lowered,
	body func(s *Scalars, at []Elem, x []Elem) Elem,
	combine func(s *Scalars, x, y Elem) Elem) Lowered {
	l, rank := a.l, len(a.out)
	lead := rank - a.n
	var extents []int
	for k := range a.n {
		extents = append(extents, a.longest(lead+k))
	}
	point := mlir.Projection(rank+a.n, upTo(rank)...)
	var ins []Operand
	for _, t := range points {
		ins = append(ins, Operand{t, point})
	}
	// The extents of the folded loops come from a tensor whose elements are not read.
	ins = append(ins, Operand{l.Empty(acc, extents),
		mlir.Projection(rank+a.n, upTo(rank + a.n)[rank:]...)})
	outs := []Operand{{l.Fill(acc, a.out, init), point}}
	kinds := append(repeat(Parallel, rank), repeat(Reduction, a.n)...)
	return l.Generic(kinds, ins, outs, func(s *Scalars, x []Elem) []Elem {
		at := make([]Elem, rank)
		covered := s.ConstInt(dtype.Bool, 1)
		for d := range at {
			if at[d] = s.Index(d); d < lead {
				continue
			}
			first, last := a.bounds(s, d)
			i := s.Add(first, s.Index(rank+d-lead))
			covered = s.And(covered, s.Cmp("lt", i, last))
			at[d] = s.Min(i, s.ConstInt(dtype.I64, int64(a.in[d]-1)))
		}
		v := s.Select(covered, body(s, at, x), s.Const(acc, init))
		return []Elem{combine(s, x[len(ins)], v)}
	})[0]
}

// sum adds up what each output covers.
func (a *adaptive) sum(t Lowered) Lowered {
	acc := widened(t.D)
	add := (*Scalars).Add
	window := 1
	for d := len(a.out) - a.n; d < len(a.out); d++ {
		window *= a.longest(d)
	}
	if a.n == 3 && window <= stepwiseTerms { // as PyTorch does here for half types
		add = func(s *Scalars, x, y Elem) Elem { return s.Cast(s.Cast(s.Add(x, y), t.D), acc) }
	}
	return a.fold(acc, 0, nil, func(s *Scalars, at, _ []Elem) Elem {
		return s.Cast(s.At(t, at...), acc)
	}, add)
}

// divide divides by the number of inputs that each output covers.
func (a *adaptive) divide(t Lowered, out TensorType) Lowered {
	return a.l.Pointwise(out, []Lowered{t}, func(s *Scalars, x []Elem) Elem {
		n := s.ConstInt(dtype.I64, 1)
		for d := len(a.out) - a.n; d < len(a.out); d++ {
			first, last := a.bounds(s, d)
			n = s.Mul(n, s.Sub(last, first))
		}
		return s.Div(x[0], s.Cast(n, x[0].D))
	})
}

// max returns the maxima and the first position of each.
func (a *adaptive) max(t Lowered) []*mlir.Value {
	value := a.fold(t.D, Lowest(t.D), nil,
		func(s *Scalars, at, _ []Elem) Elem { return s.At(t, at...) }, (*Scalars).Max)
	lead := len(a.out) - a.n
	none := float64(math.MaxInt32)
	position := a.fold(dtype.I64, none, []Lowered{value}, func(s *Scalars, at, x []Elem) Elem {
		v := s.At(t, at...)
		here := s.Cmp("eq", v, x[0])
		if t.D.IsFloat() {
			here = s.Or(here, s.IsNaN(v))
		}
		return s.Select(here, flatIndex(s, at[lead:], a.in[lead:]), s.Const(dtype.I64, none))
	}, (*Scalars).Min)
	return []*mlir.Value{value.V, position.V}
}

// maxBackward sums the gradients of the outputs (here the inputs) whose maximum is at
// each point.
func (a *adaptive) maxBackward(dy, position Lowered) Lowered {
	acc := widened(dy.D)
	lead := len(a.out) - a.n
	return a.fold(acc, 0, nil, func(s *Scalars, at, _ []Elem) Elem {
		var point []Elem
		for d := lead; d < len(a.out); d++ {
			point = append(point, s.Index(d))
		}
		here := s.Cmp("eq", s.At(position, at...), flatIndex(s, point, a.out[lead:]))
		return s.Select(here, s.Cast(s.At(dy, at...), acc), s.Const(acc, 0))
	}, (*Scalars).Add)
}
