package lazy

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpareCalls: the memory of a state's calls is the state's alone.
func TestSpareCalls(t *testing.T) {
	s := &state{}
	of := newCall(s)
	of.spare()
	require.NotSame(t, of, newCall(nil))
	require.Same(t, of, newCall(s))
}
