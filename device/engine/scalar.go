package engine

import (
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/dtype"
)

// scalars translates operations of arith and math, and those that may stand in
// the body of a linalg operation, to instructions.
type scalars struct {
	g      *graph
	b      *kernel.Builder
	values map[*mlir.Value]int
	// outer gives the value of an operand from outside the body.
	outer func(v *mlir.Value) (int, bool)
	// index gives the value of a loop of the operation.
	index func(loop int) (int, bool)
	// extract reads a tensor at computed indices.
	extract func(v *mlir.Value, index []int) (int, bool)
}

// translators has, by operation name, how to compute it; x are the operands.
var translators = map[string]func(s *scalars, op *mlir.Operation, x []int) int{}

func init() {
	for name, o := range map[string]kernel.Op{
		"arith.addf": kernel.Add, "arith.subf": kernel.Sub, "arith.mulf": kernel.Mul,
		"arith.divf": kernel.Div, "arith.remf": kernel.Rem,
		"arith.maximumf": kernel.Max, "arith.minimumf": kernel.Min,
		"arith.maxnumf": kernel.MaxNum, "arith.minnumf": kernel.MinNum,
		"arith.divsi": kernel.Div, "arith.remsi": kernel.Rem, "arith.floordivsi": kernel.FloorDiv,
		"arith.maxsi": kernel.Max, "arith.minsi": kernel.Min,
		"arith.andi": kernel.And, "arith.ori": kernel.Or, "arith.xori": kernel.Xor,
		"arith.shli": kernel.Shl, "arith.shrsi": kernel.Shr,
		"math.powf": kernel.Pow, "math.atan2": kernel.Atan2, "math.copysign": kernel.CopySign,
		"math.ipowi": kernel.Pow,
	} {
		translators[name] = func(s *scalars, _ *mlir.Operation, x []int) int {
			return s.b.Binary(o, x[0], x[1])
		}
	}
	// On i1, addition and subtraction are exclusive or, and multiplication is and.
	for name, o := range map[string][2]kernel.Op{
		"arith.addi": {kernel.Add, kernel.Xor}, "arith.subi": {kernel.Sub, kernel.Xor},
		"arith.muli": {kernel.Mul, kernel.And},
	} {
		translators[name] = func(s *scalars, _ *mlir.Operation, x []int) int {
			if s.b.Type(x[0]) == dtype.Bool {
				return s.b.Binary(o[1], x[0], x[1])
			}
			return s.b.Binary(o[0], x[0], x[1])
		}
	}
	for name, o := range map[string]kernel.Op{
		"arith.negf": kernel.Neg, "math.absf": kernel.Abs, "math.absi": kernel.Abs,
		"math.sqrt": kernel.Sqrt, "math.rsqrt": kernel.RSqrt, "math.cbrt": kernel.Cbrt,
		"math.exp": kernel.Exp, "math.exp2": kernel.Exp2, "math.expm1": kernel.Expm1,
		"math.log": kernel.Log, "math.log2": kernel.Log2, "math.log10": kernel.Log10,
		"math.log1p": kernel.Log1p, "math.sin": kernel.Sin, "math.cos": kernel.Cos,
		"math.tan": kernel.Tan, "math.asin": kernel.Asin, "math.acos": kernel.Acos,
		"math.atan": kernel.Atan, "math.sinh": kernel.Sinh, "math.cosh": kernel.Cosh,
		"math.tanh": kernel.Tanh, "math.asinh": kernel.Asinh, "math.acosh": kernel.Acosh,
		"math.atanh": kernel.Atanh, "math.erf": kernel.Erf, "math.erfc": kernel.Erfc,
		"math.floor": kernel.Floor, "math.ceil": kernel.Ceil, "math.trunc": kernel.Trunc,
		"math.roundeven": kernel.RoundEven, "math.round": kernel.Round,
		"math.isnan": kernel.IsNaN, "math.isinf": kernel.IsInf, "math.ctpop": kernel.CountOnes,
	} {
		translators[name] = func(s *scalars, _ *mlir.Operation, x []int) int {
			return s.b.Unary(o, x[0])
		}
	}
	for name, f := range unsignedTranslators {
		translators[name] = f
	}
	for name, f := range otherTranslators {
		translators[name] = f
	}
}

