package tosa

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// parseChoice reads the form of TOSA 0.80, %c -> (T) { … } else { … }, which is scf.if's with a tensor, and the form of
// TOSA 1.0, %c (%a = %x) : tensor<i1> (U) -> T { ^bb0(%a: U): … } else { … }.
func parseChoice(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	given := p.Next("(")
	if given {
		p.List("(", ")", func() {
			p.Operand() // the block names it with its type
			p.Expect("=")
			refs = append(refs, p.Operand())
		})
	}
	types := []mlir.Type{mlir.TensorType{Shape: []int{}, Elem: mlir.I1}}
	if given || p.Next(":") {
		p.Expect(":")
		types[0] = p.Type()
	}
	op.SetResults()
	if given {
		t := p.FunctionType()
		types = append(types, t.Inputs...)
		op.SetResults(t.Results...)
	} else if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	op.Operands = p.ResolveAll(refs, types)
	p.Region(op, nil)
	if p.Accept("else") {
		p.Region(op, nil)
	} else {
		op.AddRegion()
	}
	op.Attrs = p.AttrDict()
}

// never: the versions have no form in common, and all read the generic one.
func never(*mlir.Operation) bool { return false }

// chosen checks that both blocks take what is passed and give the results, by a condition of one element.
func chosen(op *mlir.Operation) error {
	if err := hasBlocks(op); err != nil {
		return err
	}
	if err := isCondition("the condition", op.Operands[0]); err != nil {
		return err
	}
	for i, r := range op.Regions {
		side := []string{"then", "else"}[i]
		if err := agree("arguments of "+side, r.Blocks[0].Args, op.Operands[1:]); err != nil {
			return err
		}
		if err := agree("results of "+side, r.Blocks[0].Terminator().Operands, op.Results); err != nil {
			return err
		}
	}
	return nil
}

// repeated checks that the blocks of a loop take and give what is carried, and that it goes on by a condition of one
// element.
func repeated(op *mlir.Operation) error {
	if err := hasBlocks(op); err != nil {
		return err
	}
	condition, body := op.Regions[0].Blocks[0], op.Regions[1].Blocks[0]
	if n := len(condition.Terminator().Operands); n != 1 {
		return fmt.Errorf("the condition has %d results, want 1", n)
	}
	if err := isCondition("the result of the condition", condition.Terminator().Operands[0]); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		list []*mlir.Value
	}{
		{"results", op.Results}, {"arguments of the condition", condition.Args},
		{"arguments of the body", body.Args}, {"results of the body", body.Terminator().Operands},
	} {
		if err := agree(part.name, part.list, op.Operands); err != nil {
			return err
		}
	}
	return nil
}

// hasBlocks checks that each region is a block that ends.
func hasBlocks(op *mlir.Operation) error {
	for _, r := range op.Regions {
		if len(r.Blocks) != 1 || r.Blocks[0].Terminator() == nil {
			return fmt.Errorf("needs regions of one block")
		}
	}
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs an operand")
	}
	return nil
}

// isCondition checks that a value is a truth of one element.
func isCondition(name string, v *mlir.Value) error {
	n, known := mlir.NumElements(extents(v))
	if e := elemOf(v); e != nil && !mlir.SameType(e, mlir.I1) || extents(v) != nil && known && n != 1 {
		return fmt.Errorf("%s is %s, want one element of type i1", name, v.Type)
	}
	return nil
}

// agree checks that two lists of values have the same length, element types and extents.
func agree(name string, list, want []*mlir.Value) error {
	if len(list) != len(want) {
		return fmt.Errorf("has %d %s, want %d", len(list), name, len(want))
	}
	same := func(a, b *mlir.Value) bool {
		x, y := elemOf(a), elemOf(b)
		return (x == nil || y == nil || mlir.SameType(x, y)) && fits(a, extents(b)) == nil
	}
	for i, v := range list {
		if !same(v, want[i]) {
			return fmt.Errorf("%s: number %d is %s, want %s", name, i, v.Type, want[i].Type)
		}
	}
	return nil
}

// shapes are the operations of TOSA 1.1 that compute shapes.
func shapes() []mlir.OpDef {
	var ops []mlir.OpDef
	def := func(name string, operands, results int) {
		ops = append(ops, mlir.OpDef{Name: "tosa." + name, Traits: mlir.Pure, Operands: operands, Results: results,
			Parse: parseFunctional, Print: printFunctional, Verify: computesShape})
	}
	for _, name := range []string{"add", "sub", "mul", "div_floor", "div_ceil", "mod", "max", "min"} {
		def(name+"_shape", 2, 1)
	}
	for _, name := range []string{"exp2", "log2_floor", "log2_ceil"} {
		def(name+"_shape", 1, 1)
	}
	def("concat_shape", mlir.Variadic, 1)
	def("slice_shape", 3, 1)
	def("dim", 1, 1)
	return ops
}

// computesShape checks that shapes give a shape: of the same length where elements are computed one by one.
func computesShape(op *mlir.Operation) error {
	if !isShape(op.Results[0].Type) {
		return fmt.Errorf("gives %s, want a shape", op.Results[0].Type)
	}
	n := length(op.Results[0].Type)
	switch op.Name {
	case "tosa.dim":
		if n != 1 {
			return fmt.Errorf("gives %d numbers, want 1", n)
		}
		if shape := extents(op.Operands[0]); shape != nil && len(shape) == 0 {
			return fmt.Errorf("a scalar has no extents")
		}
		return hasAxis(op)
	case "tosa.concat_shape":
		for _, v := range op.Operands {
			n -= length(v.Type)
		}
		if n != 0 {
			return fmt.Errorf("gives %d numbers more than it takes", n)
		}
		return nil
	case "tosa.slice_shape":
		start, from := constantNumber(op.Operands[1])
		size, many := constantNumber(op.Operands[2])
		if from && start < 0 || many && (size < 1 || int(size) != n) || from && many && int(start+size) > length(op.Operands[0].Type) {
			return fmt.Errorf("gives %d numbers of %s from %v on, where the size is %v", n, op.Operands[0].Type, start, size)
		}
		return nil
	}
	for _, v := range op.Operands {
		if !mlir.SameType(v.Type, op.Results[0].Type) {
			return fmt.Errorf("makes %s of %s", op.Results[0].Type, v.Type)
		}
	}
	return nil
}

// length is the number of numbers that a !tosa.shape has.
func length(t mlir.Type) int {
	var n int
	fmt.Sscanf(t.String(), "!tosa.shape<%d>", &n)
	return n
}
