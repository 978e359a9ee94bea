package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// scalars translates operations of arith and math, and those that may stand in
// the body of a linalg operation, to instructions.
type scalars struct {
	g      *converter
	b      *kernel.Builder
	values map[*mlir.Value]int
	// outer gives the value of an operand from outside the body.
	outer func(v *mlir.Value) (int, bool)
	// index gives the value of a loop of the operation.
	index func(loop int) (int, bool)
	// extract reads a tensor at computed indices.
	extract func(v *mlir.Value, index []int) (int, bool)
}

// constant gives the value of an arith.constant of a scalar.
func (s *scalars) constant(a mlir.Attribute, t mlir.Type) (int, bool) {
	bits, ok := bitsOf(a, t)
	if !ok {
		return 0, false
	}
	return s.b.ConstBits(elemType(t), bits), true
}

// bitsOf returns the bits of a number in a scalar type.
func bitsOf(a mlir.Attribute, t mlir.Type) (uint64, bool) {
	number, ok := a.(mlir.FloatAttr)
	if d, is := float8Of(t); ok && is {
		return d.Format().Encode(number.Value), true
	}
	return constantBits(a, elemType(t))
}

// constantBits returns the bits of a number in type d.
func constantBits(a mlir.Attribute, d dtype.DType) (uint64, bool) {
	if !d.Valid() || d.IsComplex() {
		return 0, false
	}
	switch a := a.(type) {
	case mlir.IntegerAttr:
		if d == dtype.Bool {
			return uint64(a.Value & 1), true
		}
		return uint64(a.Value) & sizeMask(d), !d.IsFloat()
	case mlir.FloatAttr:
		return kernel.Bits(d, a.Value), d.IsFloat()
	}
	return 0, false
}

func sizeMask(d dtype.DType) uint64 {
	if d.Size() >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*d.Size()) - 1
}

// block translates the operations of a body up to its terminator and returns
// the values that it yields.
func (s *scalars) block(body *mlir.Block) ([]int, bool) {
	for _, op := range body.Ops {
		if op == body.Terminator() {
			break
		}
		if !s.operation(op) {
			return nil, false
		}
	}
	end := body.Terminator()
	if end == nil {
		s.g.fail("body without a terminator")
		return nil, false
	}
	return s.operands(end)
}

func (s *scalars) operands(op *mlir.Operation) ([]int, bool) {
	x := make([]int, len(op.Operands))
	for i, v := range op.Operands {
		var ok bool
		if x[i], ok = s.value(v); !ok {
			return nil, false
		}
	}
	return x, true
}

func (s *scalars) value(v *mlir.Value) (int, bool) {
	if n, ok := s.values[v]; ok {
		return n, true
	}
	n, ok := s.outer(v)
	if ok {
		s.values[v] = n
	}
	return n, ok
}

// operation translates one operation of a body.
func (s *scalars) operation(op *mlir.Operation) bool {
	for _, r := range op.Results {
		if err := mlir.CheckNumber(r.Type); err != nil {
			s.g.fail("%s: %s: %v", op.Loc.Short(), op.Name, err)
			return false
		}
	}
	var n int
	ok := true
	switch op.Name {
	case "arith.constant":
		n, ok = s.constant(op.Attrs.Get("value"), op.Results[0].Type)
	case "linalg.index":
		d, isInt := op.Attrs.Get("dim").(mlir.IntegerAttr)
		if !isInt || s.index == nil {
			ok = false
			break
		}
		n, ok = s.index(int(d.Value))
	case "tensor.extract":
		var index []int
		for _, v := range op.Operands[1:] {
			i, isKnown := s.value(v)
			if !isKnown {
				return false
			}
			index = append(index, i)
		}
		n, ok = s.extract(op.Operands[0], index)
	case "affine.apply":
		n, ok = s.affine(op)
	case "arith.mului_extended", "arith.mulsi_extended":
		return s.multiplyExtended(op)
	case "arith.addui_extended":
		return s.addExtended(op)
	case "math.sincos":
		return s.sinCos(op)
	default:
		f := translators[op.Name]
		x, known := s.operands(op)
		if f == nil || !known {
			s.g.fail("%s: no scalar form of %s", op.Loc.Short(), op.Name)
			return false
		}
		switch {
		case onFloat8(op):
			n, ok = s.throughFloat32(op, x)
		case s.onBits(op, x):
			n = s.throughBytes(f, op, x)
		default:
			n = f(s, op, x)
		}
	}
	if !ok {
		s.g.fail("%s: %s cannot stand here", op.Loc.Short(), op.Name)
		return false
	}
	if len(op.Results) > 0 {
		s.values[op.Results[0]] = n
	}
	return s.g.err == nil
}

// affine translates affine.apply.
func (s *scalars) affine(op *mlir.Operation) (int, bool) {
	a, ok := op.Attrs.Get("map").(mlir.AffineMapAttr)
	x, known := s.operands(op)
	if !ok || !known || len(a.Map.Results) != 1 || len(x) != a.Map.Dims+a.Map.Symbols {
		return 0, false
	}
	return affineValue(s.b, a.Map.Results[0], func(e *mlir.AffineExpr) int {
		if e.Kind == mlir.AffineSymbol {
			return x[a.Map.Dims+e.Value]
		}
		return x[e.Value]
	}), true
}

// affineValue computes an affine expression; leaf gives its dims and symbols.
func affineValue(b *kernel.Builder, e *mlir.AffineExpr, leaf func(*mlir.AffineExpr) int) int {
	switch e.Kind {
	case mlir.AffineDim, mlir.AffineSymbol:
		return leaf(e)
	case mlir.AffineConstant:
		return b.ConstBits(dtype.I64, uint64(e.Value))
	}
	x, y := affineValue(b, e.LHS, leaf), affineValue(b, e.RHS, leaf)
	switch e.Kind {
	case mlir.AffineAdd:
		return b.Binary(kernel.Add, x, y)
	case mlir.AffineMul:
		return b.Binary(kernel.Mul, x, y)
	case mlir.AffineFloorDiv:
		return b.Binary(kernel.FloorDiv, x, y)
	case mlir.AffineMod:
		return b.Binary(kernel.Mod, x, y)
	}
	zero := b.Const(dtype.I64, 0) // ⌈x/y⌉ = -⌊-x/y⌋
	return b.Binary(kernel.Sub, zero, b.Binary(kernel.FloorDiv, b.Binary(kernel.Sub, zero, x), y))
}

// sinCos gives the sine and the cosine of a number.
func (s *scalars) sinCos(op *mlir.Operation) bool {
	if len(op.Results) != 2 {
		return false
	}
	for i, name := range []string{"math.sin", "math.cos"} {
		one := mlir.NewOp(name, op.Operands, []mlir.Type{op.Results[i].Type}, nil)
		if !s.operation(one) {
			return false
		}
		s.values[op.Results[i]] = s.values[one.Result()]
	}
	return true
}
