package rewrite

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector/blocks"
)

// TestMostRounded: products round any number of rows for the formats whose blocks have code.
func TestMostRounded(t *testing.T) {
	for f := dtype.Plain + 1; f < dtype.NumFormats; f++ {
		require.Equal(t, blocks.Read(f), mostRounded(f) == math.MaxInt, "%v", f)
	}
}
