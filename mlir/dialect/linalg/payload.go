package linalg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// payload computes the output element of a named operation from its arguments,
// the output's old value being the last. It returns nil for element types that it
// cannot work on.
type payload func(b *mlir.Builder, args []*mlir.Value) *mlir.Value

// choice returns the name of the operation for an element type: of floats, integers or bools. An empty name for bools
// means the name for integers.
func choice(t mlir.Type, float, integer, boolean string) string {
	switch t := t.(type) {
	case mlir.FloatType:
		return float
	case mlir.IntegerType:
		if t.Width == 1 && boolean != "" {
			return boolean
		}
		return integer
	case mlir.IndexType:
		return integer
	case mlir.ComplexType:
		return complexNames[float]
	}
	return ""
}

// complexNames are the operations on complex numbers in the place of those on floats.
var complexNames = map[string]string{"arith.addf": "complex.add", "arith.subf": "complex.sub",
	"arith.mulf": "complex.mul", "arith.divf": "complex.div", "math.exp": "complex.exp", "math.log": "complex.log",
	"arith.negf": "complex.neg", "math.sqrt": "complex.sqrt", "math.rsqrt": "complex.rsqrt", "math.tanh": "complex.tanh"}

// apply appends the named operation to values of one type.
func apply(b *mlir.Builder, name string, args ...*mlir.Value) *mlir.Value {
	if name == "" {
		return nil
	}
	return b.Create(name, args, []mlir.Type{args[0].Type}, nil).Result()
}

// unsignedConversions has the conversion of unsigned integers for each conversion of signed ones.
var unsignedConversions = map[string]string{"arith.extsi": "arith.extui", "arith.sitofp": "arith.uitofp",
	"arith.fptosi": "arith.fptoui", "arith.index_cast": "arith.index_castui"}

// casting are the operations that have the attribute cast. Others convert integers as their name says, whatever an
// attribute of this name says.
var casting = []string{"matmul", "matmul_transpose_a", "matmul_transpose_b", "batch_matmul", "batch_matmul_transpose_a",
	"batch_matmul_transpose_b", "contract", "copy", "elemwise_unary", "elemwise_binary"}

// castsUnsigned reports whether an operation takes integers as unsigned ones where it converts them.
func castsUnsigned(op *mlir.Operation) bool {
	cast := op.Attrs.Get("cast")
	return cast != nil && strings.Contains(cast.String(), "unsigned") && slices.Contains(casting, strings.TrimPrefix(op.Name, "linalg.")) ||
		strings.HasSuffix(op.Name, "_unsigned")
}

// convert appends the conversion of x to type t, if it needs one.
func convert(b *mlir.Builder, x *mlir.Value, t mlir.Type) *mlir.Value {
	from := x.Type
	if mlir.SameType(from, t) {
		return x
	}
	name := conversion(from, t)
	if castsUnsigned(b.Block.Region.Parent) && unsignedConversions[name] != "" {
		name = unsignedConversions[name]
	}
	if name == "" {
		return nil
	}
	return b.Create(name, []*mlir.Value{x}, []mlir.Type{t}, nil).Result()
}

func conversion(from, to mlir.Type) string {
	switch f := from.(type) {
	case mlir.FloatType:
		switch t := to.(type) {
		case mlir.FloatType:
			if f.Width() < t.Width() {
				return "arith.extf"
			} else if f.Width() > t.Width() {
				return "arith.truncf"
			}
		case mlir.IntegerType:
			return "arith.fptosi"
		}
	case mlir.IntegerType:
		switch t := to.(type) {
		case mlir.FloatType:
			return "arith.sitofp"
		case mlir.IntegerType:
			if f.Width < t.Width {
				return "arith.extsi"
			}
			return "arith.trunci"
		case mlir.IndexType:
			return "arith.index_cast"
		}
	case mlir.IndexType:
		if _, ok := to.(mlir.IntegerType); ok {
			return "arith.index_cast"
		}
	}
	return ""
}

