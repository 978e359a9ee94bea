package serve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHarmonyStream: reasoning, text and calls of messages in channels come while the answer goes on. Answers are those of
// https://github.com/openai/harmony/blob/main/docs/format.md, with marks as tokens.
func TestHarmonyStream(t *testing.T) {
	forms := syntaxesOf(func(text string) bool { return text == channelMark })
	for _, c := range []struct {
		tools  bool
		pieces []string
		want   []string // reasoning and text behind each piece, with names of functions
	}{
		{false, []string{channelMark, "analysis", messageMark, "2 + 2", " is 4", "<|end|>", "<|start|>", "assistant", channelMark, "final", messageMark, "It is", " 4."},
			[]string{"", "", "", "(2 + 2)", "( is 4)", "", "", "", "", "", "", "It is", " 4."}},
		{true, []string{channelMark, "analysis", messageMark, "Look.", "<|end|>", "<|start|>", "assistant", channelMark, "commentary", messageMark, "I look.", "<|end|>",
			"<|start|>", "assistant", " to=functions.f", channelMark, "commentary", "<|constrain|>", "json", messageMark, `{"n"`, `: 1}`, "<|call|>"},
			[]string{"", "", "", "(Look.)", "", "", "", "", "", "", "I look.", "", "", "", "", "", "", "", "", "", "", "", "f"}},
		{true, []string{" to", "=functions.f", channelMark, "commentary", messageMark, "{}", "<|call|>", "<|start|>", "assistant", channelMark, "final", messageMark, "a<", "b"},
			[]string{"", "", "", "", "", "", "f", "", "", "", "", "", "a", "<b"}},
		{false, []string{"plain", " text"}, []string{"plain", " text"}},
	} {
		f, r, whole := &chatForm{forms: forms, tools: c.tools}, new(result), new(result)
		var got []string
		all := found{}
		for i, piece := range c.pieces {
			first := len(r.calls)
			r.text += piece
			known := f.hold(r, piece, i == len(c.pieces)-1)
			all.text, all.reasoning = all.text+known.text, all.reasoning+known.reasoning
			if known.reasoning != "" {
				known.text = "(" + known.reasoning + ")" + known.text
			}
			for _, c := range r.calls[first:] {
				known.text += c.(map[string]any)["function"].(map[string]any)["name"].(string)
			}
			got = append(got, known.text)
		}
		require.Equal(t, c.want, got)
		at := f.read(whole, strings.Join(c.pieces, ""))
		require.Equal(t, []string{at.text, at.reasoning}, []string{all.text, all.reasoning}, "as the whole answer")
		require.Len(t, whole.calls, len(r.calls))
	}
}
