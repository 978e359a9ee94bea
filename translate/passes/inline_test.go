package passes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// TestInlineLimit: calls that double at every level are refused before anything is
// copied.
func TestInlineLimit(t *testing.T) {
	const levels = 60
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "func.func private @g%d() { call @g%d() : () -> () call @g%d() : () -> () return }\n", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "func.func private @g%d() { return }\n", levels)
	module, err := mlir.Parse("x.mlir", []byte(b.String()))
	require.NoError(t, err)
	before := module.String()
	require.ErrorContains(t, run("inline", module), "inlining adds more than")
	require.Equal(t, before, module.String())
}
