package llm_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/llm"
)

// TestExplainToken: the programs of a token can be asked for, as of any lazy values, and tokens run these programs. An
// answer of 200 tokens is two programs.
func TestExplainToken(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	dev := acap.New(m)
	model := small(t, llm.LoadOptions{Context: 256, Device: dev})
	runs := func() int64 { return lazy.For(dev).Metrics().Timers["ExecuteTime"].Samples }
	n := 0
	for _, err := range model.Generate(context.Background(), "ab cd", llm.Options{IgnoreEnd: true, MaxTokens: 200}) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 200, n)
	before := runs()
	require.EqualValues(t, n, before)
	e, err := model.Explain(llm.Pass{Sequences: 1, Tokens: 1, Seen: 256})
	require.NoError(t, err)
	require.True(t, e.Cached)
	require.Greater(t, e.Calls, 50)
	require.NotEmpty(t, e.Lines)
	require.Equal(t, before, runs(), "nothing has run")
	why := lazy.For(dev).WhyRecompiled()
	require.Len(t, why, 2, "the prompt, and a token")
	require.EqualValues(t, 2, lazy.For(dev).Metrics().CompiledPrograms)

	_, err = model.Explain(llm.Pass{Sequences: 1, Tokens: 1, Seen: 77})
	require.ErrorContains(t, err, "no whole pages of 32")
	_, err = model.EmbedTokens([]int{1, -1})
	require.ErrorContains(t, err, "token -1 at place 1 is none of")
	_, err = model.Explain(llm.Pass{Sequences: 600, Tokens: 1, Seen: 256})
	require.ErrorContains(t, err, "a pass of 1 tokens of 600 sequences that see 256 places; the model takes up to 256 of 512")
}
