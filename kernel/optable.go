package kernel

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/scalar"
)

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

// function is the entry of an operation that the table of package scalar names.
func function(name string, d domain) opInfo {
	return opInfo{name: name, arity: scalar.ByName(name).Operands, domain: d}
}

var ops = [numOps]opInfo{
	Invalid: {name: "invalid"},
	Const:   {name: "const"}, Load: {name: "load"}, LoadAt: {name: "load_at", arity: 1},
	Index: {name: "index"}, Acc: {name: "acc"}, Kept: {name: "kept"}, Input: {name: "input"},

	Add: {"add", 2, anyType, false}, Sub: {"sub", 2, number, false},
	Mul: {"mul", 2, anyType, false}, Div: {"div", 2, number, false},
	Rem: {"rem", 2, number, false}, FloorDiv: {"floordiv", 2, number, false},
	Mod: {"mod", 2, number, false}, Pow: function("pow", number),
	Atan2: function("atan2", floats),
	Min:   {"min", 2, anyType, false}, Max: {"max", 2, anyType, false},
	MinNum: {"minnum", 2, anyType, false}, MaxNum: {"maxnum", 2, anyType, false},
	CopySign: function("copysign", floats), NextAfter: function("nextafter", floats),
	Hypot: function("hypot", floats),
	And:   {"and", 2, bitwise, false}, Or: {"or", 2, bitwise, false}, Xor: {"xor", 2, bitwise, false},
	Shl: {"shl", 2, integer, false}, Shr: {"shr", 2, integer, false},

	FMA: {"fma", 3, floats, false}, Select: {"select", 3, anyType, false},

	Eq: {"eq", 2, anyType, true}, Ne: {"ne", 2, anyType, true}, Lt: {"lt", 2, anyType, true},
	Le: {"le", 2, anyType, true}, Gt: {"gt", 2, anyType, true}, Ge: {"ge", 2, anyType, true},

	Neg: {"neg", 1, number, false}, Abs: function("abs", number), Not: {"not", 1, bitwise, false},
	Sqrt: function("sqrt", floats), RSqrt: function("rsqrt", floats),
	Cbrt: function("cbrt", floats),
	Exp:  function("exp", floats), Exp2: function("exp2", floats),
	Expm1: function("expm1", floats),
	Log:   function("log", floats), Log2: function("log2", floats),
	Log10: function("log10", floats), Log1p: function("log1p", floats),
	Sin: function("sin", floats), Cos: function("cos", floats),
	Tan:  function("tan", floats),
	Asin: function("asin", floats), Acos: function("acos", floats),
	Atan: function("atan", floats),
	Sinh: function("sinh", floats), Cosh: function("cosh", floats),
	Tanh:  function("tanh", floats),
	Asinh: function("asinh", floats), Acosh: function("acosh", floats),
	Atanh: function("atanh", floats),
	Erf:   function("erf", floats), Erfc: function("erfc", floats),
	Sigmoid: function("sigmoid", floats),
	Floor:   function("floor", floats), Ceil: function("ceil", floats),
	Trunc: function("trunc", floats), RoundEven: function("roundeven", floats),
	Round: function("round", floats),
	IsNaN: {"isnan", 1, floats, true}, IsInf: {"isinf", 1, floats, true},
	CountOnes: {"popcount", 1, integer, false},
	Cast:      {"cast", 1, anyType, false}, Bitcast: {"bitcast", 1, anyType, false},

	Store: {"store", 1, anyType, false},
}

// String returns the name of the operation in the text form.
func (op Op) String() string {
	if op >= numOps {
		return "invalid"
	}
	return ops[op].name
}

// Function returns the function that the operation computes, nil for operations that
// the table of package scalar does not have.
func (op Op) Function() *scalar.Function { return scalar.ByName(op.String()) }

// OpOf returns the operation that computes a function.
func OpOf(f *scalar.Function) Op { return named[f.Name] }

var named = func() map[string]Op {
	all := map[string]Op{}
	for op, info := range ops {
		all[info.name] = Op(op)
	}
	return all
}()

// Arity returns the number of operands (A, B and C, in this order) that are numbers of instructions.
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
	return all[:i.Op.Arity()]
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

var reduceOps = [...]Op{ReduceSum: Add, ReduceProd: Mul, ReduceMin: Min, ReduceMax: Max, ReduceMinNum: MinNum,
	ReduceMaxNum: MaxNum, ReduceAnd: And, ReduceOr: Or, ReduceXor: Xor}

// Op returns the operation that combines two values, of a kind that delivers no position.
func (k ReduceKind) Op() Op { return reduceOps[k] }

// Result returns the type that [Acc] has for this reduction.
func (r *Reduction) Result() dtype.DType {
	if r.Kind.IsArg() {
		return dtype.I64
	}
	return r.Type
}
