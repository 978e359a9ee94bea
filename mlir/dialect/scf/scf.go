package scf

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

func init() {
	const any = mlir.Variadic
	mlir.RegisterDialect(&mlir.Dialect{Name: "scf", Upstream: true, Ops: []mlir.OpDef{{
		Name: "scf.for", Traits: mlir.SingleBlock | mlir.RecursiveEffects,
		Operands: any, Results: any, Regions: 1,
		Verify: verifyFor, Parse: parseFor, Print: printFor,
	}, {
		Name: "scf.if", Traits: mlir.SingleBlock | mlir.RecursiveEffects,
		Operands: 1, Results: any, Regions: 2,
		Verify: verifyIf, Parse: parseIf, Print: printChoice,
	}, {
		Name: "scf.while", Traits: mlir.SingleBlock, Operands: any, Results: any, Regions: 2,
		Verify: verifyWhile, Parse: ParseWhile, Print: PrintWhile,
	}, {
		Name: "scf.yield", Traits: mlir.Pure | mlir.Terminator, Operands: any,
		Parents: []string{"scf.execute_region", "scf.for", "scf.if", "scf.index_switch", "scf.while"},
		Parse:   mlir.ParseReturn, Print: mlir.PrintReturn,
	}, {
		Name: "scf.parallel", Traits: mlir.SingleBlock | mlir.RecursiveEffects,
		Operands: any, Results: any, Regions: 1,
		Verify: verifyParallel, Parse: parseParallel, Print: printParallel,
	}, {
		Name: "scf.reduce", Traits: mlir.Terminator | mlir.RecursiveEffects, Operands: any, Regions: any,
		Verify: verifyReduce, Parse: parseReduce, Print: printReduce,
	}, assembly.Op{
		Name: "scf.reduce.return", Traits: mlir.Pure | mlir.Terminator, Operands: "result",
		Parents: []string{"scf.reduce"},
		Format:  "$result attr-dict `:` type($result)",
	}.Def(), {
		Name: "scf.forall", Traits: mlir.SingleBlock | mlir.RecursiveEffects,
		Operands: any, Results: any, Regions: 1,
		Verify: verifyForall, Parse: parseForall, Print: printForall,
	}, {
		Name: "scf.forall.in_parallel", Traits: mlir.Terminator | mlir.SingleBlock | mlir.NoTerminator | mlir.RecursiveEffects,
		Regions: 1, Verify: verifyInParallel, Parents: []string{"scf.forall"}, Parse: parseInParallel, Print: printInParallel,
	}, {
		Name: "scf.execute_region", Traits: mlir.RecursiveEffects, Results: any, Regions: 1,
		Verify: verifyExecute, Parse: parseExecute, Print: printExecute,
	}, {
		Name: "scf.index_switch", Traits: mlir.SingleBlock | mlir.RecursiveEffects,
		Operands: 1, Results: any, Regions: any,
		Verify: verifySwitch, Parse: parseSwitch, Print: printSwitch,
	}, {
		Name: "scf.condition", Traits: mlir.Pure | mlir.Terminator, Operands: any,
		Parents: []string{"scf.while"},
		Verify:  verifyCondition, Parse: parseCondition, Print: printCondition,
	}}})
}

// For appends a loop over from ≤ i < to by step that carries values. Body returns
// their next values; the results are the last ones.
func For(b *mlir.Builder, from, to, step *mlir.Value, inits []*mlir.Value,
	body func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value) []*mlir.Value {
	operands := append([]*mlir.Value{from, to, step}, inits...)
	op := mlir.NewOp("scf.for", operands, mlir.TypesOf(inits), nil)
	block := op.AddRegion().AddBlock(mlir.TypesOf(operands[2:])...)
	inner := b.In(block)
	inner.Create("scf.yield", body(inner, block.Args[0], block.Args[1:]), nil, nil)
	return b.Insert(op).Results
}

