package lowering_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// A long function of unsigned numbers is lowered in parts. Its values are reinterpreted where it begins and
// ends, and nowhere between.
func TestUnsignedAcrossParts(t *testing.T) {
	var b strings.Builder
	b.WriteString("func.func @main(%v0: tensor<4xui8>) -> tensor<4xui8> {\n")
	const n = 300
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "%%v%d = \"aten.mul.Tensor\"(%%v%d, %%v%d) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>\n", i, i-1, i/2)
	}
	fmt.Fprintf(&b, "return %%v%d : tensor<4xui8>\n}", n-1)
	module, err := mlir.Parse("x.mlir", []byte(b.String()))
	require.NoError(t, err)
	require.NoError(t, lowering.ToLinalg(module))
	require.NoError(t, mlir.Verify(module))
	text := module.String()
	require.NotContains(t, text, "aten.")
	require.LessOrEqual(t, strings.Count(text, "tensor.bitcast"), 6, "one for each part that reads the argument, and the result's")
}
