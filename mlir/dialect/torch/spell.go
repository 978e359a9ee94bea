package torch

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Spell changes the types of a module to a spelling in which every parameter is an attribute or
// a type of MLIR's own syntax, which definitions in IRDL need: a list is !torch.list<!torch.int>, an unknown extent is
// -1, and an unknown shape or element type is unit. The text reads back as the same types do.
func Spell(module *mlir.Operation) {
	module.Walk(func(op *mlir.Operation) {
		for _, v := range op.Results {
			v.Type = spelled(v.Type)
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, v := range b.Args {
					v.Type = spelled(v.Type)
				}
			}
		}
		a, _ := op.Attrs.Get("function_type").(mlir.TypeAttr)
		if t, ok := a.Type.(mlir.FunctionType); ok {
			op.Attrs = op.Attrs.With("function_type", mlir.TypeAttr{Type: mlir.FunctionType{
				Inputs: allSpelled(t.Inputs), Results: allSpelled(t.Results)}})
		}
	})
}

func allSpelled(types []mlir.Type) []mlir.Type {
	out := make([]mlir.Type, len(types))
	for i, t := range types {
		out[i] = spelled(t)
	}
	return out
}

func spelled(t mlir.Type) mlir.Type {
	o, ok := t.(mlir.OpaqueType)
	if !ok || o.Dialect != "torch" {
		return t
	}
	if elem, ok := strings.CutPrefix(o.Text, "list<"); ok {
		return Type("list<" + spelled(Type(strings.TrimSuffix(elem, ">"))).String() + ">")
	}
	if o.Text == "vtensor" {
		return Type("vtensor<unit, unit>")
	}
	return Type(strings.ReplaceAll(o.Text, "?", "-1"))
}

// Short is the name of a type of the dialect, int or list<float>, in whichever spelling it is.
func Short(t mlir.Type) string {
	o, _ := t.(mlir.OpaqueType)
	return strings.ReplaceAll(o.Text, "!torch.", "")
}
