package math

import "github.com/go-acap/acap/mlir"

func fold(op *mlir.Operation, in []mlir.Attribute) []mlir.Folded { return nil }
