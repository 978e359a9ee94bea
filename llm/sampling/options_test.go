package sampling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/sampling"
)

// TestBiasedTokens: a vocabulary of n tokens has the numbers 0 to n-1.
func TestBiasedTokens(t *testing.T) {
	for token, says := range map[int]string{-1: "option Bias has the token -1; there are 8", 0: "", 7: "", 8: "option Bias has the token 8; there are 8"} {
		o := sampling.Options{Bias: map[int]float64{token: 1}}
		if err := o.Check(8); says == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, says)
		}
	}
}

// TestBiasInOrder: of several tokens that a vocabulary does not have, an error always names the least.
func TestBiasInOrder(t *testing.T) {
	for range 50 {
		o := sampling.Options{Bias: map[int]float64{900: 1, 700: 1, 800: 1, 600: 1}}
		require.ErrorContains(t, o.Check(500), "token 600")
	}
}
