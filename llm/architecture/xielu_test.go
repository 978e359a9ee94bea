package architecture

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestXIELU reads one number for all layers, or one for each, and refuses others. A softplus of 0 is the logarithm of
// 2.
func TestXIELU(t *testing.T) {
	d := Description{Architecture: "apertus", Layers: 2}
	read := func(lists map[string][]float64) error {
		return d.SetXIELU(func(name string) []float64 { return lists[name] })
	}
	require.NoError(t, read(map[string][]float64{"alpha_p": {0}, "alpha_n": {0, -800}, "eps": {-0.25}}))
	require.Equal(t, []XIELU{{Positive: math.Ln2, Negative: 0.5 + math.Ln2, Beta: 0.5, Epsilon: -0.25}, {Positive: math.Ln2, Negative: 0.5, Beta: 0.5, Epsilon: -0.25}}, d.XIELU)
	require.ErrorContains(t, read(map[string][]float64{"alpha_p": {0}}), "0 numbers alpha_n for 2 layers")
	require.ErrorContains(t, read(map[string][]float64{"alpha_p": {0, 0, 0}, "alpha_n": {0}}), "3 numbers alpha_p for 2 layers")
}
