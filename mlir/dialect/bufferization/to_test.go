package bufferization_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/bufferization"
	_ "github.com/go-acap/acap/mlir/dialect/func"
)

// TestTypeOfTensor: the type of a tensor, which LLVM writes since release 20, is read, and the print has the form of
// release 19.
func TestTypeOfTensor(t *testing.T) {
	const text = `%0 = bufferization.to_tensor %arg0 restrict : memref<?xf32, strided<[?]>>`
	module, err := mlir.Parse("a.mlir", []byte("func.func @f(%arg0: memref<?xf32, strided<[?]>>) {\n"+text+" to tensor<?xf32>\nreturn\n}"))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	require.Contains(t, module.Text(mlir.PrintOptions{}), strings.TrimSpace(text)+"\n")
}
