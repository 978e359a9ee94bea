package cf

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

func init() {
	mlir.RegisterDialect(&mlir.Dialect{Name: "cf", Upstream: true, Ops: []mlir.OpDef{{
		Name: "cf.br", Traits: mlir.Pure | mlir.Terminator | mlir.Branch,
		Verify: successors(1), Parse: parseBr, Print: printBr,
	}, {
		Name: "cf.cond_br", Traits: mlir.Pure | mlir.Terminator | mlir.Branch, Operands: 1,
		Verify: verifyCondBr, Parse: parseCondBr, Print: printCondBr,
	}, {
		Name: "cf.switch", Traits: mlir.Pure | mlir.Terminator | mlir.Branch, Operands: 1,
		Verify: verifySwitch, Parse: parseSwitch, Print: printSwitch,
	}, {
		Name: "cf.assert", Operands: 1, Verify: verifyAssert, Parse: parseAssert, Print: printAssert,
	}}})
}

// Br appends a branch.
func Br(b *mlir.Builder, to *mlir.Block, args ...*mlir.Value) *mlir.Operation {
	op := b.Create("cf.br", nil, nil, nil)
	op.Successors = []mlir.Successor{{Block: to, Args: args}}
	return op
}

func successors(n int) func(*mlir.Operation) error {
	return func(op *mlir.Operation) error {
		if len(op.Successors) != n {
			return fmt.Errorf("has %d successors, not %d", len(op.Successors), n)
		}
		return nil
	}
}

func verifyCondBr(op *mlir.Operation) error {
	if !mlir.SameType(op.Operands[0].Type, mlir.I1) {
		return fmt.Errorf("the condition must be i1, not %s", op.Operands[0].Type)
	}
	if a := op.Attrs.Get("branch_weights"); a != nil {
		list, ok := a.(mlir.DenseArrayAttr)
		if !ok || len(list.Ints) != 2 || !mlir.SameType(list.Elem, mlir.IntegerType{Width: 32}) || slices.Min(list.Ints) < 0 || slices.Max(list.Ints) == 0 {
			return fmt.Errorf("needs a weight for each of its 2 blocks that is not negative, and one above 0, not %s", a)
		}
	}
	return successors(2)(op)
}

// parseBr reads ^block(%a : T) {…}.
func parseBr(p *mlir.Parser, op *mlir.Operation) {
	op.Successors = []mlir.Successor{p.Successor()}
	op.Attrs = p.AttrDict()
}

func printBr(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Successor(op.Successors[0])
	p.OptionalAttrs(op.Attrs)
}

// parseCondBr reads %c weights([3, 4]), ^yes(%a : T), ^no {…}.
func parseCondBr(p *mlir.Parser, op *mlir.Operation) {
	op.Operands = []*mlir.Value{p.Resolve(p.Operand(), mlir.I1)}
	var weights mlir.Attrs
	if p.Accept("weights") {
		list := mlir.DenseArrayAttr{Elem: mlir.IntegerType{Width: 32}, Ints: []int64{}}
		p.Expect("(")
		p.List("[", "]", func() { list.Ints = append(list.Ints, int64(p.Int())) })
		p.Expect(")")
		weights = mlir.Attrs{{Name: "branch_weights", Value: list}}
	}
	p.Expect(",")
	yes := p.Successor()
	p.Expect(",")
	op.Successors = []mlir.Successor{yes, p.Successor()}
	op.Attrs = append(weights, p.AttrDict()...)
}

func printCondBr(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	if weights := op.Attrs.Get("branch_weights"); weights != nil {
		p.DynamicIndexList(" weights([", "])", weights, nil)
	}
	for _, s := range op.Successors {
		p.Text(", ")
		p.Successor(s)
	}
	p.OptionalAttrs(op.Attrs, "branch_weights")
}

func verifyAssert(op *mlir.Operation) error {
	if _, ok := op.Attrs.Get("msg").(mlir.StringAttr); !ok {
		return fmt.Errorf("needs a message")
	}
	if !mlir.SameType(op.Operands[0].Type, mlir.I1) {
		return fmt.Errorf("the condition must be i1, not %s", op.Operands[0].Type)
	}
	return nil
}

// parseAssert reads %c, "message" {…}.
func parseAssert(p *mlir.Parser, op *mlir.Operation) {
	op.Operands = []*mlir.Value{p.Resolve(p.Operand(), mlir.I1)}
	p.Expect(",")
	op.Attrs = mlir.Attrs{{Name: "msg", Value: mlir.StringAttr(p.Str())}}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func printAssert(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(", ")
	p.Attr(op.Attrs.Get("msg"))
	p.OptionalAttrs(op.Attrs, "msg")
}
