package llm

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/gguf"
)

// TestRecommended reads what a file recommends for sampling.
func TestRecommended(t *testing.T) {
	f := &gguf.File{Metadata: map[string]any{}}
	s, err := recommended(f, 320)
	require.NoError(t, err)
	require.Equal(t, Options{}, s)
	f.Metadata = map[string]any{"general.sampling.temp": 0.75, "general.sampling.top_k": int64(-1), "general.sampling.top_p": 0.5, "general.sampling.min_p": 0.125,
		"general.sampling.xtc_probability": 0.25, "general.sampling.xtc_threshold": 0.0625, "general.sampling.penalty_last_n": int64(-1),
		"general.sampling.penalty_repeat": 1.5}
	s, err = recommended(f, 320)
	require.NoError(t, err)
	require.Equal(t, Options{Sampling: Sampling{Temperature: 0.75, TopK: -1, TopP: 0.5, MinP: 0.125, XTCProbability: 0.25, XTCThreshold: 0.0625, RepeatLast: -1,
		RepeatPenalty: 1.5}}, s)
	f.Metadata["general.sampling.penalty_last_n"] = int64(0)
	s, err = recommended(f, 320)
	require.NoError(t, err)
	require.Zero(t, s.RepeatPenalty)
	f.Metadata["general.sampling.top_p"] = 7.0
	_, err = recommended(f, 320)
	require.ErrorContains(t, err, "general.sampling: TopP is 7")
	f.Metadata = map[string]any{"general.sampling.temp": 0.75, "general.sampling.top_k": uint64(9), "general.sampling.min_p": 0.5, "general.sampling.mirostat": uint64(2),
		"general.sampling.mirostat_tau": 3.0, "general.sampling.mirostat_eta": 0.25, "general.sampling.sequence": "penalties;min_p;temperature"}
	s, err = recommended(f, 320)
	require.NoError(t, err)
	require.Equal(t, Options{Sampling: Sampling{Temperature: 0.75, MinP: 0.5, Mirostat: 2, MirostatTau: 3, MirostatEta: 0.25}}, s)
	for key, value := range map[string]any{"sequence": "temperature;top_k", "typical": 0.5, "top_p": "0.5"} {
		_, err = recommended(&gguf.File{Metadata: map[string]any{"general.sampling." + key: value}}, 320)
		require.ErrorContains(t, err, key+" is "+fmt.Sprint(value))
	}
}

// TestSuppressedTokens: tokens that a file says never come, as files of Gemma 4 do, never come.
func TestSuppressedTokens(t *testing.T) {
	const array, number = 9, 4
	le, key := binary.LittleEndian, "tokenizer.ggml.suppress_tokens"
	b := le.AppendUint64(le.AppendUint64(le.AppendUint32([]byte("GGUF"), 3), 0), 1)
	b = le.AppendUint32(append(le.AppendUint64(b, uint64(len(key))), key...), array)
	b = le.AppendUint32(le.AppendUint32(le.AppendUint64(le.AppendUint32(b, number), 2), 7), 300)
	f, err := gguf.Read(b, "x")
	require.NoError(t, err)
	o, err := recommended(f, 301)
	require.NoError(t, err)
	require.Equal(t, []SequenceBias{{Tokens: []int{7}, Bias: math.Inf(-1)}, {Tokens: []int{300}, Bias: math.Inf(-1)}}, o.Sequences)
	_, err = recommended(f, 300)
	require.ErrorContains(t, err, "has the token 300; there are 300")
}
