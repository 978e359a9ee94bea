package stablehlo

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// special are the functions that ATen has and math has not.
var special = map[string]string{
	"chlo.lgamma": "lgamma", "chlo.digamma": "digamma", "chlo.erf_inv": "erfinv",
	"chlo.bessel_i1e": "special_i1e", "chlo.next_after": "nextafter", "chlo.zeta": "special_zeta",
	"chlo.polygamma": "polygamma",
}

func (c *block) special(op *mlir.Operation) {
	in := c.in(op)
	elem := signlessElem(resultElem(op))
	for _, x := range in {
		if !isFloat(elemOf(x)) || !shape.Equal(shapeOf(x), resultShape(op)) {
			c.fail("takes floats of one shape, not %s", x.Type)
		}
	}
	switch op.Name {
	case "chlo.next_after":
		if isTiny(resultElem(op)) {
			c.fail("is not supported for elements of type %s", resultElem(op))
		}
		if isHalf(elem) {
			c.set(op, c.nextHalf(in[0], in[1]))
			return
		}
		c.set(op, c.aten("nextafter", in[0], in[1]))
		return
	case "chlo.polygamma": // (-1)^(n+1)·n!·ζ(n+1, x), and digamma for n = 0
		c.set(op, c.polygamma(in[0], in[1]))
		return
	}
	wide := make([]any, len(in))
	for i, x := range in {
		wide[i] = c.converted(x, elem, c.accumulator(elem))
	}
	c.set(op, c.converted(c.aten(special[op.Name], wide...), c.accumulator(elem), resultElem(op)))
}

func (c *block) polygamma(n, x *mlir.Value) *mlir.Value {
	elem := elemOf(x)
	wide := c.accumulator(elem)
	n, x = c.converted(n, elem, wide), c.converted(x, elem, wide)
	next := c.aten("add.Scalar", n, 1.0, 1)
	factorial := c.aten("exp", c.aten("lgamma", next))
	even := c.aten("eq.Scalar", c.aten("remainder.Scalar", n, 2.0), 0.0)
	size := c.aten("mul.Tensor", factorial, c.aten("special_zeta", next, x))
	signed := c.aten("where.self", even, c.aten("neg", size), size)
	zero := c.aten("eq.Scalar", n, 0.0)
	r := c.aten("where.self", zero, c.aten("digamma", x), signed)
	return c.converted(r, wide, elem)
}

func (c *block) triangularSolve(op *mlir.Operation) {
	in := c.in(op)
	flag := func(name string) bool { return c.integer(op, name, 0) != 0 }
	a, lower := in[0], flag("lower")
	rank := len(shapeOf(a))
	if rank < 2 || !isFloat(elemOf(a)) {
		c.fail("takes matrices of floats")
	}
	switch t := enum(op, "transpose_a"); t {
	case "", "NO_TRANSPOSE":
	case "TRANSPOSE", "ADJOINT":
		perm := shape.UpTo(rank)
		perm[rank-1], perm[rank-2] = perm[rank-2], perm[rank-1]
		a, lower = c.permuted(a, perm), !lower
	default:
		c.fail("transpose_a is %s", t)
	}
	elem := elemOf(a)
	wide := c.accumulator(elem)
	a, b := c.converted(a, elem, wide), c.converted(in[1], elem, wide)
	x := c.aten("linalg_solve_triangular", a, b, !lower, flag("left_side"), flag("unit_diagonal"))
	c.set(op, c.converted(x, wide, resultElem(op)))
}

func (c *block) cholesky(op *mlir.Operation) {
	x := c.in(op)[0]
	rank := len(shapeOf(x))
	if rank < 2 || !isFloat(elemOf(x)) {
		c.fail("takes matrices of floats")
	}
	if c.integer(op, "lower", 0) != 0 {
		c.set(op, c.aten("linalg_cholesky", x, false))
		return
	}
	perm := shape.UpTo(rank)
	perm[rank-1], perm[rank-2] = perm[rank-2], perm[rank-1]
	c.set(op, c.permuted(c.aten("linalg_cholesky", c.permuted(x, perm), false), perm))
}

// nextHalf steps the bits of a half type: up for a number that grows in size, down for one that shrinks.
func (c *block) nextHalf(x, y *mlir.Value) *mlir.Value {
	all := mlir.Identity(len(shapeOf(x)))
	return c.generic(elemOf(x), shapeOf(x), []operand{{x, all}, {y, all}}, func(s scalars, e []*mlir.Value) *mlir.Value {
		a, b := s.widen(e[0]), s.widen(e[1])
		bits := s.bitcast(e[0], mlir.I16)
		zero, one := s.float(0, mlir.F32), s.int(1, mlir.I16)
		grows := arith.CmpI(s.Builder, arith.EQ, arith.CmpF(s.Builder, arith.OLT, a, b), arith.CmpF(s.Builder, arith.OGT, a, zero))
		next := s.bitcast(s.sel(grows, s.binary("addi", bits, one), s.binary("subi", bits, one)), elemOf(x))
		sign := s.binary("andi", s.bitcast(e[1], mlir.I16), s.int(-1<<15, mlir.I16))
		least := s.bitcast(s.binary("ori", sign, one), elemOf(x))
		next = s.sel(arith.CmpF(s.Builder, arith.OEQ, a, zero), least, next)
		next = s.sel(arith.CmpF(s.Builder, arith.OEQ, a, b), e[1], next)
		nan := s.narrow(s.binary("addf", a, b), elemOf(x))
		return s.sel(arith.CmpF(s.Builder, arith.UNO, a, b), nan, next)
	})
}
