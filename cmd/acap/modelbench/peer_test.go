package modelbench

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestDiffer: differences are of finite elements; NaN and infinities count where they are not the same.
func TestDiffer(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	var p PeerFigures
	p.differ(buf.From([]float32{1, -2, inf, nan, inf, 3, nan}, 7), buf.From([]float32{1.5, -4, inf, nan, -inf, nan, 0}, 7))
	require.Equal(t, PeerFigures{Difference: 2, Largest: 4, Apart: 3}, p)
}
