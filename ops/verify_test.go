package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// TestVerifier: an attribute of an operation of aten that has no effect is an error, as is a missing argument.
func TestVerifier(t *testing.T) {
	const same = " : (tensor<4x8xf32>) -> tensor<4x8xf32>"
	for text, want := range map[string]string{
		`"aten.gelu"(%x) {approximate = "tanh"}` + same:                             "",
		`"aten.gelu"(%x) {layer_name = "a", acap.note = 1}` + same:                  "",
		`"aten.gelu"(%x) {aproximate = "tanh"}` + same:                              "gelu: has no argument aproximate; did you mean approximate?",
		`"aten.softmax.int"(%x) {dmi = 1}` + same:                                   "softmax.int: has no argument dmi; did you mean dim?",
		`"aten.softmax.int"(%x)` + same:                                             "softmax.int: argument dim is missing",
		`"aten.relu"(%open) : (tensor<?x8xf32>) -> tensor<?x8xf32>`:                 "operand 0 is of type tensor<?x8xf32> with an open extent",
		`"aten.mm"(%x, %w) : (tensor<4x8xf32>, tensor<8x?xf32>) -> tensor<4x2xf32>`: "operand 1 is of type tensor<8x?xf32> with an open extent",
		`"aten.to.device"(%x) {dtype = f16} : (tensor<4x8xf32>) -> tensor<4x8xf16>`: "",
	} {
		module, err := mlir.Parse("m.mlir", []byte("func.func @main(%x: tensor<4x8xf32>, %open: tensor<?x8xf32>, %w: tensor<8x?xf32>) {\n  %0 = "+text+"\n  return\n}"))
		require.NoError(t, err, text)
		err = mlir.Verify(module)
		if want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}
