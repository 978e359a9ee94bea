package tokenizer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/tensor/gguf"
	"github.com/go-acap/acap/text/tokenizer"
)

// TestStreamOfBrokenText: bytes that make no character, and tokens without text, hold nothing up: what they cost does not grow with their number.
func TestStreamOfBrokenText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.gguf")
	require.NoError(t, llmtest.WriteGGUF(path, llmtest.Small))
	f, err := gguf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	k, err := tokenizer.FromGGUF(f)
	require.NoError(t, err)
	id := func(text string) int {
		i, ok := k.ID(text)
		require.True(t, ok)
		return i
	}
	for _, token := range []string{"<0x9F>", "<s>"} {
		s, text, most := k.Stream(), "", 0
		for range 3000 {
			piece := s.Next(id(token))
			text += piece
			most = max(most, len(piece))
		}
		if token == "<0x9F>" {
			require.Equal(t, strings.Repeat("\uFFFD", 3000), text+s.Flush())
			require.LessOrEqual(t, most, 3*9)
		} else {
			require.Empty(t, text+s.Flush())
		}
		if !race.Enabled {
			require.LessOrEqual(t, testing.AllocsPerRun(100, func() { s.Next(id(token)) }), 40.0)
		}
		// A character behind it comes as one.
		for range 9 {
			s.Next(id("a"))
		}
		require.Empty(t, s.Next(id("<0xC3>")))
		require.Equal(t, "é", s.Next(id("<0xA9>")))
	}
}
