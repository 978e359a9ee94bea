package stablehlo_test

import (
	"testing"

	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/translate/exporter/stablehlo"
)

// FuzzExport: what reads is exported or refused.
func FuzzExport(f *testing.F) {
	const dir = "../../../mlir/dialect/testdata/"
	mlirtest.Fuzz(f, stablehlo.Export, dir+"linalg.mlir", dir+"tensor.mlir", dir+"acap.mlir", dir+"arith.mlir", dir+"aten.mlir", dir+"control_flow.mlir")
}