// multiplyAdd is out + a*b in the type of the output.
func multiplyAdd(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	out := args[2]
	x, y := convert(b, args[0], out.Type), convert(b, args[1], out.Type)
	if x == nil || y == nil {
		return nil
	}
	p := apply(b, choice(out.Type, "arith.mulf", "arith.muli", "arith.andi"), x, y)
	if p == nil {
		return nil
	}
	return apply(b, choice(out.Type, "arith.addf", "arith.addi", "arith.ori"), out, p)
}

// accumulate is op(out, in); the window, the second argument, has no part in it.
func accumulate(float, integer string) payload {
	return func(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
		out := args[2]
		x := convert(b, args[0], out.Type)
		if x == nil {
			return nil
		}
		return apply(b, choice(out.Type, float, integer, ""), out, x)
	}
}

// multiplyAddShifted is out + (a - p)*(b - q) in the type of the output.
func multiplyAddShifted(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	out := args[4]
	wide := make([]*mlir.Value, 4)
	for i := range wide {
		if wide[i] = convert(b, args[i], out.Type); wide[i] == nil {
			return nil
		}
	}
	subtract := choice(out.Type, "arith.subf", "arith.subi", "")
	x, y := apply(b, subtract, wide[0], wide[2]), apply(b, subtract, wide[1], wide[3])
	if x == nil || y == nil {
		return nil
	}
	p := apply(b, choice(out.Type, "arith.mulf", "arith.muli", ""), x, y)
	return apply(b, choice(out.Type, "arith.addf", "arith.addi", ""), out, p)
}

var unaryFunctions = map[string]payload{
	"exp": unary("math.exp", ""), "log": unary("math.log", ""), "abs": unary("math.absf", ""),
	"ceil": unary("math.ceil", ""), "floor": unary("math.floor", ""), "negf": unary("arith.negf", ""),
	"round": unary("math.round", ""), "sqrt": unary("math.sqrt", ""), "rsqrt": unary("math.rsqrt", ""),
	"tanh": unary("math.tanh", ""), "erf": unary("math.erf", ""), "square": square, "reciprocal": reciprocal,
}

var binaryFunctions = map[string]payload{
	"add":          binary("arith.addf", "arith.addi", "arith.ori"),
	"sub":          binary("arith.subf", "arith.subi", ""),
	"mul":          binary("arith.mulf", "arith.muli", "arith.andi"),
	"div":          binary("arith.divf", "arith.divsi", ""),
	"div_unsigned": binary("", "arith.divui", ""),
	"max_signed":   binary("arith.maximumf", "arith.maxsi", ""),
	"min_signed":   binary("arith.minimumf", "arith.minsi", ""),
	"max_unsigned": binary("arith.maximumf", "arith.maxui", ""),
	"min_unsigned": binary("arith.minimumf", "arith.minui", ""),
	"powf":         binary("math.powf", "", ""),
}

// byFunction is the payload that the attribute "fun" of the operation names; the
// operands are converted to the type of the output first.
func byFunction(preset string, functions map[string]payload) payload {
	return func(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
		name := preset
		if fun := b.Block.Region.Parent.Attrs.Get("fun"); fun != nil {
			_, name, _ = strings.Cut(strings.TrimSuffix(fun.String(), ">"), "_fn<")
		}
		f := functions[name]
		if f == nil {
			return nil
		}
		out := args[len(args)-1]
		converted := make([]*mlir.Value, len(args))
		for i, v := range args {
			if converted[i] = convert(b, v, out.Type); converted[i] == nil {
				return nil
			}
		}
		return f(b, converted)
	}
}

// kindOf returns the function of a linalg.elementwise, such as exp.
func kindOf(op *mlir.Operation) string {
	kind := op.Attrs.Get("kind")
	if kind == nil {
		return ""
	}
	_, name, _ := strings.Cut(strings.TrimSuffix(kind.String(), ">"), "elementwise_kind<")
	return name
}

// byKind is the payload that the attribute "kind" of the operation names.
func byKind(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	kind := kindOf(b.Block.Region.Parent)
	switch f := unaryFunctions[kind]; {
	case f != nil:
		return f(b, args)
	case binaryFunctions[kind] != nil:
		return binaryFunctions[kind](b, args)
	case kind == "select":
		return choose(b, args)
	}
	return nil
}

