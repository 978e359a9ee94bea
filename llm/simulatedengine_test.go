package llm

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/schedule"
)

// TestSimulationIsTheEngine: a model that is given requests computes in as many passes, reuses, preempts and generates
// as much as on paper.
func TestSimulationIsTheEngine(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	requests := []Request{{Prompt: 100, Answer: 30, Shared: 64}, {Prompt: 600, Answer: 5}, {Prompt: 70, Answer: 200, Shared: 64}, {Prompt: 33, Answer: 220},
		{Prompt: 100, Answer: 190, Shared: 64}, {Prompt: 40, Answer: 1}}
	for _, room := range []int{4 * 700, 608} {
		m, err := Load(path, LoadOptions{Context: 700, Sequences: 3, CacheTokens: room})
		require.NoError(t, err)
		m.engine.close()
		m.engine = &engine{m: m, Batch: schedule.New(room, 3, cache.Span{}), wake: make(chan struct{}, 1), done: make(chan struct{})}
		for i, r := range requests {
			prompt := make([]int, r.Prompt)
			for k := range prompt {
				if prompt[k] = 3 + (k*7+i*131)%256; k < r.Shared {
					prompt[k] = 3 + k
				}
			}
			_, err := m.start(context.Background(), prompt, Options{MaxTokens: r.Answer, IgnoreEnd: true})
			require.NoError(t, err)
		}
		want, err := Simulation{Context: 700, Sequences: 3, CacheTokens: room, Cost: second}.Simulate(context.Background(), requests)
		require.NoError(t, err)
		e := m.engine
		for len(e.Waiting)+len(e.Running) > 0 { // as work, in this goroutine
			require.False(t, e.begin())
			require.NoError(t, e.step())
		}
		e.begin()
		got := e.snapshot()
		require.Equal(t, room == 608, want.Stats.Preempted > 0)
		require.Positive(t, want.Stats.ReusedTokens)
		want.Stats.Running, want.Stats.FreePages = got.Running, got.FreePages
		require.Equal(t, got, want.Stats)
		require.InDelta(t, got.Passes, want.Seconds, 1e-9)
		require.InDelta(t, 2*got.Passes, want.Joules, 1e-9)
		close(e.done)
		require.NoError(t, m.Close())
	}
}

// second is a pass of a second.
func second(Pass, bool) (seconds, joules float64, err error) { return 1, 2, nil }
