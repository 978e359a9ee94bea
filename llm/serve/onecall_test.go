package serve

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/reply"
)

// TestOneCall: without parallel calls the first call of an answer counts, with all of its arguments.
func TestOneCall(t *testing.T) {
	path := llmtest.File(t, llmtest.Small)
	m, err := llm.Load(path, llm.LoadOptions{Context: 64})
	require.NoError(t, err)
	defer m.Close()
	for one, want := range map[bool][]reply.Call{true: {{Name: "f", Arguments: `{"n":1}`}}, false: {{Name: "f", Arguments: `{"n":1}`}, {Index: 1, Name: "g", Arguments: "{}"}}} {
		f, r := &chatForm{s: &Server{model: m}, one: one, how: reply.Options{Tools: []json.RawMessage{[]byte("{}")}}}, new(result)
		for _, p := range []llm.Piece{{Text: `<tool_call>{"name":"f","arguments":{"n"`}, {Text: `:1}}</tool_call><tool_call>{"name":"g","arguments":{}`}, {Text: "}", Finish: "stop"}} {
			f.read(r, &p)
		}
		r.close()
		require.Equal(t, want, r.Calls)
		require.Len(t, f.whole(0, r)["message"].(map[string]any)["tool_calls"], len(want))
	}
}
