package buf_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClaim: memory that is kept or held is not claimed, and what is claimed cannot be held or taken.
func TestClaim(t *testing.T) {
	b := recyclable(1, 2)
	require.True(t, b.Hold())
	require.False(t, b.Claim())
	b.Release()
	require.True(t, b.Claim())
	require.False(t, b.Claim())
	require.False(t, b.Hold())
	require.False(t, b.Keep())
	require.Nil(t, b.Take(b.DType, b.Shape))
	b.Recyclable()
	require.True(t, b.Keep())
	require.False(t, b.Claim())
}
