package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// div: the quotient, true (in floating point), truncated or floored.
func init() {
	for _, overload := range []string{"Tensor", "Scalar"} {
		other := any(3)
		if overload == "Tensor" {
			other = SIn(1, 2, 3)
		}
		for _, name := range []string{"div", "divide", "true_divide"} {
			register(&Op{
				Schema:  name + "." + overload + "(Tensor self, " + overload + " other) -> Tensor",
				Inplace: true,
				Infer:   inferBinaryFloat,
				Lower:   lower2Float((*Scalars).Div),
				Grad:    gradient2(quotientBySelf, quotientByOther),
				Samples: samplesOf(Sample{S(2, 3), other}),
			})
		}
		for _, name := range []string{"div", "divide"} {
			register(&Op{
				Schema: name + "." + overload + "_mode(Tensor self, " + overload +
					" other, *, str? rounding_mode) -> Tensor",
				Inplace: true,
				Infer:   inferDivMode,
				Lower:   lowerQuotient(divMode),
				Grad:    divModeGradient,
				Samples: samplesOf(Sample{S(2, 3), other, "floor"}, Sample{S(2, 3), other, "trunc"},
					Sample{S(2, 3), other, nil}),
			})
		}
	}
	for schema, overload := range map[string]string{
		"floor_divide(Tensor self, Tensor other) -> Tensor":        "Tensor",
		"floor_divide.Scalar(Tensor self, Scalar other) -> Tensor": "Scalar",
	} {
		register(&Op{
			Schema:  schema,
			Inplace: true,
			Infer:   inferRoundedQuotient,
			Lower:   lowerQuotient(floorDiv),
			Samples: binarySamples(overload),
		})
	}
}

func quotientBySelf(g *Gradient, dy, x, y Value) Value { return g.Div(dy, y) }

func quotientByOther(g *Gradient, dy, x, y Value) Value {
	return g.Neg(g.Mul(dy, g.Div(g.Div(x, y), y)))
}

// divisionMode returns the rounding mode, "" for true division.
func divisionMode(c *Call) (string, error) {
	switch mode := c.Args[2].Text(); mode {
	case "", "trunc", "floor":
		return mode, nil
	default:
		return "", c.ArgErrorf("rounding_mode is %q; expected floor, trunc or none", mode)
	}
}

func inferDivMode(c *Call) error {
	mode, err := divisionMode(c)
	switch {
	case err != nil:
		return err
	case mode == "":
		return inferBinaryFloat(c)
	}
	return inferRoundedQuotient(c)
}

// inferRoundedQuotient refuses to divide integers by the number 0, which PyTorch calls a ZeroDivisionError.
// [lowerQuotient] does so for the elements of a tensor.
func inferRoundedQuotient(c *Call) error {
	if err := notBool(inferBinary)(c); err != nil {
		return err
	}
	known := c.Tensor(1) == nil && c.Args[1].Open() == nil
	if known && c.Out[0].DType.IsInt() && c.Scalar(1).Int() == 0 {
		return c.ArgErrorf("integers cannot be divided by 0")
	}
	return nil
}

// dividesIntegers reports whether the call rounds quotients of integers, or gives their remainders, by divisors that
// are known when it runs.
func (c *Call) dividesIntegers() bool {
	return (c.Tensor(1) != nil || c.Args[1].Open() != nil) && c.Out[0].DType.IsInt()
}

// lowerQuotient is lowerTerms of a rounded quotient or a remainder. For a divisor 0 of integers it reads a place out of
// range, which is an error when the call runs.
func lowerQuotient(f func(s *Scalars, c *Call, x []Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		if !c.dividesIntegers() {
			return lowerTerms(nil, f)(l, c)
		}
		nothing := l.Fill(c.Out[0].DType, []int{1}, 0)
		return lowerTerms(nil, func(s *Scalars, c *Call, x []Elem) Elem {
			place := s.Cast(s.Cmp("eq", x[1], s.Const(x[1].D, 0)), dtype.I64)
			return f(s, c, []Elem{x[0], s.Add(x[1], s.At(nothing, place))})
		})(l, c)
	}
}

func divMode(s *Scalars, c *Call, x []Elem) Elem {
	switch c.Args[2].Text() {
	case "floor":
		return floorDiv(s, c, x)
	case "trunc":
		return rounded("trunc")(s, stored(s, c, s.Div(x[0], x[1])))
	}
	d := widened(dtype.Floating(x[0].D))
	return s.Div(s.Cast(x[0], d), s.Cast(x[1], d))
}

// The gradient of a rounded quotient is 0.
func divModeGradient(g *Gradient) {
	if g.Args[2].Text() == "" {
		gradient2(quotientBySelf, quotientByOther)(g)
		return
	}
	gradient2(nil, nil)(g)
}

// floorDiv is ⌊x/y⌋, for floats as Python's // computes it: from the exact
// remainder, so that the result does not depend on the rounding of the quotient.
func floorDiv(s *Scalars, c *Call, terms []Elem) Elem {
	x, y := terms[0], terms[1]
	if !x.D.IsFloat() {
		return s.FloorDiv(x, y)
	}
	zero, one := s.Const(x.D, 0), s.Const(x.D, 1)
	mod := s.Rem(x, y)
	quotient := stored(s, c, s.Div(stored(s, c, s.Sub(x, mod)), y))
	quotient = s.Select(wrongSign(s, mod, y), stored(s, c, s.Sub(quotient, one)), quotient)
	down := s.Floor(quotient)
	half := s.Cmp("gt", s.Sub(quotient, down), s.Const(x.D, 0.5))
	down = s.Select(half, s.Add(down, one), down)
	down = s.Select(s.Cmp("eq", quotient, zero), s.Math("copysign", zero, s.Div(x, y)), down)
	return s.Select(s.Cmp("eq", y, zero), s.Div(x, y), down)
}

// stored rounds a step of a division of 16-bit numbers to the type of the result, as PyTorch does unless the divisor is
// one number.
func stored(s *Scalars, c *Call, v Elem) Elem {
	if c.Tensor(1) == nil || shape.Size(c.Shape(1)) == 1 {
		return v
	}
	return s.Cast(s.Cast(v, c.Out[0].DType), v.D)
}

// wrongSign reports whether a remainder is not 0 and its sign is not y's.
func wrongSign(s *Scalars, mod, y Elem) Elem {
	zero := s.Const(mod.D, 0)
	differ := s.Xor(s.Cmp("lt", mod, zero), s.Cmp("lt", y, zero))
	return s.And(s.Cmp("ne", mod, zero), differ)
}
