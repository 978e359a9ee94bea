package tensor

import "github.com/go-acap/acap/mlir"

func init() {
	named := func(name string) func(*mlir.Operation, int) string {
		return func(*mlir.Operation, int) string { return name }
	}
	const any = mlir.Variadic
	mlir.RegisterDialect(&mlir.Dialect{Name: "tensor", Upstream: true, Ops: []mlir.OpDef{
		{Name: "tensor.empty", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyDynamic(0), Parse: parseEmpty, Print: printEmpty},
		{Name: "tensor.extract", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyExtract, Parse: parseExtract, Print: printExtract,
			Fold: foldExtract, ResultName: named("extracted")},
		{Name: "tensor.insert", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyInsert, Parse: parseInsert, Print: printInsert,
			ResultName: named("inserted")},
		{Name: "tensor.cast", Traits: mlir.Pure, Operands: 1, Results: 1,
			Verify: verifyCast, Parse: mlir.ParseCast, Print: mlir.PrintCast,
			Fold: foldCast, ResultName: named("cast")},
		{Name: "tensor.bitcast", Traits: mlir.Pure, Operands: 1, Results: 1,
			Verify: verifyBitcast, Parse: mlir.ParseCast, Print: mlir.PrintCast, Fold: foldCast},
		{Name: "tensor.dim", Traits: mlir.Pure, Operands: 2, Results: 1,
			Verify: verifyDim, Parse: parseDim, Print: printDim,
			Fold: foldDim, ResultName: named("dim")},
		{Name: "tensor.rank", Traits: mlir.Pure, Operands: 1, Results: 1,
			Verify: verifyRank,
			Parse:  parseRank, Print: printRank, Fold: foldRank, ResultName: named("rank")},
		{Name: "tensor.from_elements", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyFromElements, Parse: parseFromElements, Print: printFromElements,
			ResultName: named("from_elements")},
		{Name: "tensor.splat", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifySplat, Parse: parseSplat, Print: printSplat, ResultName: named("splat")},
		{Name: "tensor.extract_slice", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyExtractSlice, Parse: parseExtractSlice, Print: printExtractSlice,
			Fold: foldExtractSlice, ResultName: named("extracted_slice")},
		{Name: "tensor.insert_slice", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyInsertSlice, Parse: parseInsertSlice, Print: printInsertSlice,
			ResultName: named("inserted_slice")},
		{Name: "tensor.pad", Traits: mlir.Pure | mlir.SingleBlock, Operands: any, Results: 1,
			Regions: 1, Verify: verifyPad, Parse: parsePad, Print: printPad,
			ResultName: named("padded")},
		{Name: "tensor.generate", Traits: mlir.Pure | mlir.SingleBlock, Operands: any, Results: 1,
			Regions: 1, Verify: verifyGenerate, Parse: parseGenerate, Print: printGenerate,
			ResultName: named("generated")},
		{Name: "tensor.expand_shape", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyExpandShape, Parse: parseExpandShape, Print: printExpandShape,
			Fold: foldReshape, ResultName: named("expanded")},
		{Name: "tensor.collapse_shape", Traits: mlir.Pure, Operands: 1, Results: 1,
			Verify: verifyCollapseShape, Parse: parseCollapseShape, Print: printCollapseShape,
			Fold: foldReshape, ResultName: named("collapsed")},
		{Name: "tensor.reshape", Traits: mlir.Pure, Operands: 2, Results: 1,
			Verify: verifyReshape, Parse: parseReshape, Print: printReshape,
			ResultName: named("reshape")},
		{Name: "tensor.concat", Traits: mlir.Pure, Operands: any, Results: 1,
			Verify: verifyConcat, Parse: parseConcat, Print: printConcat,
			ResultName: named("concat")},
		{Name: "tensor.yield", Traits: mlir.Pure | mlir.Terminator, Operands: 1, Parents: []string{"tensor.generate", "tensor.pad"},
			Parse: mlir.ParseReturn, Print: mlir.PrintReturn},
		gather.Def(), scatter.Def(), Pack("tensor.pack").Def(), Unpack("tensor.unpack").Def(), parallelInsertSlice.Def(),
	}})
}

// typeOf returns the ranked tensor type of a value.
func typeOf(v *mlir.Value) (mlir.TensorType, bool) {
	t, ok := v.Type.(mlir.TensorType)
	return t, ok
}

// elementOf returns the element type of a tensor type, or the type itself.
func elementOf(t mlir.Type) mlir.Type {
	switch t := t.(type) {
	case mlir.TensorType:
		return t.Elem
	case mlir.UnrankedTensorType:
		return t.Elem
	}
	return t
}

// dynamicDims counts the dynamic extents.
func dynamicDims(shape []int) int {
	n := 0
	for _, d := range shape {
		if d == mlir.Dynamic {
			n++
		}
	}
	return n
}
