package expand_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/expand"
)

// Packed weights are refused by a name that programs can ask for, with the way out.
func TestUnpackHasNoForm(t *testing.T) {
	module, err := mlir.Parse("f.mlir", []byte(`func.func @main(%0: tensor<1x34xui8>) -> tensor<1x32xf32> {
  %1 = "acap.unpack"(%0) {format = "q8_0"} : (tensor<1x34xui8>) -> tensor<1x32xf32>
  return %1 : tensor<1x32xf32>
}`))
	require.NoError(t, err)
	err = expand.ACAP(module)
	require.ErrorIs(t, err, expand.ErrNoForm)
	require.ErrorContains(t, err, "unpack the weights before")
}
