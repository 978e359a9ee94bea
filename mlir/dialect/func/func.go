package funcdialect

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

func init() {
	constant := assembly.Op{Name: "func.constant", Traits: mlir.Pure, Results: "result", Attrs: "value: sym", Refers: "value", RefersTo: "func.func", Agrees: ofFunction,
		Format: "attr-dict $value `:` type($result)", ResultName: "f"}
	mlir.RegisterDialect(&mlir.Dialect{Name: "func", Upstream: true, Ops: []mlir.OpDef{constant.Def(), {
		Name:     "func.call_indirect",
		Operands: mlir.Variadic,
		Results:  mlir.Variadic,
		Verify:   verifyIndirect,
		Parse:    parseIndirect,
		Print:    printIndirect,
	}, {
		Name:           "func.func",
		Traits:         mlir.IsolatedFromAbove,
		Regions:        1,
		Verify:         verifyFunc,
		Parse:          Parse,
		Print:          Print,
		DefaultDialect: "func",
	}, {
		Name:     "func.return",
		Traits:   mlir.Terminator,
		Operands: mlir.Variadic,
		Verify:   verifyReturn,
		Parse:    mlir.ParseReturn,
		Print:    mlir.PrintReturn,
	}, {
		Name:     "func.call",
		Operands: mlir.Variadic,
		Results:  mlir.Variadic,
		Verify:   verifyCall,
		Parse:    parseCall,
		Print:    printCall,
	}}})
}

// New appends a function to a module and returns it with a builder at the start
// of its body. The arguments are the Args of the body.
func New(module *mlir.Operation, name string, inputs, results []mlir.Type) (
	*mlir.Operation, *mlir.Builder) {
	f := Declare(module, name, inputs, results)
	f.Attrs = f.Attrs.Without("sym_visibility")
	return f, mlir.At(f.Regions[0].AddBlock(inputs...))
}

// Declare appends a private function without a body to a module.
func Declare(module *mlir.Operation, name string, inputs, results []mlir.Type) *mlir.Operation {
	f := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(name)},
		{Name: "function_type", Value: mlir.TypeAttr{
			Type: mlir.FunctionType{Inputs: inputs, Results: results}}},
		{Name: "sym_visibility", Value: mlir.StringAttr("private")},
	})
	f.AddRegion()
	return module.Body().Append(f)
}

// Return appends a return.
func Return(b *mlir.Builder, values ...*mlir.Value) *mlir.Operation {
	return b.Create("func.return", values, nil, nil)
}

// Call appends a call of f and returns its results.
func Call(b *mlir.Builder, f *mlir.Operation, args ...*mlir.Value) []*mlir.Value {
	return b.Create("func.call", args, Type(f).Results, mlir.Attrs{
		{Name: "callee", Value: mlir.SymbolRefAttr{f.Symbol()}}}).Results
}

// Type returns the type of a function.
func Type(f *mlir.Operation) mlir.FunctionType {
	t, _ := f.Attrs.Get("function_type").(mlir.TypeAttr)
	ft, _ := t.Type.(mlir.FunctionType)
	return ft
}

func verifyFunc(f *mlir.Operation) error {
	ta, ok := f.Attrs.Get("function_type").(mlir.TypeAttr)
	t, isFunc := ta.Type.(mlir.FunctionType)
	if _, named := f.Attrs.Get("sym_name").(mlir.StringAttr); !ok || !isFunc || !named {
		return fmt.Errorf("needs sym_name and function_type")
	}
	if err := verifyDicts(f, "arg_attrs", t.Inputs); err != nil {
		return err
	}
	if err := verifyDicts(f, "res_attrs", t.Results); err != nil {
		return err
	}
	body := f.Body()
	if body == nil {
		switch f.Attrs.Get("sym_visibility") {
		case nil, mlir.StringAttr("public"):
			return fmt.Errorf("a function without a body must be private")
		}
		return nil
	}
	if !mlir.SameTypes(mlir.TypesOf(body.Args), t.Inputs) {
		return fmt.Errorf("the arguments of the first block do not match the type %s", t)
	}
	return nil
}

// verifyDicts checks the attributes of arguments or results: a dictionary for each, with names of dialects.
func verifyDicts(f *mlir.Operation, name string, types []mlir.Type) error {
	a := f.Attrs.Get(name)
	if a == nil {
		return nil
	}
	list, ok := a.(mlir.ArrayAttr)
	if !ok || len(list) != len(types) {
		return fmt.Errorf("needs %d dictionaries in %s, not %s", len(types), name, a)
	}
	for i, e := range list {
		dict, ok := e.(mlir.DictAttr)
		if !ok {
			return fmt.Errorf("needs dictionaries in %s, not %s", name, e)
		}
		for _, one := range dict {
			if !strings.Contains(one.Name, ".") {
				return fmt.Errorf("arguments and results may only have attributes of dialects, not '%s'", one.Name)
			}
			if d := mlir.DialectOf(one.Name); d != nil && d.CheckArgument != nil {
				if err := d.CheckArgument(one.Name, one.Value, types[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func verifyReturn(op *mlir.Operation) error {
	f := op.Parent()
	if f == nil || f.Name != "func.func" {
		return fmt.Errorf("must be directly in a func.func")
	}
	want, got := Type(f).Results, mlir.TypesOf(op.Operands)
	if !mlir.SameTypes(want, got) {
		return fmt.Errorf("returns %s from @%s, which has results %s",
			mlir.TupleType{Elems: got}, f.Symbol(), mlir.TupleType{Elems: want})
	}
	return nil
}

// verifyCall checks what can be seen without the callee; the verifier of the
// module checks the rest.
func verifyCall(op *mlir.Operation) error {
	if _, ok := op.Attrs.Get("callee").(mlir.SymbolRefAttr); !ok {
		return fmt.Errorf("needs a callee")
	}
	return nil
}
