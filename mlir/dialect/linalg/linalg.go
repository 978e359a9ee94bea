package linalg

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
)

// registerNamed registers the dialect once the table of named operations is whole.
func registerNamed() {
	const any = mlir.Variadic
	ops := []mlir.OpDef{{
		Name: "linalg.generic", Traits: structuredTraits, Operands: any, Results: any, Regions: 1,
		Verify: verifyStructured, Parse: parseGeneric, Print: printGeneric, ArgName: argName,
	}, {
		Name: "linalg.map", Traits: structuredTraits, Operands: any, Results: any, Regions: 1,
		Verify: verifyStructured, Parse: parseMap, Print: printMap,
		ArgName: argName, ResultName: named("mapped"),
	}, {
		Name: "linalg.reduce", Traits: structuredTraits, Operands: any, Results: any, Regions: 1,
		Verify: verifyReduce, Parse: parseReduce, Print: printReduce,
		ArgName: argName, ResultName: named("reduced"),
	}, {
		Name: "linalg.transpose", Traits: structuredTraits, Operands: 2, Results: any, Regions: 1,
		Verify: verifyTranspose, Parse: parseReorder("permutation"),
		Print: printReorder("permutation"), ResultName: named("transposed"),
	}, {
		Name: "linalg.broadcast", Traits: structuredTraits, Operands: 2, Results: any, Regions: 1,
		Verify: verifyBroadcast, Parse: parseReorder("dimensions"),
		Print: printReorder("dimensions"), ResultName: named("broadcasted"),
	}, {
		Name: "linalg.index", Traits: mlir.Pure, Results: 1,
		Verify: verifyIndex, Parse: parseIndex, Print: printIndex,
	}, {
		Name: "linalg.yield", Traits: mlir.Pure | mlir.Terminator, Operands: any, Parents: []string{"linalg."},
		Parse: mlir.ParseReturn, Print: mlir.PrintReturn,
	}, assembly.Op{
		Name: "linalg.softmax", Operands: "input is memref | tensor, output is memref | tensor", Results: "result*", Attrs: "dimension: i64",
		Rules: "shape(input, output), elem(input, output), type(output, result)", Verify: verifySoftmax,
		Format: "attr-dict `dimension` `(` $dimension `)` `ins` `(` $input `:` type($input) `)`" +
			" `outs` `(` $output `:` type($output) `)` (`->` type($result)^)?",
	}.Def(), winograd("filter", "filter"), winograd("input", "input"), winograd("output", "value"),
		tensordialect.Pack("linalg.pack").Def(), tensordialect.Unpack("linalg.unpack").Def()}
	for name := range namedOps {
		ops = append(ops, mlir.OpDef{
			Name: "linalg." + name, Traits: structuredTraits,
			Operands: any, Results: any, Regions: 1,
			Verify: verifyStructured, Parse: parseNamed, Print: printNamed,
		})
	}
	mlir.RegisterDialect(&mlir.Dialect{Name: "linalg", Upstream: true, Ops: ops})
}

// winograd is a transformation of Winograd's convolution with tiles of m by m results
// and filters of r by r.
func winograd(what, input string) mlir.OpDef {
	return assembly.Op{
		Name: "linalg.winograd_" + what + "_transform", Operands: input + ", output", Results: "result", Attrs: "m: i64, r: i64",
		Rules: "type(output, result)",
		Format: "attr-dict `m` `(` $m `)` `r` `(` $r `)` `ins` `(` $" + input + " `:` type($" + input + ") `)`" +
			" `outs` `(` $output `:` type($output) `)` `->` type($result)",
	}.Def()
}

const structuredTraits = mlir.SingleBlock | mlir.RecursiveEffects

func named(name string) func(*mlir.Operation, int) string {
	return func(*mlir.Operation, int) string { return name }
}

// argName names the arguments of a payload.
func argName(op *mlir.Operation, arg *mlir.Value) string {
	if arg.Index < len(Inputs(op)) {
		return "in"
	}
	if op.Name == "linalg.reduce" {
		return "init"
	}
	return "out"
}

// IsStructured reports whether op is a computation on a loop space: any operation
// of the dialect but index and yield.
func IsStructured(op *mlir.Operation) bool {
	def := op.Def()
	return len(op.Name) > 7 && op.Name[:7] == "linalg." && def != nil && def.Regions == 1
}
