package conformance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestUpstreamDisagrees: results that differ are told.
func TestUpstreamDisagrees(t *testing.T) {
	s := &secondOpinion{want: []*buf.Buffer{buf.From([]float32{1, 0}, 2)}}
	near := []*buf.Buffer{buf.From([]float32{1 + 1e-6, 0}, 2)}
	require.NoError(t, s.agrees(near, false))
	require.ErrorContains(t, s.agrees(near, true), "1 of 2 elements differ")
	require.ErrorContains(t, s.agrees([]*buf.Buffer{buf.From([]float32{1.1, 0}, 2)}, false), "1 of 2 elements differ")
	negative := float32(math.Copysign(0, -1))
	require.ErrorContains(t, s.agrees([]*buf.Buffer{buf.From([]float32{1, negative}, 2)}, true), "got -0, expected 0")
	require.ErrorContains(t, s.agrees(nil, false), "0 results rather than 1")
}
