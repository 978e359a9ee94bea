package stablehlo_test

import (
	"testing"

	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// FuzzLower: what reads is lowered or refused.
func FuzzLower(f *testing.F) {
	mlirtest.Fuzz(f, stablehlo.Lower, "../../../mlir/dialect/testdata/stablehlo.mlir", "../../../mlir/dialect/testdata/stablehlo_invalid.mlir")
}
