package arith

import "github.com/go-acap/acap/mlir"

func foldArithmetic(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded { return nil }
func foldCompare(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded    { return nil }
func foldSelect(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded     { return nil }
func foldCast(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded       { return nil }
