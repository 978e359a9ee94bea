package tosa

import (
	"maps"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
	"github.com/go-acap/acap/mlir/dialect/scf"
)

func init() { mlir.RegisterDialect(&mlir.Dialect{Name: "tosa", Upstream: true, Define: define}) }

// define makes the definitions of all operations.
func define() []mlir.OpDef {
	const any = mlir.Variadic
	ops := []mlir.OpDef{
		assembly.Op{Name: "tosa.const", Traits: mlir.Pure | mlir.ConstantLike, Results: "output is tensor", Attrs: "value: elements"}.Def(),
		{Name: "tosa.cond_if", Operands: any, Results: any, Regions: 2, Traits: mlir.RecursiveEffects,
			Verify: chosen, Shows: never, Parse: parseChoice},
		{Name: "tosa.while_loop", Operands: any, Results: any, Regions: 2, Traits: mlir.RecursiveEffects,
			Verify: repeated, Parse: scf.ParseWhile, Print: scf.PrintWhile},
		{Name: "tosa.yield", Traits: mlir.Pure | mlir.Terminator, Operands: any,
			Parse: mlir.ParseReturn, Print: mlir.PrintReturn},
	}
	changed := map[string]mlir.OpDef{}
	for _, op := range version1() {
		op.Name, op.Traits = "tosa."+op.Name, mlir.Pure
		op.Parse, op.Print = parseFunctional, printFunctional
		if op.Name == "tosa.const" || op.Name == "tosa.const_shape" {
			op.Traits |= mlir.ConstantLike
		}
		changed[op.Name] = op.Def()
	}
	for _, op := range operations() {
		op.Name, op.Traits = "tosa."+op.Name, mlir.Pure
		op.Parse, op.Print = parseFunctional, printFunctional
		def := op.Def()
		if new, ok := changed[op.Name]; ok {
			def = either(def, new)
			delete(changed, op.Name)
		}
		ops = append(ops, def)
	}
	ops[0] = either(ops[0], changed["tosa.const"])
	delete(changed, "tosa.const")
	for _, name := range slices.Sorted(maps.Keys(changed)) { // what only 1.0 has
		ops = append(ops, changed[name])
	}
	return append(append(ops, variables()...), shapes()...)
}
