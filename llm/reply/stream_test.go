package reply

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHarmonyStream: reasoning, text and calls of messages in channels come while the answer goes on. Answers are from
// https://github.com/openai/harmony/blob/main/docs/format.md, with marks as tokens.
func TestHarmonyStream(t *testing.T) {
	syntax := Of(func(text string) bool { return text == channelMark })
	for _, c := range []struct {
		tools  bool
		pieces []string
		want   []string // reasoning and text behind each piece, with names of functions, where their arguments begin
	}{
		{false, []string{channelMark, "analysis", messageMark, "2 + 2", " is 4", "<|end|>", "<|start|>", "assistant", channelMark, "final", messageMark, "It is", " 4."},
			[]string{"", "", "", "(2 + 2)", "( is 4)", "", "", "", "", "", "", "It is", " 4."}},
		{true, []string{channelMark, "analysis", messageMark, "Look.", "<|end|>", "<|start|>", "assistant", channelMark, "commentary", messageMark, "I look.", "<|end|>",
			"<|start|>", "assistant", " to=functions.f", channelMark, "commentary", "<|constrain|>", "json", messageMark, `{"n"`, `: 1}`, "<|call|>"},
			[]string{"", "", "", "(Look.)", "", "", "", "", "", "", "I look.", "", "", "", "", "", "", "", "", "", "f", "", ""}},
		{true, []string{" to", "=functions.f", channelMark, "commentary", messageMark, "{}", "<|call|>", "<|start|>", "assistant", channelMark, "final", messageMark, "a<", "b"},
			[]string{"", "", "", "", "", "f", "", "", "", "", "", "", "a", "<b"}},
		{false, []string{"plain", " text"}, []string{"plain", " text"}},
	} {
		o := Options{}
		if c.tools {
			o.Tools = []json.RawMessage{[]byte("{}")}
		}
		r := syntax.Reader(o)
		var got []string
		all := Part{}
		for i, piece := range c.pieces {
			known := r.Next(piece)
			if i == len(c.pieces)-1 {
				known.Add(r.End())
			}
			all.Add(known)
			text := known.Text
			if known.Reasoning != "" {
				text = "(" + known.Reasoning + ")" + text
			}
			for _, c := range known.Calls {
				text += c.Name
			}
			got = append(got, text)
		}
		r.Close()
		require.Equal(t, c.want, got)
		answer := strings.Join(c.pieces, "")
		require.Equal(t, read(syntax, o, answer, len(answer)), all, "as the whole answer")
	}
}