// If appends a choice between two computations of values of the given types.
func If(b *mlir.Builder, condition *mlir.Value, results []mlir.Type,
	yes, no func(b *mlir.Builder) []*mlir.Value) []*mlir.Value {
	op := mlir.NewOp("scf.if", []*mlir.Value{condition}, results, nil)
	for _, branch := range []func(b *mlir.Builder) []*mlir.Value{yes, no} {
		r := op.AddRegion()
		if branch != nil {
			inner := b.In(r.AddBlock())
			inner.Create("scf.yield", branch(inner), nil, nil)
		}
	}
	return b.Insert(op).Results
}

// endsWith checks that the last operation of a region is of the given name and
// passes values of the given types, the first skip of them aside.
func endsWith(r *mlir.Region, name string, skip int, types []mlir.Type) error {
	if len(r.Blocks) != 1 {
		return fmt.Errorf("has %d blocks in a region, not one", len(r.Blocks))
	}
	t := r.Blocks[0].Terminator()
	if t == nil || t.Name != name || len(t.Operands) < skip {
		return fmt.Errorf("a region must end with %s", name)
	}
	if got := mlir.TypesOf(t.Operands[skip:]); !mlir.SameTypes(got, types) {
		return fmt.Errorf("%s passes %s, but %s is needed", name,
			mlir.TupleType{Elems: got}, mlir.TupleType{Elems: types})
	}
	return nil
}

func argsMatch(r *mlir.Region, types []mlir.Type) error {
	if len(r.Blocks) != 1 || !mlir.SameTypes(mlir.TypesOf(r.Blocks[0].Args), types) {
		return fmt.Errorf("a region must take the arguments %s", mlir.TupleType{Elems: types})
	}
	return nil
}

func verifyFor(op *mlir.Operation) error {
	if len(op.Operands) < 3 {
		return fmt.Errorf("needs two bounds and a step")
	}
	t := op.Operands[0].Type
	if !mlir.SameType(t, op.Operands[1].Type) || !mlir.SameType(t, op.Operands[2].Type) {
		return fmt.Errorf("the bounds and the step must be of one type")
	}
	switch t := t.(type) {
	case mlir.IndexType:
	case mlir.IntegerType:
		if t.Signedness != mlir.Signless {
			return fmt.Errorf("counts by index or integers without a sign, not by %s", t)
		}
	default:
		return fmt.Errorf("counts by index or integers, not by %s", t)
	}
	if a := op.Attrs.Get(unsignedAttr); a != nil && a != (mlir.UnitAttr{}) {
		return fmt.Errorf("%s is there or not, and has no value %s", unsignedAttr, a)
	}
	carried := mlir.TypesOf(op.Operands[3:])
	if !mlir.SameTypes(carried, mlir.TypesOf(op.Results)) {
		return fmt.Errorf("results and initial values must be of the same types")
	}
	if err := argsMatch(op.Regions[0], append([]mlir.Type{t}, carried...)); err != nil {
		return err
	}
	return endsWith(op.Regions[0], "scf.yield", 0, carried)
}

func verifyIf(op *mlir.Operation) error {
	if !mlir.SameType(op.Operands[0].Type, mlir.I1) {
		return fmt.Errorf("the condition must be i1, not %s", op.Operands[0].Type)
	}
	types := mlir.TypesOf(op.Results)
	if len(op.Regions[1].Blocks) == 0 {
		if len(types) > 0 {
			return fmt.Errorf("one with results needs an else")
		}
	} else if err := endsWith(op.Regions[1], "scf.yield", 0, types); err != nil {
		return err
	}
	for _, r := range op.Regions {
		if len(r.Blocks) == 0 {
			continue
		}
		if err := argsMatch(r, nil); err != nil {
			return err
		}
	}
	return endsWith(op.Regions[0], "scf.yield", 0, types)
}

func verifyWhile(op *mlir.Operation) error {
	inits, results := mlir.TypesOf(op.Operands), mlir.TypesOf(op.Results)
	before, after := op.Regions[0], op.Regions[1]
	for _, err := range []error{
		argsMatch(before, inits),
		argsMatch(after, results),
		endsWith(before, "scf.condition", 1, results),
		endsWith(after, "scf.yield", 0, inits),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func verifyCondition(op *mlir.Operation) error {
	if len(op.Operands) == 0 || !mlir.SameType(op.Operands[0].Type, mlir.I1) {
		return fmt.Errorf("needs an i1 first")
	}
	return nil
}
