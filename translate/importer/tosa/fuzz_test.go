package tosa_test

import (
	"testing"

	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/translate/importer/tosa"
)

// FuzzLower: what reads is lowered or refused.
func FuzzLower(f *testing.F) {
	mlirtest.Fuzz(f, tosa.Lower, "../../../mlir/dialect/testdata/tosa.mlir", "../../../mlir/dialect/testdata/tosa_invalid.mlir")
}
