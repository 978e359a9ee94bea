package ops

import "github.com/go-acap/acap/base/dtype"

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
				Lower:   lowerFirst(2, nil, divMode),
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
			Infer:   notBool(inferBinary),
			Lower:   lower2(floorDiv),
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
	return notBool(inferBinary)(c)
}

func divMode(s *Scalars, c *Call, x []Elem) Elem {
	switch c.Args[2].Text() {
	case "floor":
		return floorDiv(s, x[0], x[1])
	case "trunc":
		q := s.Div(x[0], x[1])
		return rounded("trunc")(s, q)
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
func floorDiv(s *Scalars, x, y Elem) Elem {
	if !x.D.IsFloat() {
		return s.FloorDiv(x, y)
	}
	zero, one := s.Const(x.D, 0), s.Const(x.D, 1)
	mod := s.Rem(x, y)
	quotient := s.Div(s.Sub(x, mod), y)
	quotient = s.Select(wrongSign(s, mod, y), s.Sub(quotient, one), quotient)
	down := s.Floor(quotient)
	half := s.Cmp("gt", s.Sub(quotient, down), s.Const(x.D, 0.5))
	down = s.Select(half, s.Add(down, one), down)
	down = s.Select(s.Cmp("eq", quotient, zero), s.Math("copysign", zero, s.Div(x, y)), down)
	return s.Select(s.Cmp("eq", y, zero), s.Div(x, y), down)
}

// wrongSign reports whether a remainder is not 0 and its sign is not y's.
func wrongSign(s *Scalars, mod, y Elem) Elem {
	zero := s.Const(mod.D, 0)
	differ := s.Xor(s.Cmp("lt", mod, zero), s.Cmp("lt", y, zero))
	return s.And(s.Cmp("ne", mod, zero), differ)
}
