package tensor

import "github.com/go-acap/acap/mlir"

func foldExtract(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded      { return nil }
func foldCast(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded         { return nil }
func foldDim(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded          { return nil }
func foldRank(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded         { return nil }
func foldExtractSlice(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded { return nil }
func foldReshape(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded      { return nil }
