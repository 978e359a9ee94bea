package tensor

import "github.com/go-acap/acap/mlir"

func verifyDynamic(first int) func(*mlir.Operation) error {
	return func(*mlir.Operation) error { return nil }
}
func verifyExtract(op *mlir.Operation) error       { return nil }
func verifyInsert(op *mlir.Operation) error        { return nil }
func verifyCast(op *mlir.Operation) error          { return nil }
func verifyBitcast(op *mlir.Operation) error       { return nil }
func verifyDim(op *mlir.Operation) error           { return nil }
func verifyFromElements(op *mlir.Operation) error  { return nil }
func verifySplat(op *mlir.Operation) error         { return nil }
func verifyExtractSlice(op *mlir.Operation) error  { return nil }
func verifyInsertSlice(op *mlir.Operation) error   { return nil }
func verifyPad(op *mlir.Operation) error           { return nil }
func verifyGenerate(op *mlir.Operation) error      { return nil }
func verifyExpandShape(op *mlir.Operation) error   { return nil }
func verifyCollapseShape(op *mlir.Operation) error { return nil }
func verifyReshape(op *mlir.Operation) error       { return nil }
func verifyConcat(op *mlir.Operation) error        { return nil }
