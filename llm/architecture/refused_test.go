package architecture

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefusedRunsNot: none of the kinds of models that are refused with a cause is read.
func TestRefusedRunsNot(t *testing.T) {
	for _, r := range refused {
		for _, name := range r.names {
			require.NotContains(t, kinds, name)
			require.False(t, slices.Contains(modelTypes(), name), name)
		}
	}
}
