package scf

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// constantList is a list of one number.
func constantList(n, value int) mlir.DenseArrayAttr {
	return mlir.DenseArrayAttr{Elem: mlir.I64, Ints: slices.Repeat([]int64{int64(value)}, n)}
}

// parseForall reads (%i, %j) in (8, %n) shared_outs(%o = %t) -> (T) { … } {…}, or
// (%i) = (0) to (%n) step (2) in place of the part with in.
func parseForall(p *mlir.Parser, op *mlir.Operation) {
	vars := p.OperandList("(", ")")
	var lower, upper, step mlir.DenseArrayAttr
	var lowers, uppers, steps []mlir.Ref
	if p.Accept("in") {
		upper, uppers = p.DynamicIndexList("(", ")")
		lower, step = constantList(len(vars), 0), constantList(len(vars), 1)
	} else {
		p.Expect("=")
		lower, lowers = p.DynamicIndexList("(", ")")
		p.Expect("to")
		upper, uppers = p.DynamicIndexList("(", ")")
		p.Expect("step")
		step, steps = p.DynamicIndexList("(", ")")
	}
	var outs, inits []mlir.Ref
	var types []mlir.Type
	if p.Accept("shared_outs") {
		outs, inits = parseAssignments(p)
		p.Expect("->")
		types = p.ResultTypes()
	}
	for _, refs := range [][]mlir.Ref{lowers, uppers, steps} {
		p.ResolveIndices(op, refs)
	}
	op.Operands = append(op.Operands, p.ResolveAll(inits, types)...)
	op.Attrs = mlir.Attrs{segmentsAttr(len(lowers), len(uppers), len(steps), len(inits)),
		{Name: "staticLowerBound", Value: lower}, {Name: "staticStep", Value: step}, {Name: "staticUpperBound", Value: upper}}
	r := p.Region(op, append(indexArgs(vars), blockArgs(p, outs, types)...))
	if p.Failed() {
		return
	}
	assembly.EnsureTerminator(r, "scf.forall.in_parallel", op.Loc)
	if end := r.Blocks[len(r.Blocks)-1].Terminator(); len(end.Regions) == 0 && end.Name == "scf.forall.in_parallel" {
		end.AddRegion().AddBlock()
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(types...)
}

func verifyForall(op *mlir.Operation) error {
	g, ok := groupsOf(op, 4)
	body := op.Body()
	if !ok || body == nil || len(g[3]) != len(op.Results) {
		return fmt.Errorf("the operands do not fit the loops and results")
	}
	rank := len(body.Args) - len(op.Results)
	for i, name := range []string{"staticLowerBound", "staticUpperBound", "staticStep"} {
		list, _ := mlir.IntList(op.Attrs.Get(name))
		dynamic := 0
		for _, n := range list {
			if n == mlir.DynamicStride {
				dynamic++
			}
		}
		if len(list) != rank || dynamic != len(g[i]) {
			return fmt.Errorf("%s does not fit the loops", name)
		}
	}
	if list, ok := op.Attrs.Get("mapping").(mlir.ArrayAttr); ok && len(list) > 0 && len(list) != rank {
		return fmt.Errorf("has a mapping of %d for %d loops", len(list), rank)
	} else if !ok && op.Attrs.Get("mapping") != nil {
		return fmt.Errorf("the mapping must be a list, not %s", op.Attrs.Get("mapping"))
	}
	end := body.Terminator()
	if end == nil || end.Name != "scf.forall.in_parallel" {
		return fmt.Errorf("the body ends with scf.forall.in_parallel")
	}
	return nil
}

func printForall(p *mlir.Printer, op *mlir.Operation) {
	g, _ := groupsOf(op, 4)
	args := op.Body().Args
	rank := len(args) - len(op.Results)
	lower, _ := mlir.IntList(op.Attrs.Get("staticLowerBound"))
	step, _ := mlir.IntList(op.Attrs.Get("staticStep"))
	plain := !slices.ContainsFunc(lower, func(n int) bool { return n != 0 }) &&
		!slices.ContainsFunc(step, func(n int) bool { return n != 1 })
	p.Text(" ")
	printTuple(p, args[:rank])
	if plain {
		p.Text(" in ")
		p.DynamicIndexList("(", ")", op.Attrs.Get("staticUpperBound"), g[1])
	} else {
		p.Text(" = ")
		p.DynamicIndexList("(", ")", op.Attrs.Get("staticLowerBound"), g[0])
		p.Text(" to ")
		p.DynamicIndexList("(", ")", op.Attrs.Get("staticUpperBound"), g[1])
		p.Text(" step ")
		p.DynamicIndexList("(", ")", op.Attrs.Get("staticStep"), g[2])
	}
	if len(op.Results) > 0 {
		p.Text(" shared_outs(")
		printAssignments(p, args[rank:], g[3])
		p.Text(") -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	p.OptionalAttrs(op.Attrs, segments, "staticLowerBound", "staticStep", "staticUpperBound")
}

// parseInParallel reads { … } {…}.
func parseInParallel(p *mlir.Parser, op *mlir.Operation) {
	if r := p.Region(op, nil); len(r.Blocks) == 0 {
		r.AddBlock()
	}
	op.Attrs = p.AttrDict()
	op.SetResults()
}

// verifyInParallel checks that the block only puts parts into the shared results of the loop.
func verifyInParallel(op *mlir.Operation) error {
	if len(op.Regions[0].Blocks) != 1 {
		return fmt.Errorf("needs a region of one block")
	}
	for _, inner := range op.Regions[0].Blocks[0].Ops {
		if inner.Name != "tensor.parallel_insert_slice" {
			return fmt.Errorf("takes nothing but tensor.parallel_insert_slice, not %s", inner.Name)
		}
		loop := op.Parent()
		if len(inner.Operands) < 2 || loop != nil && inner.Operands[1].Owner != loop.Body() {
			return fmt.Errorf("parts go into an argument of the loop")
		}
	}
	return nil
}

func printInParallel(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Region(op.Regions[0], false, true)
	p.OptionalAttrs(op.Attrs)
}
