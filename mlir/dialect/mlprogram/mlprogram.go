package mlprogram

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
)

func init() {
	registerOrdering()
	const pure = mlir.Pure
	function := func(name string, traits mlir.Trait) mlir.OpDef {
		return mlir.OpDef{Name: "ml_program." + name, Traits: traits | mlir.IsolatedFromAbove, Regions: 1,
			Parse: funcdialect.Parse, Print: funcdialect.Print}
	}
	end := func(name, parent string) assembly.Op {
		return assembly.Op{Name: "ml_program." + name, Traits: pure | mlir.Terminator, Operands: "operands_*",
			Parents: []string{"ml_program." + parent}, Verify: returns,
			Format: "attr-dict ($operands_^ `:` type($operands_))?"}
	}
	assembly.Register("ml_program", []assembly.Op{
		end("return", "func"), end("output", "subgraph"),
		{Name: "ml_program.token", Traits: pure, Results: "token: !ml_program.token", Format: "attr-dict"},
		{Name: "ml_program.global_load", Results: "result", Attrs: "global: sym", Refers: "global", RefersTo: "ml_program.global", Agrees: ofGlobal,
			Format: "$global attr-dict `:` type($result)"},
		{Name: "ml_program.global_load_const", Traits: pure, Results: "result", Attrs: "global: sym", Refers: "global", RefersTo: "ml_program.global", Agrees: ofGlobal,
			Format: "$global attr-dict `:` type($result)"},
		{Name: "ml_program.global_store", Operands: "value", Attrs: "global: sym", Refers: "global", RefersTo: "ml_program.global", Agrees: ofGlobal,
			Format: "$global `=` $value attr-dict `:` type($value)"},
		{Name: "ml_program.global_load_graph", Operands: "consumeTokens*: !ml_program.token",
			Results: "result, produceToken?", Attrs: "global: sym", Refers: "global", RefersTo: "ml_program.global", Agrees: ofGlobal,
			Format: "$global custom<TokenOrdering>($consumeTokens, $produceToken) `:` type($result) attr-dict"},
		{Name: "ml_program.global_store_graph", Operands: "value, consumeTokens*: !ml_program.token",
			Results: "produceToken?", Attrs: "global: sym", Refers: "global", RefersTo: "ml_program.global", Agrees: ofGlobal,
			Format: "$global `=` $value custom<TokenOrdering>($consumeTokens, $produceToken) `:` type($value) attr-dict"},
	}, function("func", 0), function("subgraph", mlir.GraphRegion|mlir.SingleBlock), mlir.OpDef{
		Name: "ml_program.global", Parse: parseGlobal, Print: printGlobal, Verify: verifyGlobal,
	})
}

func verifyGlobal(op *mlir.Operation) error {
	if _, ok := op.Attrs.Get("type").(mlir.TypeAttr); !ok {
		return fmt.Errorf("needs a type")
	}
	if _, ok := op.Attrs.Get("sym_name").(mlir.StringAttr); !ok {
		return fmt.Errorf("needs a name")
	}
	if op.Attrs.Get("is_mutable") == nil && op.Attrs.Get("value") == nil {
		return fmt.Errorf("needs a value, as it never changes")
	}
	return nil
}

// ofGlobal checks that a load or store fits the global: its type, and whether it may change.
func ofGlobal(op, global *mlir.Operation) error {
	a, _ := global.Attrs.Get("type").(mlir.TypeAttr)
	mutable := global.Attrs.Get("is_mutable") != nil
	var v *mlir.Value
	switch op.Name {
	case "ml_program.global_store", "ml_program.global_store_graph":
		if v = op.Operands[0]; !mutable {
			return fmt.Errorf("the global does not change")
		}
	default:
		if v = op.Results[0]; mutable && op.Name == "ml_program.global_load_const" {
			return fmt.Errorf("the global may change")
		}
	}
	if a.Type != nil && !mlir.SameType(v.Type, a.Type) {
		return fmt.Errorf("the global is of type %s, not %s", a.Type, v.Type)
	}
	return nil
}

// returns checks that a function gives what its type says.
func returns(op *mlir.Operation) error {
	f := op.Parent()
	if f == nil {
		return nil
	}
	a, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, ok := a.Type.(mlir.FunctionType)
	if got := mlir.TypesOf(op.Operands); ok && !mlir.SameTypes(got, t.Results) {
		return fmt.Errorf("passes %s, but %s is needed", mlir.TupleType{Elems: got}, mlir.TupleType{Elems: t.Results})
	}
	return nil
}

// parseGlobal reads private mutable @name(value) : T {…}.
func parseGlobal(p *mlir.Parser, op *mlir.Operation) {
	var attrs mlir.Attrs
	switch word := p.NextKeyword(); word {
	case "public", "private", "nested":
		p.Keyword()
		attrs = append(attrs, mlir.Named{Name: "sym_visibility", Value: mlir.StringAttr(word)})
	}
	if p.Accept("mutable") {
		attrs = append(attrs, mlir.Named{Name: "is_mutable", Value: mlir.UnitAttr{}})
	}
	attrs = append(attrs, mlir.Named{Name: "sym_name", Value: mlir.StringAttr(p.Symbol())})
	var value mlir.Attribute
	if p.Accept("(") {
		value = p.Attr()
		p.Expect(")")
	}
	p.Expect(":")
	attrs = append(attrs, mlir.Named{Name: "type", Value: mlir.TypeAttr{Type: p.Type()}})
	if value != nil {
		attrs = append(attrs, mlir.Named{Name: "value", Value: value})
	}
	op.Attrs = append(attrs, p.AttrDict()...)
	op.SetResults()
}

func printGlobal(p *mlir.Printer, op *mlir.Operation) {
	if v, ok := op.Attrs.Get("sym_visibility").(mlir.StringAttr); ok {
		p.Text(" " + string(v))
	}
	if op.Attrs.Get("is_mutable") != nil {
		p.Text(" mutable")
	}
	name, _ := op.Attrs.Get("sym_name").(mlir.StringAttr)
	p.Text(" ")
	p.Symbol(string(name))
	if v := op.Attrs.Get("value"); v != nil {
		p.Text("(")
		p.Attr(v)
		p.Text(")")
	}
	t, _ := op.Attrs.Get("type").(mlir.TypeAttr)
	p.Text(" : ")
	p.Type(t.Type)
	p.OptionalAttrs(op.Attrs, "sym_visibility", "is_mutable", "sym_name", "value", "type")
}
