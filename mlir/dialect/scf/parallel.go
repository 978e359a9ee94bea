package scf

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const segments = "operandSegmentSizes"

func segmentsAttr(sizes ...int) mlir.Named {
	a := mlir.DenseArrayAttr{Elem: mlir.I32}
	for _, n := range sizes {
		a.Ints = append(a.Ints, int64(n))
	}
	return mlir.Named{Name: segments, Value: a}
}

// groupsOf divides the operands as the segments say; it reports whether they fit.
func groupsOf(op *mlir.Operation, n int) ([][]*mlir.Value, bool) {
	sizes, ok := mlir.IntList(op.Attrs.Get(segments))
	if !ok || len(sizes) != n {
		return nil, false
	}
	rest := op.Operands
	groups := make([][]*mlir.Value, n)
	for i, size := range sizes {
		if size < 0 || size > len(rest) {
			return nil, false
		}
		groups[i], rest = rest[:size], rest[size:]
	}
	return groups, len(rest) == 0
}

func indexArgs(refs []mlir.Ref) []mlir.BlockArg {
	args := make([]mlir.BlockArg, len(refs))
	for i, r := range refs {
		args[i] = mlir.BlockArg{Ref: r, Type: mlir.Index}
	}
	return args
}

// parseParallel reads (%i, %j) = (%a, %b) to (%c, %d) step (%e, %f) init (%x) -> T { … } {…}.
func parseParallel(p *mlir.Parser, op *mlir.Operation) {
	vars := p.OperandList("(", ")")
	p.Expect("=")
	lower := p.OperandList("(", ")")
	p.Expect("to")
	upper := p.OperandList("(", ")")
	p.Expect("step")
	step := p.OperandList("(", ")")
	var inits []mlir.Ref
	if p.Accept("init") {
		inits = p.OperandList("(", ")")
	}
	var types []mlir.Type
	if p.Accept("->") {
		types = p.ResultTypes()
	}
	for _, refs := range [][]mlir.Ref{lower, upper, step} {
		p.ResolveIndices(op, refs)
	}
	op.Operands = append(op.Operands, p.ResolveAll(inits, types)...)
	op.Attrs = mlir.Attrs{segmentsAttr(len(lower), len(upper), len(step), len(inits))}
	assembly.EnsureTerminator(p.Region(op, indexArgs(vars)), "scf.reduce", op.Loc)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(types...)
}

func verifyParallel(op *mlir.Operation) error {
	g, ok := groupsOf(op, 4)
	if !ok || len(g[0]) != len(g[1]) || len(g[0]) != len(g[2]) || len(g[3]) != len(op.Results) || len(g[0]) == 0 {
		return fmt.Errorf("the bounds, steps and initial values do not fit each other and the results")
	}
	body := op.Body()
	if body == nil || len(body.Args) != len(g[0]) || body.Terminator() == nil || body.Terminator().Name != "scf.reduce" {
		return fmt.Errorf("the body takes an index for each loop and ends with scf.reduce")
	}
	for _, v := range g[2] {
		if n, ok := constant(v); ok && n <= 0 {
			return fmt.Errorf("a step must be positive, not %d", n)
		}
	}
	if n := len(body.Terminator().Operands); n != len(op.Results) {
		return fmt.Errorf("expects number of results: %d to be the same as number of reductions: %d", len(op.Results), n)
	}
	for i, v := range body.Terminator().Operands {
		if t := op.Results[i].Type; !mlir.SameType(v.Type, t) || !mlir.SameType(g[3][i].Type, t) {
			return fmt.Errorf("reduction %d is of type %s, and the result %s", i, v.Type, t)
		}
	}
	return nil
}

// constant returns the number that a value is, if it is one.
func constant(v *mlir.Value) (int64, bool) {
	if v.Def == nil || !v.Def.Def().Has(mlir.ConstantLike) {
		return 0, false
	}
	n, ok := v.Def.Attrs.Get("value").(mlir.IntegerAttr)
	return n.Value, ok
}

func printTuple(p *mlir.Printer, values []*mlir.Value) {
	p.Text("(")
	p.Values(values)
	p.Text(")")
}

func printParallel(p *mlir.Printer, op *mlir.Operation) {
	g, _ := groupsOf(op, 4)
	p.Text(" ")
	printTuple(p, op.Body().Args)
	p.Text(" = ")
	printTuple(p, g[0])
	p.Text(" to ")
	printTuple(p, g[1])
	p.Text(" step ")
	printTuple(p, g[2])
	if len(g[3]) > 0 {
		p.Text(" init ")
		printTuple(p, g[3])
	}
	p.Arrow(mlir.TypesOf(op.Results))
	p.Text(" ")
	p.Region(op.Regions[0], false, true)
	p.OptionalAttrs(op.Attrs, segments)
}

