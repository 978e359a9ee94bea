package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// lower1 lowers a one-operand pointwise operator: the element is converted to
// the result type (the half types to float32) before f.
func lower1(f func(s *Scalars, x Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return lower1With(func(s *Scalars, _ *Call, x Elem) Elem { return f(s, x) })
}

// lower1With is lower1 for functions that read further arguments of the call.
func lower1With(f func(s *Scalars, c *Call, x Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		compute := widened(c.Out[0].DType)
		return one(l.Pointwise(c.Out[0], []Lowered{l.In(c, 0)}, func(s *Scalars, x []Elem) Elem {
			return f(s, c, s.Cast(x[0], compute))
		}))
	}
}

// lowerTest lowers a one-operand predicate: the element keeps its type (the half
// types become float32).
func lowerTest(f func(s *Scalars, x Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		return one(l.Pointwise(c.Out[0], []Lowered{l.In(c, 0)},
			func(s *Scalars, x []Elem) Elem { return f(s, x[0]) }))
	}
}

// lower2 lowers a two-operand pointwise operator whose operands are tensors or
// numbers: both are converted to the promoted type before f. The result is
// converted to the call's.
func lower2(f func(s *Scalars, x, y Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem { return f(s, x[0], x[1]) })
}

// lower2Float is lower2 with integers promoted to the default float first.
func lower2Float(f func(s *Scalars, x, y Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return lowerTerms(dtype.Floating,
		func(s *Scalars, c *Call, x []Elem) Elem { return f(s, x[0], x[1]) })
}

// lowerTerms lowers pointwise operators whose first two arguments are tensors or
// numbers; x has them, converted to the promoted type after typ. Further number
// arguments are read from c by f itself.
func lowerTerms(typ func(dtype.DType) dtype.DType,
	f func(s *Scalars, c *Call, x []Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return lowerFirst(2, typ, f)
}

// numbersOfType is f for an operator that PyTorch computes of tensors alone: a number becomes one of the promoted type,
// so that 0.7 beside elements of bf16 is 0.69921875. Sums, products and quotients take numbers as they are.
func numbersOfType(f func(s *Scalars, c *Call, x []Elem) Elem) func(s *Scalars, c *Call, x []Elem) Elem {
	return func(s *Scalars, c *Call, x []Elem) Elem {
		common := c.ResultType(0, 1)
		for i := range 2 {
			if c.Tensor(i) == nil && common.IsFloat() {
				x[i] = s.Cast(s.Cast(x[i], common), x[i].D)
			}
		}
		return f(s, c, x)
	}
}

// lowerFirst is lowerTerms for the first n arguments. An absent one is the zero
// [Elem]. A tensor of another type is rounded to the promoted type, as PyTorch
// converts operands before it computes.
func lowerFirst(n int, typ func(dtype.DType) dtype.DType,
	f func(s *Scalars, c *Call, x []Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		common := c.ResultType(shape.UpTo(n)...)
		if typ != nil {
			common = typ(common)
		}
		var ins []Lowered
		for i := range n {
			if c.Tensor(i) != nil {
				ins = append(ins, l.In(c, i))
			}
		}
		return one(l.Pointwise(c.Out[0], ins, func(s *Scalars, x []Elem) Elem {
			list, next := make([]Elem, n), 0
			for i := range n {
				switch {
				case c.Tensor(i) != nil:
					if ins[next].D != common {
						x[next] = s.Cast(x[next], common)
					}
					list[i] = s.Cast(x[next], widened(common))
					next++
				case c.Has(i):
					list[i] = s.Of(widened(common), c.Scalar(i))
				}
			}
			return f(s, c, list)
		}))
	}
}
