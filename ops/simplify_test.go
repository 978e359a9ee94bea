package ops

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSimplificationsAreShown: the text test of canonicalization has a call of every operator that has a
// simplification.
func TestSimplificationsAreShown(t *testing.T) {
	text, err := os.ReadFile("../translate/passes/testdata/simplify_aten.mlir")
	require.NoError(t, err)
	for name, rules := range simplifications {
		require.NotNil(t, Lookup("aten."+name), name)
		require.NotEmpty(t, rules, name)
		require.Contains(t, string(text), "\"aten."+name+"\"(")
	}
}
