package serve_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/serve"
)

// messageEvents reads a stream of /v1/messages.
func messageEvents(t *testing.T, url, body string) (list []map[string]any) {
	resp, err := http.Post(url+"/v1/messages", "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	name := ""
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if event, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			name = event
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			m := map[string]any{}
			require.NoError(t, json.Unmarshal([]byte(data), &m))
			require.Equal(t, name, m["type"])
			list = append(list, m)
		}
	}
	return list
}

// TestMessages: answers of Anthropic's interface are those of llama-server b11669 for the same file, as a whole and as
// a stream.
func TestMessages(t *testing.T) {
	url := startExact(t)
	const request = `{"max_tokens":4,"temperature":0,"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]`
	status, got := post(t, url+"/v1/messages", request+`}`)
	require.Equal(t, http.StatusOK, status, got)
	text := got["content"].([]any)[0].(map[string]any)["text"]
	require.Equal(t, "H\u07dc\uFFFD", text)
	require.Equal(t, []any{"message", "assistant", "max_tokens", nil}, []any{got["type"], got["role"], got["stop_reason"], got["stop_sequence"]})
	usage := got["usage"].(map[string]any)
	require.EqualValues(t, 4, usage["output_tokens"])
	require.EqualValues(t, 45, usage["input_tokens"].(float64)+usage["cache_read_input_tokens"].(float64))
	_, count := post(t, url+"/v1/messages/count_tokens", request+`}`)
	require.EqualValues(t, 45, count["input_tokens"])

	var b strings.Builder
	var kinds []string
	for _, e := range messageEvents(t, url, request+`,"stream":true}`) {
		if message, ok := e["message"].(map[string]any); ok { // a page of 32 tokens is in the cache
			require.Equal(t, map[string]any{"input_tokens": 13.0, "cache_read_input_tokens": 32.0, "output_tokens": 0.0}, message["usage"])
		}
		if kind := e["type"].(string); len(kinds) == 0 || kinds[len(kinds)-1] != kind {
			kinds = append(kinds, kind)
		}
		if delta, ok := e["delta"].(map[string]any); ok && delta["type"] == "text_delta" {
			b.WriteString(delta["text"].(string))
		}
	}
	require.Equal(t, text, b.String())
	require.Equal(t, []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"}, kinds)

	_, got = post(t, url+"/v1/messages", `{"max_tokens":3,"temperature":0,"stop_sequences":["B"],"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"ab"}]}`)
	require.Equal(t, "stop_sequence", got["stop_reason"])
	require.Equal(t, "B", got["stop_sequence"])
	for body, param := range map[string]string{
		`{"role":"user","content":[{"type":"image","source":{}}]}]}`:                       "messages",
		`{"role":"system","content":"a"}]}`:                                                "messages",
		`{"role":"user","content":"a"}],"thinking":{"type":"enabled","budget_tokens":9}}`:  "thinking",
		`{"role":"user","content":"a"}],"tools":[{"type":"bash_20250124","name":"bash"}]}`: "tools",
		`{"role":"user","content":"a"}],"tool_choice":{"type":"some"}}`:                    "tool_choice",
		`{"role":"user","content":"a"}],"container":"x"}`:                                  "container",
		`{"role":"user","content":"a"}],"max_tokens":0}`:                                   "max_tokens",
	} {
		status, m := post(t, url+"/v1/messages", `{"messages":[`+body)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Equal(t, param, m["error"].(map[string]any)["param"], body)
	}
	for content, text := range map[string]string{
		`7`:                                "the content of message 1 is neither",
		`[{"type":"tool_use","name":"f"}]`: `message 1, of the role "user", has a block of the type "tool_use"`,
		`[{"type":"tool_result","tool_use_id":"c","content":7}]`:                  `the content of the result "c" of a tool in message 1 is neither`,
		`[{"type":"tool_result","tool_use_id":"c","content":[{"type":"image"}]}]`: `the result "c" of a tool in message 1 has a block of the type "image"`,
	} {
		_, m := post(t, url+"/v1/messages", `{"messages":[{"role":"user","content":"a"},{"role":"user","content":`+content+`}]}`)
		require.Contains(t, m["error"].(map[string]any)["message"], text)
	}
}

// TestMessagesTools: the template sees calls, their results and reasoning as messages, and an answer that has to call a
// tool is a block with its input.
func TestMessagesTools(t *testing.T) {
	const template = `{% for t in tools %}{{ t.function.name }}{% endfor %}{% for m in messages %}<{{ m.role }}>{{ m.reasoning_content }}{{ m.content }}` +
		`{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments.a }}{% endfor %}{% endfor %}`
	dir := t.TempDir()
	require.NoError(t, llmtest.WriteFolder(dir, llmtest.Small))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(template), 0o644))
	m, err := llm.Load(dir, llm.LoadOptions{Context: 512})
	require.NoError(t, err)
	web := httptest.NewServer(serve.New(m, serve.Options{}))
	defer func() { web.Close(); require.NoError(t, m.Close()) }()
	const tools = `,"tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}}]`
	const request = `{"max_tokens":200,"temperature":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"r","signature":""},
		{"type":"text","text":"b"},{"type":"tool_use","id":"1","name":"f","input":{"a":2}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":"c"},
		{"type":"text","text":"d"}]}]` + tools
	_, want := post(t, web.URL+"/tokenize", `{"content":"f<user>a<assistant>rbf2<tool>c<user>d","add_special":true}`)
	_, count := post(t, web.URL+"/v1/messages/count_tokens", request+`}`)
	require.EqualValues(t, len(want["tokens"].([]any)), count["input_tokens"])

	status, got := post(t, web.URL+"/v1/messages", request+`,"tool_choice":{"type":"tool","name":"f"}}`)
	require.Equal(t, http.StatusOK, status, got)
	require.Equal(t, "tool_use", got["stop_reason"])
	call := got["content"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"tool_use", "f"}, []any{call["type"], call["name"]})
	require.IsType(t, true, call["input"].(map[string]any)["ok"])
	var arguments strings.Builder
	begun := false
	for _, e := range messageEvents(t, web.URL, request+`,"tool_choice":{"type":"any"},"stream":true}`) {
		if b, ok := e["content_block"].(map[string]any); ok {
			begun = b["type"] == "tool_use" && b["name"] == "f"
		}
		if delta, ok := e["delta"].(map[string]any); ok && delta["type"] == "input_json_delta" {
			arguments.WriteString(delta["partial_json"].(string))
		}
	}
	require.True(t, begun)
	var input struct{ OK *bool }
	require.NoError(t, json.Unmarshal([]byte(arguments.String()), &input), arguments.String())
	require.NotNil(t, input.OK)
}
