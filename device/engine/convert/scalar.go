package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// translators has, by operation name, how to compute it; x are the operands.
var translators = map[string]func(s *scalars, op *mlir.Operation, x []int) int{}

var binaryOps = withFunctions(2, map[string]kernel.Op{
	"arith.addf": kernel.Add, "arith.subf": kernel.Sub, "arith.mulf": kernel.Mul,
	"arith.divf": kernel.Div, "arith.remf": kernel.Rem,
	"arith.maximumf": kernel.Max, "arith.minimumf": kernel.Min,
	"arith.maxnumf": kernel.MaxNum, "arith.minnumf": kernel.MinNum,
	"arith.divsi": kernel.Div, "arith.remsi": kernel.Rem, "arith.floordivsi": kernel.FloorDiv,
	"arith.andi": kernel.And, "arith.ori": kernel.Or, "arith.xori": kernel.Xor,
	"arith.shli": kernel.Shl, "arith.shrsi": kernel.Shr,
	"math.ipowi": kernel.Pow,
})

// boolOps are binary operations that differ on i1: addition and subtraction are
// exclusive or, multiplication is and, and one is less than zero.
var boolOps = map[string][2]kernel.Op{
	"arith.addi": {kernel.Add, kernel.Xor}, "arith.subi": {kernel.Sub, kernel.Xor},
	"arith.muli": {kernel.Mul, kernel.And}, "arith.maxsi": {kernel.Max, kernel.And},
	"arith.minsi": {kernel.Min, kernel.Or},
}

var unaryOps = withFunctions(1, map[string]kernel.Op{
	"arith.negf": kernel.Neg, "math.absi": kernel.Abs,
	"math.isnan": kernel.IsNaN, "math.isinf": kernel.IsInf, "math.ctpop": kernel.CountOnes,
})

// withFunctions adds to operations the functions of the table that have the given number of operands.
func withFunctions(operands int, all map[string]kernel.Op) map[string]kernel.Op {
	for i := range scalar.Functions {
		if f := &scalar.Functions[i]; f.Operands == operands && f.MLIR != "" {
			all[f.MLIR] = kernel.OpOf(f)
		}
	}
	return all
}

func init() {
	for name, o := range binaryOps {
		translators[name] = func(s *scalars, _ *mlir.Operation, x []int) int {
			return s.b.Binary(o, x[0], x[1])
		}
	}
	for name, o := range boolOps {
		translators[name] = func(s *scalars, _ *mlir.Operation, x []int) int {
			if s.b.Type(x[0]) == dtype.Bool {
				return s.b.Binary(o[1], x[0], x[1])
			}
			return s.b.Binary(o[0], x[0], x[1])
		}
	}
	for name, o := range unaryOps {
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
	"math.clampf": func(s *scalars, _ *mlir.Operation, x []int) int {
		return s.b.Binary(kernel.Min, s.b.Binary(kernel.Max, x[0], x[1]), x[2])
	},
	"math.fpowi": func(s *scalars, _ *mlir.Operation, x []int) int {
		return s.b.Binary(kernel.Pow, x[0], s.b.Cast(s.b.Type(x[0]), x[1]))
	},
	"arith.select": func(s *scalars, _ *mlir.Operation, x []int) int {
		return s.b.Select(x[0], x[1], x[2])
	},
	"arith.ceildivsi": func(s *scalars, _ *mlir.Operation, x []int) int {
		down, rest := s.b.Binary(kernel.FloorDiv, x[0], x[1]), s.b.Binary(kernel.Mod, x[0], x[1])
		t := s.b.Type(x[0])
		return s.b.Binary(kernel.Add, down, s.b.Cast(t, s.b.Binary(kernel.Ne, rest, s.b.Const(t, 0))))
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
	"math.isnormal": func(s *scalars, op *mlir.Operation, x []int) int {
		b := s.b
		least := mlir.DTypeOf(mlir.ElementOf(op.Operands[0].Type)).Format().LeastNormal()
		large := b.Binary(kernel.Ge, b.Unary(kernel.Abs, x[0]), b.Const(b.Type(x[0]), least))
		return b.Binary(kernel.And, large, b.Unary(kernel.Not, b.Unary(kernel.IsInf, x[0])))
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

// elemType is the type in which kernels hold elements of a tensor type, or of a scalar type: u8 is
// their only unsigned one, and others are the bits.
func elemType(t mlir.Type) dtype.DType {
	if tt, ok := t.(mlir.TensorType); ok {
		t = tt.Elem
	}
	if d := mlir.DTypeOf(t); d == dtype.U8 {
		return d
	}
	return mlir.DTypeOf(t).Signless()
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