var otherTranslators = map[string]func(s *scalars, op *mlir.Operation, x []int) int{
	"math.fma": func(s *scalars, _ *mlir.Operation, x []int) int { return s.b.FMA(x[0], x[1], x[2]) },
	"math.fpowi": func(s *scalars, _ *mlir.Operation, x []int) int {
		return s.b.Binary(kernel.Pow, x[0], s.b.Cast(s.b.Type(x[0]), x[1]))
	},
	"arith.select": func(s *scalars, _ *mlir.Operation, x []int) int {
		return s.b.Select(x[0], x[1], x[2])
	},
	"arith.ceildivsi": func(s *scalars, _ *mlir.Operation, x []int) int {
		// ⌈x/y⌉ = -⌊-x/y⌋
		zero := s.b.Const(s.b.Type(x[0]), 0)
		down := s.b.Binary(kernel.FloorDiv, s.b.Binary(kernel.Sub, zero, x[0]), x[1])
		return s.b.Binary(kernel.Sub, zero, down)
	},
	"arith.cmpf":  compareFloats,
	"arith.cmpi":  compareInts,
	"arith.extf":  castTo,
	"arith.extsi": signExtend,
	"arith.sitofp": func(s *scalars, op *mlir.Operation, x []int) int {
		return castTo(s, op, []int{signed(s.b, x[0])})
	},
	"arith.truncf": castTo,
	"arith.trunci": truncate,
	"arith.fptosi": castTo, "arith.index_cast": signExtend,
	"arith.fptoui": func(s *scalars, op *mlir.Operation, x []int) int {
		return s.b.Cast(s.result(op), s.b.Cast(dtype.I64, x[0]))
	},
	"arith.bitcast": func(s *scalars, op *mlir.Operation, x []int) int {
		return relabel(s.b, x[0], s.result(op))
	},
	"math.ctlz": func(s *scalars, op *mlir.Operation, x []int) int {
		return countLeadingZeros(s.b, x[0])
	},
	"math.cttz": func(s *scalars, op *mlir.Operation, x []int) int {
		// The zeros below the lowest one are the ones of ^x & (x-1).
		t := s.b.Type(x[0])
		below := s.b.Binary(kernel.Sub, x[0], s.b.Const(t, 1))
		return s.b.Unary(kernel.CountOnes, s.b.Binary(kernel.And, s.b.Unary(kernel.Not, x[0]), below))
	},
	"math.isfinite": func(s *scalars, _ *mlir.Operation, x []int) int {
		b := s.b
		return b.Unary(kernel.Not, b.Binary(kernel.Or, b.Unary(kernel.IsNaN, x[0]),
			b.Unary(kernel.IsInf, x[0])))
	},
}

// countLeadingZeros spreads the highest one to all lower bits and counts.
func countLeadingZeros(b *kernel.Builder, x int) int {
	t := b.Type(x)
	for shift := 1; shift < t.Bits(); shift *= 2 {
		x = b.Binary(kernel.Or, x, shiftRightLogical(b, x, b.Const(t, float64(shift))))
	}
	return b.Unary(kernel.CountOnes, b.Unary(kernel.Not, x))
}

func castTo(s *scalars, op *mlir.Operation, x []int) int { return s.b.Cast(s.result(op), x[0]) }

// signed makes an i1 of all ones the number -1.
func signed(b *kernel.Builder, x int) int {
	if b.Type(x) != dtype.Bool {
		return x
	}
	return b.Unary(kernel.Neg, b.Cast(dtype.I8, x))
}

func signExtend(s *scalars, op *mlir.Operation, x []int) int {
	if s.result(op) == dtype.Bool {
		return truncate(s, op, x)
	}
	return s.b.Cast(s.result(op), signed(s.b, x[0]))
}