func yieldFirst(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	return convert(b, args[0], args[len(args)-1].Type)
}

func unary(float, integer string) payload {
	return func(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
		return apply(b, choice(args[0].Type, float, integer, ""), args[0])
	}
}

func binary(float, integer, boolean string) payload {
	return func(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
		return apply(b, choice(args[0].Type, float, integer, boolean), args[0], args[1])
	}
}

func square(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	return apply(b, choice(args[0].Type, "arith.mulf", "", ""), args[0], args[0])
}

func reciprocal(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	t, ok := args[0].Type.(mlir.FloatType)
	if !ok {
		return nil
	}
	one := b.Create("arith.constant", nil, []mlir.Type{t},
		mlir.Attrs{{Name: "value", Value: mlir.Float(1, t)}}).Result()
	return apply(b, "arith.divf", one, args[0])
}

func choose(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	return b.Create("arith.select", args[:3], []mlir.Type{args[1].Type}, nil).Result()
}

// randomElement is linalg.fill_rng_2d's number between the first two arguments. It follows from a seed, the third
// argument, and the place: two steps of a linear congruence modulo 2^32 (the constants of ISO C's example of rand),
// scaled to the range.
func randomElement(b *mlir.Builder, args []*mlir.Value) *mlir.Value {
	low, high, seed, out := args[0], args[1], args[2], args[3]
	f64, ok := low.Type.(mlir.FloatType)
	if _, float := out.Type.(mlir.FloatType); !ok || !float || !mlir.SameType(seed.Type, mlir.I32) {
		return nil
	}
	constant := func(a mlir.Attribute) *mlir.Value {
		return b.Create("arith.constant", nil, []mlir.Type{mlir.TypeOf(a)}, mlir.Attrs{{Name: "value", Value: a}}).Result()
	}
	integer := func(n int) *mlir.Value { return convert(b, constant(mlir.Int(n)), mlir.I32) }
	place := func(dim int) *mlir.Value {
		i := b.Create("linalg.index", nil, []mlir.Type{mlir.Index}, mlir.Attrs{{Name: "dim", Value: mlir.Int(dim)}})
		return convert(b, i.Result(), mlir.I32)
	}
	step := func(x *mlir.Value) *mlir.Value {
		x = apply(b, "arith.muli", x, integer(1103515245))
		return apply(b, "arith.addi", x, integer(12345))
	}
	half := convert(b, constant(mlir.Int(math.MaxInt32)), f64)
	column := place(1)
	first := step(apply(b, "arith.addi", place(0), seed))
	second := step(apply(b, "arith.addi", column, first))
	unit := apply(b, "arith.addf", half, convert(b, second, f64))
	span := apply(b, "arith.subf", high, low)
	span = apply(b, "arith.mulf", span, constant(mlir.Float(2.3283064e-10, f64))) // 2^-32 in eight digits
	sum := apply(b, "arith.addf", apply(b, "arith.mulf", unit, span), low)
	return convert(b, sum, out.Type)
}

// addPayload gives a named operation its region, from its operands.
func addPayload(op *mlir.Operation, p payload) error {
	types := make([]mlir.Type, len(op.Operands))
	for i, v := range op.Operands {
		types[i] = elementOf(v.Type)
	}
	block := op.AddRegion().AddBlock(types...)
	b := &mlir.Builder{Block: block, Loc: op.Loc}
	result := p(b, block.Args)
	if result == nil {
		return fmt.Errorf("%s has no payload for elements %s", op.Name, mlir.TupleType{Elems: types})
	}
	b.Create("linalg.yield", []*mlir.Value{result}, nil, nil)
	return nil
}

// elementOf returns the element type of a tensor or memref. Scalars are elements
// themselves, and so are vectors.
func elementOf(t mlir.Type) mlir.Type {
	if _, element := t.(mlir.VectorType); element {
		return t
	}
	if _, elem, ok := mlir.ShapeOf(t); ok {
		return elem
	}
	return t
}
