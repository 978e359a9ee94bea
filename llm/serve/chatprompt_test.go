package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
)

// TestChatPrompt: a template is given messages in the form that it reads, as llama-server 0.7.0 gives them, whose
// prompts these are. Of the reasoning in front of a call this holds for the template of GPT-OSS alone, whose name for
// reasoning is here in a smaller template.
func TestChatPrompt(t *testing.T) {
	const (
		call = `[{"role":"user","content":"a"},{"role":"assistant","content":null,"reasoning_content":"r","tool_calls":[{"id":"call00001","type":"function",` +
			`"function":{"arguments":"{\"z\": 1, \"b\": [\"<\"]}","name":"f"}}]},{"role":"tool","tool_call_id":"call00001","content":"b"}]`
		parts  = `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"assistant","content":"c"},{"role":"user","content":"d"}]`
		result = `[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"call00001","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
			`{"role":"tool","tool_call_id":"call00001","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}]`
	)
	turn := func(text string) string { return `{% for m in messages %}<{{ m.role }}>` + text + `{% endfor %}` }
	for _, c := range []struct{ template, messages, want string }{
		{turn(`{{ m.content }}{% for c in m.tool_calls %}{{ c.function.name + ":" + c.function.arguments }}{% endfor %}`), call,
			`<user>a<assistant>f:{"z": 1, "b": ["<"]}<tool>b`},
		{turn(`{{ m.content }}{% for c in m.tool_calls %}{{ c.function | tojson }}{% endfor %}`), call,
			`<user>a<assistant>{"name": "f", "arguments": {"z": 1, "b": ["<"]}}<tool>b`},
		{turn(`{{ m.content }}{% for c in m.tool_calls %}{{ c.function.arguments }}{% endfor %}`), call, `<user>a<assistant>{"z": 1, "b": ["<"]}<tool>b`},
		{turn(`{{ m.thinking }}{{ m.content }}`), call, `<user>a<assistant>r<tool>b`},
		{`{% for t in tools %}{{ t.function.name }}{% endfor %}` + turn(`{{ m.content }}`), `[{"role":"user","content":"a"}]`, "<user>a"},
		{turn(`{{ m.content }}`), parts, "<user>a\nb<assistant>c<user>d"},
		{turn(`{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}`), parts,
			"<user>ab<assistant>c<user>d"},
		{turn(`{% for p in m.content %}{{ p["text"] }}{% endfor %}`), parts, "<user>ab<assistant>c<user>d"},
		{turn(`{% if m.role == "tool" %}{{ m.content | tojson }}{% else %}{{ m.content }}{% endif %}`), result, `<user>a<assistant><tool>"b\nc"`},
	} {
		dir := llmtest.Folder(t, llmtest.Small)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(c.template), 0o644))
		m, err := llm.Load(dir, llm.LoadOptions{Context: 64})
		require.NoError(t, err)
		var q chatRequest
		require.NoError(t, json.Unmarshal([]byte(`{"messages":`+c.messages+`}`), &q))
		got, _, err := New(m, Options{}).chatPrompt(&q)
		require.NoError(t, err, c.template)
		require.Equal(t, c.want, got, c.template)
		require.NoError(t, m.Close())
	}
}
