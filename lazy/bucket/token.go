package bucket

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/mlir"
)

// token is a part of a program: a text, or a number that may depend on an extent.
type token struct {
	text   string
	number bool
	bits   uint64 // an int64, or the bits of a float64
	float  bool
	role   role
	value  *mlir.Value     // whose extent it is
	dim    int             // of the value; or the place in an attribute
	op     *mlir.Operation // that has it, nil for arguments
}

// role says what a number stands for.
type role uint8

const (
	isText   role = iota
	isExtent      // of a dimension of a value
	isSize        // in an attribute, which says what the extents say
	isOffset      // of a slice
	isNumber      // a constant
	isFixed       // may not depend on an extent
)

// program is a module as tokens, in an order that depends on its structure alone.
type program struct {
	module *mlir.Operation
	main   *mlir.Operation
	tokens []token
	names  map[*mlir.Value]int
}

// read reads a lowered module that is one function.
func read(module *mlir.Operation) (*program, error) {
	funcs := module.Funcs()
	if len(funcs) != 1 || len(funcs[0].Regions) != 1 || len(funcs[0].Regions[0].Blocks) != 1 {
		return nil, fmt.Errorf("some calls run on the host")
	}
	p := &program{module: module, main: funcs[0], names: map[*mlir.Value]int{}}
	p.block(p.main.Body(), nil)
	return p, nil
}

func (p *program) text(format string, args ...any) {
	p.tokens = append(p.tokens, token{text: fmt.Sprintf(format, args...)})
}

func (p *program) define(v *mlir.Value, op *mlir.Operation) {
	p.names[v] = len(p.names)
	t, ok := v.Type.(mlir.TensorType)
	if !ok {
		p.text("%v", v.Type)
		return
	}
	p.text("tensor %d %v", len(t.Shape), t.Elem)
	for d, n := range t.Shape {
		p.tokens = append(p.tokens, token{number: true, bits: uint64(n), role: isExtent, value: v, dim: d, op: op})
	}
}

func (p *program) block(b *mlir.Block, op *mlir.Operation) {
	p.text("block %d", len(b.Args))
	for _, a := range b.Args {
		p.define(a, op)
	}
	for _, o := range b.Ops {
		p.operation(o)
	}
}

func (p *program) operation(op *mlir.Operation) {
	p.text("%s %d", op.Name, len(op.Operands))
	for _, v := range op.Operands {
		p.text("%%%d", p.names[v])
	}
	for _, a := range op.Attrs {
		p.attribute(op, a)
	}
	for _, r := range op.Results {
		p.define(r, op)
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			p.block(b, op)
		}
	}
}

// ints are the attributes of lists of numbers that may depend on an extent.
var ints = map[string]role{"static_offsets": isOffset, "static_sizes": isSize, "static_output_shape": isSize,
	"static_strides": isFixed, "static_low": isFixed, "static_high": isFixed}

func (p *program) attribute(op *mlir.Operation, a mlir.Named) {
	number := func(bits uint64, float bool, r role, i int) {
		p.tokens = append(p.tokens, token{number: true, bits: bits, float: float, role: r, dim: i, op: op})
	}
	if r, known := ints[a.Name]; known {
		if list, ok := mlir.IntList(a.Value); ok {
			p.text("%s %d", a.Name, len(list))
			for i, n := range list {
				number(uint64(n), false, r, i)
			}
			return
		}
	}
	if op.Name == "arith.constant" && a.Name == "value" {
		switch v := a.Value.(type) {
		case mlir.IntegerAttr:
			p.text("int %v", v.Type)
			number(uint64(v.Value), false, isNumber, 0)
			return
		case mlir.FloatAttr:
			p.text("float %v", v.Type)
			number(math.Float64bits(v.Value), true, isNumber, 0)
			return
		}
	}
	p.text("%s %v", a.Name, a.Value)
}
