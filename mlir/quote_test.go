package mlir_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// TestQuotedNames: an operation whose name no custom form can spell is printed in quotes, also in a dialect that takes
// every name.
func TestQuotedNames(t *testing.T) {
	for _, dialect := range []string{"torch", "mhlo", "aten", "aiex", "unheard"} {
		for _, name := range []string{`\0Aop`, `an op`, `op(`, `\22op`, `op-er`} {
			text := fmt.Sprintf("module {\n  \"%s.%s\"() : () -> ()\n}\n", dialect, name)
			module, err := mlir.Parse("quoted.mlir", []byte(text))
			require.NoError(t, err)
			require.Equal(t, text, module.Text(mlir.PrintOptions{Pretty: true}))
		}
	}
}