// parseReduce reads (%a, %b : T, U) { … }, { … } {…}, or nothing.
func parseReduce(p *mlir.Parser, op *mlir.Operation) {
	op.SetResults()
	if p.Accept("(") {
		refs := p.Operands()
		p.Expect(":")
		op.Operands = p.ResolveAll(refs, p.TypeList())
		p.Expect(")")
		for i := range refs {
			if i > 0 {
				p.Expect(",")
			}
			if p.Failed() {
				return
			}
			p.Region(op, nil)
		}
	}
	op.Attrs = p.AttrDict()
}

func verifyReduce(op *mlir.Operation) error {
	if len(op.Regions) != len(op.Operands) {
		return fmt.Errorf("has %d regions for %d values", len(op.Regions), len(op.Operands))
	}
	for i, r := range op.Regions {
		t := op.Operands[i].Type
		if err := argsMatch(r, []mlir.Type{t, t}); err != nil {
			return err
		}
		if err := endsWith(r, "scf.reduce.return", 0, []mlir.Type{t}); err != nil {
			return err
		}
	}
	return nil
}

func printReduce(p *mlir.Printer, op *mlir.Operation) {
	if len(op.Operands) > 0 {
		p.Text("(")
		p.Values(op.Operands)
		p.Text(" : ")
		p.TypesOf(op.Operands)
		p.Text(")")
	} else {
		p.Text(" ")
	}
	for i, r := range op.Regions {
		if i > 0 {
			p.Text(",")
		}
		p.Text(" ")
		p.Region(r, true, true)
	}
	p.OptionalAttrs(op.Attrs)
}

// parseExecute reads -> T { … } {…}.
func parseExecute(p *mlir.Parser, op *mlir.Operation) {
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	p.Region(op, nil)
	op.Attrs = p.AttrDict()
}

// verifyExecute checks that nothing is passed to the region.
func verifyExecute(op *mlir.Operation) error {
	if b := op.Regions[0].Blocks; len(b) == 0 || len(b[0].Args) > 0 {
		return fmt.Errorf("needs a region without arguments")
	}
	for _, b := range op.Regions[0].Blocks {
		if end := b.Terminator(); end != nil && end.Name == "scf.yield" && !mlir.SameTypes(mlir.TypesOf(end.Operands), mlir.TypesOf(op.Results)) {
			return fmt.Errorf("scf.yield passes %s, but %s is needed",
				mlir.TupleType{Elems: mlir.TypesOf(end.Operands)}, mlir.TupleType{Elems: mlir.TypesOf(op.Results)})
		}
	}
	return nil
}

func printExecute(p *mlir.Printer, op *mlir.Operation) {
	p.Arrow(mlir.TypesOf(op.Results))
	p.Text(" ")
	p.Region(op.Regions[0], false, true)
	p.OptionalAttrs(op.Attrs)
}

// parseSwitch reads %i {…} -> T case 2 { … } … default { … }.
func parseSwitch(p *mlir.Parser, op *mlir.Operation) {
	op.Operands = []*mlir.Value{p.Resolve(p.Operand(), mlir.Index)}
	attrs := p.AttrDict()
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.TypeList()...)
	}
	cases := mlir.DenseArrayAttr{Elem: mlir.I64, Ints: []int64{}}
	def := op.AddRegion() // the default comes first
	for p.Accept("case") {
		cases.Ints = append(cases.Ints, int64(p.Int()))
		ensureYield(p.Region(op, nil), op.Loc)
	}
	p.Expect("default")
	r := p.Region(op, nil)
	ensureYield(r, op.Loc)
	*def = *r
	for _, b := range def.Blocks {
		b.Region = def
	}
	op.Regions = op.Regions[:len(op.Regions)-1]
	op.Attrs = append(mlir.Attrs{{Name: "cases", Value: cases}}, attrs...)
}

func verifySwitch(op *mlir.Operation) error {
	cases, ok := mlir.IntList(op.Attrs.Get("cases"))
	if !ok || len(op.Regions) != len(cases)+1 {
		return fmt.Errorf("has %d case regions but %d case values", len(op.Regions)-1, len(cases))
	}
	seen := map[int]bool{}
	for _, c := range cases {
		if seen[c] {
			return fmt.Errorf("has duplicate case value: %d", c)
		}
		seen[c] = true
	}
	for _, r := range op.Regions {
		if err := endsWith(r, "scf.yield", 0, mlir.TypesOf(op.Results)); err != nil {
			return err
		}
	}
	return nil
}

func printSwitch(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.OptionalAttrs(op.Attrs, "cases")
	if len(op.Results) > 0 {
		p.Text(" -> ") // a list without parentheses
		p.TypesOf(op.Results)
	}
	p.Text(" ")
	cases, _ := mlir.IntList(op.Attrs.Get("cases"))
	for i, c := range cases {
		p.Newline()
		p.Text(fmt.Sprintf("case %d ", c))
		p.Region(op.Regions[1+i], false, true)
	}
	p.Newline()
	p.Text("default ")
	p.Region(op.Regions[0], false, len(op.Results) > 0)
}
