package serve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOneCall: without parallel calls the first call of an answer counts, in a stream and as a whole.
func TestOneCall(t *testing.T) {
	const text = `a<tool_call>{"name":"f"}</tool_call><tool_call>{"name":"g"}</tool_call>`
	for one, want := range map[bool][]string{true: {"f"}, false: {"f", "g"}} {
		f := &chatForm{forms: syntaxes, one: one}
		var streamed, whole result
		f.hold(&streamed, text, true)
		f.read(&whole, text)
		for _, calls := range [][]any{streamed.calls, whole.calls} {
			var names []string
			for _, c := range calls {
				names = append(names, c.(map[string]any)["function"].(map[string]any)["name"].(string))
			}
			require.Equal(t, want, names)
		}
	}
}

// TestToolCalls: calls are read wherever they stand, in the form that the template of the model has. What is no call is text. Texts are those that the
// templates of the models write for calls in the history of a chat.
func TestToolCalls(t *testing.T) {
	types := typesOf([]json.RawMessage{[]byte(`{"type":"function","function":{"name":"f","parameters":{"type":"object",
		"properties":{"s":{"type":"string"},"n":{"type":"integer"},"l":{"type":"array"}}}}}`)})
	const hermes, mistral, llama, deepseek, harmony = "<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "<｜tool▁calls▁begin｜>", "<|channel|>"
	for _, c := range []struct {
		mark, text string
		want       []string // the rest, then names and arguments
	}{
		{hermes, `a <tool_call> {"name":"f","arguments":{"x":1}} </tool_call> b`, []string{"a  b", "f", `{"x":1}`}},
		{hermes, `{"name":"f","parameters":{"x":1}}`, []string{"", "f", `{"x":1}`}},
		{hermes, `{"name":"f","arguments":"{\"x\":1}"}`, []string{"", "f", `{"x":1}`}},
		{hermes, ` {"name":"f"} `, []string{"", "f", `{}`}},
		{hermes, `<tool_call>{"name":"f"}</tool_call><tool_call>{"name":"g"}`, []string{"", "f", `{}`, "g", `{}`}},
		{hermes, `<tool_call>{"name":""}</tool_call> a`, []string{`<tool_call>{"name":""}</tool_call> a`}},
		{hermes, `<tool_call>{"name":`, []string{`<tool_call>{"name":`}},
		{hermes, ` {"a":1} `, []string{` {"a":1} `}},
		{hermes, `[TOOL_CALLS][{"name":"f"}]`, []string{`[TOOL_CALLS][{"name":"f"}]`}},
		{hermes, "<tool_call>f\n<arg_key>s</arg_key>\n<arg_value>1</arg_value>\n<arg_key>n</arg_key>\n<arg_value>1</arg_value>\n</tool_call>",
			[]string{"", "f", `{"s":"1","n":1}`}},
		{"<function=", "So:\n<tool_call>\n<function=f>\n<parameter=s>\n12\n 3\n</parameter>\n<parameter=l>\n[1, 2]\n</parameter>\n</function>\n</tool_call>",
			[]string{"So:", "f", `{"s":"12\n 3","l":[1, 2]}`}},
		{"<function=", "<function=f>\n</function>", []string{"", "f", `{}`}},
		{mistral, `[TOOL_CALLS][{"name": "f", "arguments": {"n": 1}, "id": "123456789"}, {"name": "g", "arguments": {}}]`,
			[]string{"", "f", `{"n": 1}`, "g", `{}`}},
		{mistral, `Yes.[TOOL_CALLS]f[ARGS]{"n": 1}[TOOL_CALLS]g[CALL_ID]123456789[ARGS]{}`, []string{"Yes.", "f", `{"n": 1}`, "g", `{}`}},
		{mistral, `[TOOL_CALLS]`, []string{`[TOOL_CALLS]`}},
		{llama, `<|python_tag|>{"name": "f", "parameters": {"n": 1}}; {"name": "g", "parameters": {}}`, []string{"", "f", `{"n": 1}`, "g", `{}`}},
		{llama, `{"name": "f", "parameters": {"n": 1}}; {"name": "g", "parameters": {}}`, []string{"", "f", `{"n": 1}`, "g", `{}`}},
		{llama, `<|python_tag|>brave_search.call(query="a, b", n=3)`, []string{"", "brave_search", `{"query":"a, b","n":3}`}},
		{llama, `<|python_tag|>print(1)`, []string{`<|python_tag|>print(1)`}},
		{deepseek, "a<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"n\": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
			[]string{"a", "f", `{"n": 1}`, "g", `{}`}},
		{deepseek, "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"n\": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", []string{"", "f", `{"n": 1}`}},
		{harmony, `<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n": 1}`,
			[]string{"", "f", `{"n": 1}`}},
		{harmony, ` to=functions.f<|channel|>commentary<|message|>{"n": 1}<|call|>`, []string{"", "f", `{"n": 1}`}},
		{harmony, `<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b`, []string{"b"}},
	} {
		forms := syntaxesOf(func(text string) bool { return text == c.mark || text == hermes && c.mark == "<function=" })
		form, whole := &chatForm{forms: forms, types: types, tools: true}, &result{text: c.text}
		got := []string{form.read(whole, c.text).text}
		for _, c := range whole.calls {
			function := c.(map[string]any)["function"].(map[string]any)
			got = append(got, function["name"].(string), function["arguments"].(string))
		}
		require.Equal(t, c.want, got, c.text)

		streamed, text := new(result), ""
		for i, b := range []byte(c.text) { // byte by byte
			streamed.text += string([]byte{b})
			text += form.hold(streamed, string([]byte{b}), i == len(c.text)-1).text
		}
		require.Equal(t, strings.Fields(c.want[0]), strings.Fields(text), c.text)
		require.Len(t, streamed.calls, len(whole.calls), c.text)
	}
	require.Equal(t, "Let me see.", toolCalls("<|channel|>analysis<|message|>Let me see.<|end|>", syntaxes, nil).reasoning)
}
