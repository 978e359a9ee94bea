package engine

import "github.com/go-acap/acap/mlir"

func (g *graph) evaluate(op *mlir.Operation) { g.fail("reduction is of a form that is not supported") }
