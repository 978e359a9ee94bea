package serve

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	samplers "github.com/go-acap/acap/llm/sampling"
	"github.com/go-acap/acap/text/tokenizer"
)

// TestTold: a breaker without tokens is a mistake of the request, and an answer without a text is none.
func TestTold(t *testing.T) {
	j := &job{}
	breaker := fmt.Errorf("llm: %w", &samplers.BreakerError{Err: tokenizer.ErrSteps})
	require.ErrorContains(t, j.told(breaker), "dry_sequence_breakers: an expression takes too many steps")
	require.False(t, errors.Is(j.told(breaker), tokenizer.ErrSteps))
	answer := fmt.Errorf("llm: behind 3 tokens: %w", tokenizer.ErrSteps)
	require.Equal(t, answer, j.told(answer))
}