func truncate(s *scalars, op *mlir.Operation, x []int) int {
	to := s.result(op)
	if to == dtype.Bool && s.b.Type(x[0]) != dtype.Bool {
		one := s.b.Const(s.b.Type(x[0]), 1)
		return s.b.Cast(to, s.b.Binary(kernel.And, x[0], one))
	}
	return s.b.Cast(to, x[0])
}

// result is the element type of an operation's first result.
func (s *scalars) result(op *mlir.Operation) dtype.DType { return elemType(op.Results[0].Type) }

// elemType is the dtype of the elements of a tensor type, or of a scalar type.
func elemType(t mlir.Type) dtype.DType {
	if tt, ok := t.(mlir.TensorType); ok {
		t = tt.Elem
	}
	return mlir.DTypeOf(t)
}

// predicate reads the predicate of a comparison.
func predicate(op *mlir.Operation) int64 {
	p, ok := op.Attrs.Get("predicate").(mlir.IntegerAttr)
	if !ok {
		return -1
	}
	return p.Value
}

// compareFloats follows the numbers of arith's CmpFPredicate: ordered ones are
// false if an operand is NaN, unordered ones true.
func compareFloats(s *scalars, op *mlir.Operation, x []int) int {
	b := s.b
	not := func(v int) int { return b.Unary(kernel.Not, v) }
	cmp := func(o kernel.Op) int { return b.Binary(o, x[0], x[1]) }
	unordered := func() int {
		if x[0] == x[1] {
			return b.Unary(kernel.IsNaN, x[0])
		}
		return b.Binary(kernel.Or, b.Unary(kernel.IsNaN, x[0]), b.Unary(kernel.IsNaN, x[1]))
	}
	unequal := func() int { return b.Binary(kernel.Or, cmp(kernel.Lt), cmp(kernel.Gt)) }
	switch predicate(op) {
	case 0, 15:
		return b.Const(dtype.Bool, float64(predicate(op)))
	case 1, 2, 3, 4, 5:
		ordered := [...]kernel.Op{0, kernel.Eq, kernel.Gt, kernel.Ge, kernel.Lt, kernel.Le}
		return cmp(ordered[predicate(op)])
	case 6:
		return unequal()
	case 7:
		return not(unordered())
	case 8:
		return not(unequal())
	case 9, 10, 11, 12:
		opposite := [...]kernel.Op{kernel.Le, kernel.Lt, kernel.Ge, kernel.Gt}
		return not(cmp(opposite[predicate(op)-9]))
	case 13:
		return cmp(kernel.Ne)
	case 14:
		return unordered()
	}
	s.g.fail("arith.cmpf without a predicate that is known")
	return x[0]
}

func compareInts(s *scalars, op *mlir.Operation, x []int) int {
	relation := [...]kernel.Op{kernel.Eq, kernel.Ne, kernel.Lt, kernel.Le, kernel.Gt, kernel.Ge}
	p := predicate(op)
	isBool := s.b.Type(x[0]) == dtype.Bool
	switch {
	case p < 0 || p > 9:
		s.g.fail("arith.cmpi without a predicate that is known")
		return x[0]
	case p < 2:
		return s.b.Binary(relation[p], x[0], x[1])
	case p < 6:
		return s.b.Binary(relation[p], signed(s.b, x[0]), signed(s.b, x[1]))
	case isBool: // 0 and 1 compare as they are
		return s.b.Binary(relation[p-4], s.b.Cast(dtype.I8, x[0]), s.b.Cast(dtype.I8, x[1]))
	}
	return s.b.Binary(relation[p-4], ordered(s.b, x[0]), ordered(s.b, x[1]))
}

// constant gives the value of an arith.constant of a scalar.
func (s *scalars) constant(a mlir.Attribute, t mlir.Type) (int, bool) {
	bits, ok := constantBits(a, elemType(t))
	if !ok {
		return 0, false
	}
	return s.b.ConstBits(elemType(t), bits), true
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
	default:
		f := translators[op.Name]
		x, known := s.operands(op)
		if f == nil || !known {
			s.g.fail("%s: no scalar form of %s", op.Loc.Short(), op.Name)
			return false
		}
		n = f(s, op, x)
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
