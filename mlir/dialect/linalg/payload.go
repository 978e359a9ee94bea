package linalg

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// payload computes the output element of a named operation from its arguments,
// the output's old value being the last. It returns nil for element types that it
// cannot work on.
type payload func(b *mlir.Builder, args []*mlir.Value) *mlir.Value

// choice returns the operation for an element type: floats, integers, or bools,
// for which an empty name means that of integers.
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
	}
	return ""
}

// apply appends the named operation to values of one type.
func apply(b *mlir.Builder, name string, args ...*mlir.Value) *mlir.Value {
	if name == "" {
		return nil
	}
	return b.Create(name, args, []mlir.Type{args[0].Type}, nil).Result()
}

// convert appends the signed conversion of x to type t, if it needs one.
func convert(b *mlir.Builder, x *mlir.Value, t mlir.Type) *mlir.Value {
	from := x.Type
	if mlir.SameType(from, t) {
		return x
	}
	name := conversion(from, t)
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

// elementOf returns the element type of a tensor, vector or memref, and a scalar
// itself.
func elementOf(t mlir.Type) mlir.Type {
	if _, elem, ok := mlir.ShapeOf(t); ok {
		return elem
	}
	return t
}
