package serve

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestScoringInTurn: a prompt that is to be scored waits for the one before it, and no longer than its client does.
func TestScoringInTurn(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	m, err := llm.Load(path, llm.LoadOptions{Context: 64})
	require.NoError(t, err)
	defer m.Close()
	s := New(m, Options{})
	s.scoring <- struct{}{} // another prompt
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = s.score(ctx, []int{65, 66}, 0)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	<-s.scoring
	for range 2 {
		list, err := s.score(t.Context(), []int{65, 66}, 0)
		require.NoError(t, err)
		require.Len(t, list, 1)
	}
}
