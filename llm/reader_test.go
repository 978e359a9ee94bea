package llm_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/tensor"
)

// TestReaderComputes: the goroutine that reads an answer computes the tokens of a sequence that is alone, so that no
// other goroutine is woken for a token. Prompts, and the tokens of sequences that are together, are computed by another
// goroutine.
func TestReaderComputes(t *testing.T) {
	d := acap.Device()
	m := small(t, llm.LoadOptions{Device: d, Context: 256, Sequences: 2})
	mine, all := 0, 0
	defer lazy.For(d).OnRun(func(lazy.Run) {
		all++
		if stack := make([]byte, 1<<16); strings.Contains(string(stack[:runtime.Stack(stack, false)]), "GenerateTokens") {
			mine++
		}
	})()
	require.Len(t, tokensOf(t, m, "ab cd", llm.Options{MaxTokens: 10, IgnoreEnd: true}), 10)
	require.Equal(t, []int{9, 10}, []int{mine, all})
	mine, all = 0, 0
	n := 0
	for _, err := range m.Generate(context.Background(), "ab cd", llm.Options{MaxTokens: 100, IgnoreEnd: true}) {
		require.NoError(t, err)
		if n++; n == 5 { // the first answer is not read while the second is computed, and holds nobody up
			require.Equal(t, 4, mine)
			require.Len(t, tokensOf(t, m, "ef", llm.Options{MaxTokens: 20, IgnoreEnd: true}), 20)
			require.LessOrEqual(t, mine, 5, "the goroutine of the engine computes what is together")
		}
	}
	require.Equal(t, 100, n)
	require.Greater(t, mine, 60)
}

// TestReaderLeavesNoMark: what the reader's goroutine has set for what it records says nothing of a model's passes.
func TestReaderLeavesNoMark(t *testing.T) {
	d := acap.Device()
	m := small(t, llm.LoadOptions{Device: d, Context: 256})
	o := llm.Options{MaxTokens: 10, IgnoreEnd: true}
	want := tokensOf(t, m, "ab cd", o)
	compiled := lazy.For(d).Metrics().CompiledPrograms
	require.NoError(t, lazy.NoSync(func() {
		tensor.NoGrad(func() { require.Equal(t, want, tokensOf(t, m, "ab cd", o)) })
	}))
	require.Equal(t, compiled, lazy.For(d).Metrics().CompiledPrograms)
}

// TestReaderCloses: a model may be closed between two tokens of an answer that its reader computes.
func TestReaderCloses(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 256})
	n, last := 0, error(nil)
	for _, err := range m.Generate(context.Background(), "ab", llm.Options{IgnoreEnd: true}) {
		if n++; n == 5 {
			require.NoError(t, m.Close())
		}
		last = err
	}
	require.ErrorIs(t, last, llm.ErrClosed)
	require.Equal(t, 6, n)
}

// TestReaderCounts: whoever has read the end of an answer finds no sequence that runs, and all pages free.
func TestReaderCounts(t *testing.T) {
	m := small(t, llm.LoadOptions{Context: 256})
	for range 100 {
		require.Len(t, tokensOf(t, m, "ab", llm.Options{MaxTokens: 3, IgnoreEnd: true}), 3)
		s := m.Stats()
		require.Zero(t, s.Running)
		require.Equal(t, s.Pages, s.FreePages)
	}
}
