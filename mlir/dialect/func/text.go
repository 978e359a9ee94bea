package funcdialect

import "github.com/go-acap/acap/mlir"

// own are the attributes that the custom form shows in places of their own.
var own = []string{"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"}

// Parse reads the custom form of a function, also of other dialects' functions: public? @name(%a: T {…}, …) -> (U {…})
// attributes {…} { … }.
func Parse(p *mlir.Parser, op *mlir.Operation) {
	visibility := ""
	switch v := p.NextKeyword(); v {
	case "public", "private", "nested":
		visibility = p.Keyword()
	}
	name := p.Symbol()
	args, inputs, argAttrs := parseArgs(p)
	results, resAttrs := parseResults(p)
	op.Attrs = mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{
			Type: mlir.FunctionType{Inputs: inputs, Results: results}}},
	}
	if visibility != "" {
		op.Attrs = append(op.Attrs, mlir.Named{
			Name: "sym_visibility", Value: mlir.StringAttr(visibility)})
	}
	op.Attrs = appendDicts(op.Attrs, "arg_attrs", argAttrs)
	op.Attrs = appendDicts(op.Attrs, "res_attrs", resAttrs)
	for _, n := range p.AttrDictWithKeyword() {
		if op.Attrs.Get(n.Name) != nil {
			p.Errorf("%q has a place of its own in the custom form", n.Name)
		}
		op.Attrs = append(op.Attrs, n)
	}
	if !p.Next("{") {
		op.AddRegion()
		return
	}
	if len(args) > 0 && len(args) != len(inputs) {
		p.Errorf("either all arguments of a function have names, or none")
	}
	// Without names the label of the first block has the arguments.
	if r := p.Region(op, args); len(r.Blocks) == 0 && !p.Failed() {
		p.Errorf("the body of a function has operations; a declaration has no braces")
	}
}

// parseArgs reads (%a: T {…}, …), or the types alone for a declaration.
func parseArgs(p *mlir.Parser) (args []mlir.BlockArg, types []mlir.Type, attrs []mlir.Attribute) {
	p.List("(", ")", func() {
		named := p.NextOperand()
		var ref mlir.Ref
		if named {
			ref = p.Operand()
			p.Expect(":")
		}
		t := p.Type()
		if named {
			args = append(args, mlir.BlockArg{Ref: ref, Type: t})
		}
		types = append(types, t)
		attrs = append(attrs, mlir.DictAttr(p.AttrDict()))
		p.SkipLocation()
	})
	return args, types, attrs
}

// parseResults reads -> T or -> (T {…}, …), or nothing.
func parseResults(p *mlir.Parser) (types []mlir.Type, attrs []mlir.Attribute) {
	if !p.Accept("->") {
		return nil, nil
	}
	if !p.Next("(") {
		return []mlir.Type{p.Type()}, nil
	}
	p.List("(", ")", func() {
		types = append(types, p.Type())
		attrs = append(attrs, mlir.DictAttr(p.AttrDict()))
	})
	return types, attrs
}

// appendDicts adds a list of dictionaries unless all are empty.
func appendDicts(attrs mlir.Attrs, name string, dicts []mlir.Attribute) mlir.Attrs {
	for _, d := range dicts {
		if len(d.(mlir.DictAttr)) > 0 {
			return append(attrs, mlir.Named{Name: name, Value: mlir.ArrayAttr(dicts)})
		}
	}
	return attrs
}

// Print writes what [Parse] reads.
func Print(p *mlir.Printer, op *mlir.Operation) {
	if v, ok := op.Attrs.Get("sym_visibility").(mlir.StringAttr); ok {
		p.Text(" " + string(v))
	}
	p.Text(" ")
	p.Symbol(op.Symbol())
	t := Type(op)
	body := op.Body()
	p.Text("(")
	for i, in := range t.Inputs {
		if i > 0 {
			p.Text(", ")
		}
		if body != nil && i < len(body.Args) {
			p.Value(body.Args[i])
			p.Text(": ")
		}
		p.Type(in)
		p.OptionalAttrs(dict(op, "arg_attrs", i))
	}
	p.Text(")")
	printResults(p, op, t)
	rest := op.Attrs
	for _, name := range own {
		rest = rest.Without(name)
	}
	if len(rest) > 0 {
		p.Text(" attributes ")
		p.Attrs(rest)
	}
	if body != nil {
		p.Text(" ")
		p.Region(op.Regions[0], false, true)
	}
}

func printResults(p *mlir.Printer, op *mlir.Operation, t mlir.FunctionType) {
	if op.Attrs.Get("res_attrs") == nil {
		p.Arrow(t.Results)
		return
	}
	p.Text(" -> (")
	for i, r := range t.Results {
		if i > 0 {
			p.Text(", ")
		}
		p.Type(r)
		p.OptionalAttrs(dict(op, "res_attrs", i))
	}
	p.Text(")")
}

// dict returns the i-th dictionary of a list attribute.
func dict(op *mlir.Operation, name string, i int) mlir.Attrs {
	list, _ := op.Attrs.Get(name).(mlir.ArrayAttr)
	if i >= len(list) {
		return nil
	}
	d, _ := list[i].(mlir.DictAttr)
	return mlir.Attrs(d)
}

// parseCall reads @f(%a, %b) {…} : (T, U) -> V.
func parseCall(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = mlir.Attrs{{Name: "callee", Value: mlir.SymbolRefAttr{p.Symbol()}}}
	mlir.ParseCall(p, op)
}

func printCall(p *mlir.Printer, op *mlir.Operation) { mlir.PrintCall(p, op, "callee") }
