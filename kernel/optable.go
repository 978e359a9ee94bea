package kernel

import "github.com/go-acap/acap/base/dtype"

// domain says which operand types an operation takes.
type domain uint8

const (
	anyType domain = iota
	number         // integers and floats
	floats
	bitwise // integers and bool
	integer // integers
)

type opInfo struct {
	name    string
	arity   int
	domain  domain
	compare bool // the result is bool
}

var ops = [numOps]opInfo{
	Invalid: {name: "invalid"},
	Const:   {name: "const"}, Load: {name: "load"}, LoadAt: {name: "load_at", arity: 1},
	Index: {name: "index"}, Acc: {name: "acc"}, Kept: {name: "kept"}, Input: {name: "input"},

	Add: {"add", 2, anyType, false}, Sub: {"sub", 2, number, false},
	Mul: {"mul", 2, anyType, false}, Div: {"div", 2, number, false},
	Rem: {"rem", 2, number, false}, FloorDiv: {"floordiv", 2, number, false},
	Mod: {"mod", 2, number, false}, Pow: {"pow", 2, number, false},
	Atan2: {"atan2", 2, floats, false},
	Min:   {"min", 2, anyType, false}, Max: {"max", 2, anyType, false},
	MinNum: {"minnum", 2, anyType, false}, MaxNum: {"maxnum", 2, anyType, false},
	CopySign: {"copysign", 2, floats, false}, NextAfter: {"nextafter", 2, floats, false},
	Hypot: {"hypot", 2, floats, false},
	And:   {"and", 2, bitwise, false}, Or: {"or", 2, bitwise, false}, Xor: {"xor", 2, bitwise, false},
	Shl: {"shl", 2, integer, false}, Shr: {"shr", 2, integer, false},

	FMA: {"fma", 3, floats, false}, Select: {"select", 3, anyType, false},

	Eq: {"eq", 2, anyType, true}, Ne: {"ne", 2, anyType, true}, Lt: {"lt", 2, anyType, true},
	Le: {"le", 2, anyType, true}, Gt: {"gt", 2, anyType, true}, Ge: {"ge", 2, anyType, true},

	Neg: {"neg", 1, number, false}, Abs: {"abs", 1, number, false}, Not: {"not", 1, bitwise, false},
	Sqrt: {"sqrt", 1, floats, false}, RSqrt: {"rsqrt", 1, floats, false},
	Cbrt: {"cbrt", 1, floats, false},
	Exp:  {"exp", 1, floats, false}, Exp2: {"exp2", 1, floats, false},
	Expm1: {"expm1", 1, floats, false},
	Log:   {"log", 1, floats, false}, Log2: {"log2", 1, floats, false},
	Log10: {"log10", 1, floats, false}, Log1p: {"log1p", 1, floats, false},
	Sin: {"sin", 1, floats, false}, Cos: {"cos", 1, floats, false},
	Tan:  {"tan", 1, floats, false},
	Asin: {"asin", 1, floats, false}, Acos: {"acos", 1, floats, false},
	Atan: {"atan", 1, floats, false},
	Sinh: {"sinh", 1, floats, false}, Cosh: {"cosh", 1, floats, false},
	Tanh:  {"tanh", 1, floats, false},
	Asinh: {"asinh", 1, floats, false}, Acosh: {"acosh", 1, floats, false},
	Atanh: {"atanh", 1, floats, false},
	Erf:   {"erf", 1, floats, false}, Erfc: {"erfc", 1, floats, false},
	Sigmoid: {"sigmoid", 1, floats, false},
	Floor:   {"floor", 1, floats, false}, Ceil: {"ceil", 1, floats, false},
	Trunc: {"trunc", 1, floats, false}, RoundEven: {"roundeven", 1, floats, false},
	Round: {"round", 1, floats, false},
	IsNaN: {"isnan", 1, floats, true}, IsInf: {"isinf", 1, floats, true},
	CountOnes: {"popcount", 1, integer, false},
	Cast:      {"cast", 1, anyType, false}, Bitcast: {"bitcast", 1, anyType, false},

	Store: {"store", 1, anyType, false}, StoreAt: {"store_at", 2, anyType, false},
}

// String returns the name of the operation in the text form.
func (op Op) String() string {
	if op >= numOps {
		return "invalid"
	}
	return ops[op].name
}

// Arity returns the number of operands (A, B and C, in this order) that are
// numbers of instructions.
func (op Op) Arity() int { return ops[op].arity }

// IsCompare reports whether the operation gives bool from operands of another type.
func (op Op) IsCompare() bool { return ops[op].compare }

// Ops lists all operations.
func Ops() []Op {
	all := make([]Op, 0, numOps-1)
	for op := Const; op < numOps; op++ {
		all = append(all, op)
	}
	return all
}

// Takes reports whether the operation computes on operands of type d.
func (op Op) Takes(d dtype.DType) bool {
	if !d.Valid() || d.IsComplex() {
		return false
	}
	switch ops[op].domain {
	case number:
		return d != dtype.Bool
	case floats:
		return d.IsFloat()
	case bitwise:
		return d == dtype.Bool || d.IsInt()
	case integer:
		return d.IsInt()
	}
	return true
}

// Operands returns the operand numbers that the operation uses.
func (i *Instr) Operands() []int {
	all := [3]int{i.A, i.B, i.C}
	return append([]int(nil), all[:i.Op.Arity()]...)
}

// Renumbered returns the instruction with the new numbers of its operands.
func (i Instr) Renumbered(numbers []int) Instr {
	for k, o := range [...]*int{&i.A, &i.B, &i.C} {
		if k < i.Op.Arity() {
			*o = numbers[*o]
		}
	}
	return i
}

var reduceNames = [...]string{"sum", "prod", "min", "max", "minnum", "maxnum", "and", "or", "xor",
	"argmax", "argmin"}

// String returns the name of the kind in the text form.
func (k ReduceKind) String() string {
	if int(k) >= len(reduceNames) {
		return "invalid"
	}
	return reduceNames[k]
}

// IsArg reports whether the kind delivers a position.
func (k ReduceKind) IsArg() bool { return k == ReduceArgMax || k == ReduceArgMin }

// Result returns the type that [Acc] has for this reduction.
func (r *Reduction) Result() dtype.DType {
	if r.Kind.IsArg() {
		return dtype.I64
	}
	return r.Type
}
