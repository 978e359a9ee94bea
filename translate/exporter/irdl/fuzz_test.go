package irdl_test

import (
	"testing"

	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
	"github.com/go-acap/acap/translate/exporter/irdl"
)

// FuzzAnnotate: what reads is annotated or refused.
func FuzzAnnotate(f *testing.F) {
	mlirtest.Fuzz(f, irdl.Annotate, "../../../mlir/dialect/testdata/aten.mlir", "../../../mlir/dialect/testdata/torch.mlir")
}
