package kernel

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

// Op is the operation of one instruction of a body.
type Op uint8

// The operations. Integer arithmetic wraps; comparisons give bool; a bool is 0 or 1 in memory. Floating min and max
// propagate NaN ([MinNum], [MaxNum] do not). Div and Rem of integers truncate; FloorDiv and Mod round down; a zero
// divisor gives 0 for integers.
const (
	Invalid Op = iota

	// Leaves.
	Const  // Imm holds the bits of the value in Type
	Load   // port Port at the current point
	LoadAt // port Port at the current point plus element offset A (i64); faults outside
	Index  // the value of loop Port (outer loops first, then inner) as i64
	Acc    // reduction Imm of stage Port, after that stage
	Kept   // kept value Imm of stage Port at the current inner point
	Input  // the accumulator that a contraction hands to its epilogue

	// Arithmetic on two operands.
	Add
	Sub
	Mul
	Div
	Rem
	FloorDiv
	Mod
	Pow
	Atan2
	Min
	Max
	MinNum
	MaxNum
	CopySign
	NextAfter
	Hypot
	And // bitwise; logical on bool
	Or
	Xor
	Shl
	Shr // arithmetic for signed, logical for unsigned

	// Arithmetic on three operands.
	FMA    // A*B + C, rounded once
	Select // A (bool) ? B : C

	// Comparisons.
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	// One operand.
	Neg
	Abs
	Not // bitwise; logical on bool
	Sqrt
	RSqrt
	Cbrt
	Exp
	Exp2
	Expm1
	Log
	Log2
	Log10
	Log1p
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	Asinh
	Acosh
	Atanh
	Erf
	Erfc
	Sigmoid
	Floor
	Ceil
	Trunc
	RoundEven // to nearest, ties to even
	Round     // to nearest, ties away from zero
	IsNaN
	IsInf
	CountOnes // of integers
	Cast      // to Type: floats to integers truncate; to bool is v != 0
	Bitcast   // same width

	// Effects.
	Store // A to port Port at the current point
	numOps
)

// Values of type f16 and bf16 are computed in f32 and rounded to their type after every instruction, as PyTorch rounds
// what it stores. A float that a Cast cannot represent in an integer type gives an unspecified value.

// Instr is one instruction. A, B and C are numbers of earlier instructions of the same body.
type Instr struct {
	Op      Op
	Type    dtype.DType // of the result; of the stored value for Store
	A, B, C int
	Port    int    // see the operations
	Imm     uint64 // see the operations
}

// Body is straight-line code that runs at every point of a loop nest.
type Body []Instr

// Has reports whether a body has one of some operations.
func (b Body) Has(ops ...Op) bool {
	return slices.ContainsFunc(b, func(i Instr) bool { return slices.Contains(ops, i.Op) })
}

// ReduceKind says how the values of a reduction combine.
type ReduceKind uint8

// The kinds. Sums of floats may be reassociated (pairwise or in lanes); the
// order is fixed for a given kernel and does not depend on the threads.
const (
	ReduceSum ReduceKind = iota
	ReduceProd
	ReduceMin // propagates NaN
	ReduceMax // propagates NaN
	ReduceMinNum
	ReduceMaxNum
	ReduceAnd
	ReduceOr
	ReduceXor
	// ReduceArgMax and ReduceArgMin deliver the i64 Arg of the extreme Value. A NaN
	// beats every number; the smallest Arg wins among equals.
	ReduceArgMax
	ReduceArgMin
)

// Reduction folds one value of a stage over the inner loops.
type Reduction struct {
	Kind  ReduceKind
	Value int         // the instruction that is folded
	Arg   int         // for the arg kinds: the instruction that gives the position
	Type  dtype.DType // of the result; Value is converted to it; f16 and bf16 sum in f32
	Init  uint64      // bits of the start value in Type (ignored by the arg kinds)
}
