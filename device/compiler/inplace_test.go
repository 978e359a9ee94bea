package compiler_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/compiler"
)

// TestInPlaceInText: tensors of a text are values, so that an operator which writes its operand has no place there; the
// error names the one that gives the new value.
func TestInPlaceInText(t *testing.T) {
	for operation, functional := range map[string]string{
		`"aten.relu_"(%x)`:                        "aten.relu",
		`"aten.add_.Tensor"(%x, %x)`:              "aten.add.Tensor",
		`"aten.squeeze_.dim"(%x) {dim = 0 : i64}`: "aten.squeeze.dim",
	} {
		operands := "(tensor<4xf32>)"
		if functional == "aten.add.Tensor" {
			operands = "(tensor<4xf32>, tensor<4xf32>)"
		}
		_, err := compiler.Compile(context.Background(), parse(t, "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = "+
			operation+" : "+operands+" -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}"))
		require.ErrorContains(t, err, "test.mlir:2:8: ")
		require.ErrorContains(t, err, "the operation writes its operand, and the tensors of a program are values: "+functional+" gives the new one")
	}
}
