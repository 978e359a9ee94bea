package affine

import (
	"fmt"
	"strconv"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const segments = "operandSegmentSizes"

// parseBound reads a constant, a value, or [max|min] #map(%d)[%s], and returns the map
// and the number of its operands, which it appends.
func parseBound(p *mlir.Parser, op *mlir.Operation, keyword string) (mlir.AffineMapAttr, int) {
	before := len(op.Operands)
	switch {
	case p.NextInteger():
		return constantMap(p.Int()), 0
	case p.NextOperand():
		p.ResolveIndices(op, []mlir.Ref{p.Operand()})
		return mlir.AffineMapAttr{Map: mlir.AffineMap{Symbols: 1, Results: []*mlir.AffineExpr{mlir.Symbol(0)}}}, 1
	}
	extreme := p.Accept(keyword)
	m, ok := p.Attr().(mlir.AffineMapAttr)
	if !ok && !p.Failed() {
		p.Errorf("a bound is a number, a value or an affine map")
	}
	if len(m.Map.Results) != 1 && !extreme && !p.Failed() {
		p.Errorf("a bound of several values needs %s in front", keyword)
	}
	operandsOf(p, op)
	return m, len(op.Operands) - before
}

func constantMap(n int) mlir.AffineMapAttr {
	return mlir.AffineMapAttr{Map: mlir.AffineMap{Results: []*mlir.AffineExpr{mlir.Const(n)}}}
}

func printBound(p *mlir.Printer, a mlir.Attribute, operands []*mlir.Value, keyword string) {
	m := a.(mlir.AffineMapAttr).Map
	if len(m.Results) == 1 {
		switch e := m.Results[0]; {
		case e.Kind == mlir.AffineConstant && m.Dims == 0 && m.Symbols == 0:
			p.Text(strconv.Itoa(e.Value))
			return
		case e.Kind == mlir.AffineSymbol && m.Dims == 0 && m.Symbols == 1:
			p.Value(operands[0])
			return
		}
	} else {
		p.Text(keyword + " ")
	}
	p.Attr(a)
	printOperandsOf(p, m.Dims, operands)
}

// parseFor reads %i = A to B step 2 iter_args(%x = %y) -> (T) { … } {…}.
func parseFor(p *mlir.Parser, op *mlir.Operation) {
	i := p.Operand()
	p.Expect("=")
	lower, lowers := parseBound(p, op, "max")
	p.Expect("to")
	upper, uppers := parseBound(p, op, "min")
	step := 1
	if p.Accept("step") {
		step = p.Int()
	}
	args := []mlir.BlockArg{{Ref: i, Type: mlir.Index}}
	var types []mlir.Type
	if p.Accept("iter_args") {
		var carried, inits []mlir.Ref
		p.List("(", ")", func() {
			carried = append(carried, p.Operand())
			p.Expect("=")
			inits = append(inits, p.Operand())
		})
		p.Expect("->")
		types = p.ResultTypes()
		op.Operands = append(op.Operands, p.ResolveAll(inits, types)...)
		if len(types) == len(carried) {
			for k, r := range carried {
				args = append(args, mlir.BlockArg{Ref: r, Type: types[k]})
			}
		}
	}
	op.Attrs = mlir.Attrs{{Name: "lowerBoundMap", Value: lower},
		{Name: segments, Value: mlir.DenseArrayAttr{Elem: mlir.I32, Ints: []int64{int64(lowers), int64(uppers), int64(len(types))}}},
		{Name: "step", Value: mlir.IntegerAttr{Value: int64(step), Type: mlir.Index}},
		{Name: "upperBoundMap", Value: upper}}
	assembly.EnsureTerminator(p.Region(op, args), "affine.yield", op.Loc)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(types...)
}

// bounds returns the operands of the lower bound, the upper bound, and the values that
// go round.
func bounds(op *mlir.Operation) (lower, upper, carried []*mlir.Value) {
	sizes, _ := mlir.IntList(op.Attrs.Get(segments))
	a, b := sizes[0], sizes[0]+sizes[1]
	return op.Operands[:a], op.Operands[a:b], op.Operands[b:]
}

func verifyFor(op *mlir.Operation) error {
	sizes, _ := mlir.IntList(op.Attrs.Get(segments))
	lower, upper := mapAttr(op, "lowerBoundMap"), mapAttr(op, "upperBoundMap")
	step, ok := op.Attrs.Get("step").(mlir.IntegerAttr)
	switch {
	case lower == nil || upper == nil || !ok || step.Value <= 0:
		return fmt.Errorf("needs two bounds and a positive step")
	case len(sizes) != 3 || sizes[0] != lower.Dims+lower.Symbols || sizes[1] != upper.Dims+upper.Symbols ||
		sizes[2] != len(op.Results) || sizes[0]+sizes[1]+sizes[2] != len(op.Operands):
		return fmt.Errorf("the operands do not fit the bounds and results")
	case op.Body() == nil || len(op.Body().Args) != 1+len(op.Results):
		return fmt.Errorf("the body takes the index and the values that go round")
	}
	first, second, carried := bounds(op)
	if err := checkInputs(op, lower.Dims, first); err != nil {
		return err
	}
	if err := checkInputs(op, upper.Dims, second); err != nil {
		return err
	}
	types := mlir.TypesOf(op.Results)
	if !mlir.SameTypes(mlir.TypesOf(carried), types) || !mlir.SameTypes(mlir.TypesOf(op.Body().Args[1:]), types) {
		return fmt.Errorf("the values that go round are of the types of the results")
	}
	return yields(op.Regions[0], types)
}

// yields checks what a region gives.
func yields(r *mlir.Region, types []mlir.Type) error {
	if len(r.Blocks) != 1 {
		return fmt.Errorf("needs a region of one block")
	}
	end := r.Blocks[0].Terminator()
	if end == nil || end.Name != "affine.yield" {
		return nil // another dialect ends it
	}
	if got := mlir.TypesOf(end.Operands); !mlir.SameTypes(got, types) {
		return fmt.Errorf("affine.yield passes %s, but %s is needed", mlir.TupleType{Elems: got}, mlir.TupleType{Elems: types})
	}
	return nil
}

func printFor(p *mlir.Printer, op *mlir.Operation) {
	lower, upper, carried := bounds(op)
	args := op.Body().Args
	p.Text(" ")
	p.Value(args[0])
	p.Text(" = ")
	printBound(p, op.Attrs.Get("lowerBoundMap"), lower, "max")
	p.Text(" to ")
	printBound(p, op.Attrs.Get("upperBoundMap"), upper, "min")
	if step := op.Attrs.Get("step").(mlir.IntegerAttr); step.Value != 1 {
		p.Text(" step " + strconv.FormatInt(step.Value, 10))
	}
	if len(carried) > 0 {
		p.Text(" iter_args(")
		for i, v := range carried {
			if i > 0 {
				p.Text(", ")
			}
			p.Value(args[1+i])
			p.Text(" = ")
			p.Value(v)
		}
		p.Text(") -> (")
		p.TypesOf(op.Results)
		p.Text(")")
	}
	p.Text(" ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	p.OptionalAttrs(op.Attrs, "lowerBoundMap", segments, "step", "upperBoundMap")
}

// parseIf reads #set(%d)[%s] -> (T) { … } else { … } {…}.
func parseIf(p *mlir.Parser, op *mlir.Operation) {
	set := p.Attr()
	operandsOf(p, op)
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	assembly.EnsureTerminator(p.Region(op, nil), "affine.yield", op.Loc)
	if p.Accept("else") {
		assembly.EnsureTerminator(p.Region(op, nil), "affine.yield", op.Loc)
	} else {
		op.AddRegion()
	}
	op.Attrs = append(mlir.Attrs{{Name: "condition", Value: set}}, p.AttrDict()...)
}

func verifyIf(op *mlir.Operation) error {
	a, ok := op.Attrs.Get("condition").(mlir.AffineSetAttr)
	if !ok || a.Set.Dims+a.Set.Symbols != len(op.Operands) {
		return fmt.Errorf("needs a set with an input for each operand")
	}
	if err := checkInputs(op, a.Set.Dims, op.Operands); err != nil {
		return err
	}
	for i, r := range op.Regions {
		if len(r.Blocks) == 0 && i == 1 && len(op.Results) == 0 {
			continue
		}
		if len(r.Blocks) != 1 || len(r.Blocks[0].Args) > 0 {
			return fmt.Errorf("needs regions of one block without arguments")
		}
		if err := yields(r, mlir.TypesOf(op.Results)); err != nil {
			return err
		}
	}
	return nil
}

func printIf(p *mlir.Printer, op *mlir.Operation) {
	a := op.Attrs.Get("condition").(mlir.AffineSetAttr)
	p.Text(" ")
	p.Attr(a)
	printOperandsOf(p, a.Set.Dims, op.Operands)
	p.Arrow(mlir.TypesOf(op.Results))
	p.Text(" ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
	if len(op.Regions[1].Blocks) > 0 {
		p.Text(" else ")
		p.Region(op.Regions[1], false, len(op.Results) > 0)
	}
	p.OptionalAttrs(op.Attrs, "condition")
}
