package linalg

import "github.com/go-acap/acap/mlir"

func verifyStructured(op *mlir.Operation) error { return nil }
func verifyReduce(op *mlir.Operation) error     { return nil }
func verifyTranspose(op *mlir.Operation) error  { return nil }
func verifyBroadcast(op *mlir.Operation) error  { return nil }
func verifyIndex(op *mlir.Operation) error      { return nil }
