package serve_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// streamed reads the events of a response, and returns the response of the last one. Text, reasoning and arguments that
// come piece by piece join to the items' (https://platform.openai.com/docs/api-reference/responses-streaming).
func streamed(t *testing.T, url, body string) map[string]any {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	var kinds []string
	var number float64
	said, items := map[string]string{}, []any{}
	var last map[string]any
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			kinds = append(kinds, name)
			continue
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			require.Empty(t, lines.Text())
			continue
		}
		e := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(data), &e))
		require.Equal(t, kinds[len(kinds)-1], e["type"])
		require.Equal(t, number, e["sequence_number"])
		number++
		id, _ := e["item_id"].(string)
		switch kind := e["type"].(string); {
		case strings.HasSuffix(kind, ".delta"):
			said[id] += e["delta"].(string)
		case strings.HasSuffix(kind, "_text.done"):
			require.Equal(t, said[id], e["text"])
		case strings.HasSuffix(kind, "arguments.done"):
			require.Equal(t, said[id], e["arguments"])
		case kind == "response.output_item.added":
			require.EqualValues(t, len(items), e["output_index"])
			require.Equal(t, "in_progress", e["item"].(map[string]any)["status"])
		case kind == "response.output_item.done":
			items = append(items, e["item"])
		}
		last, _ = e["response"].(map[string]any)
	}
	require.Equal(t, []string{"response.created", "response.in_progress", "response.output_item.added"}, kinds[:3])
	require.Equal(t, "response."+last["status"].(string), kinds[len(kinds)-1])
	require.Equal(t, items, last["output"])
	return last
}

// said is the content of the items of a response, without their ids.
func said(m map[string]any) (list []string) {
	for _, item := range m["output"].([]any) {
		i := item.(map[string]any)
		if i["type"] == "function_call" {
			list = append(list, "function_call", i["name"].(string), i["arguments"].(string))
			continue
		}
		list = append(list, i["type"].(string), i["content"].([]any)[0].(map[string]any)["text"].(string))
	}
	return list
}

// TestResponse: a response says what the same turn of a chat says, as a whole and as a stream.
func TestResponse(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, Sequences: 2}, serve.Options{Name: "small"})
	_, chat := post(t, url+"/v1/chat/completions", `{"messages":[{"role":"system","content":"ab"},{"role":"user","content":"c\nd"}],"max_tokens":12,"temperature":0,"ignore_eos":true}`)
	for _, input := range []string{`"c\nd"`, `[{"role":"user","content":"c\nd"}]`, `[{"type":"message","role":"user","content":[{"type":"input_text","text":"c"},{"type":"input_text","text":"d"}]}]`} {
		request := `{"model":"small","instructions":"ab","input":` + input + `,"max_output_tokens":12,"temperature":0,"ignore_eos":true,"include":["message.output_text.logprobs"]`
		status, whole := post(t, url+"/v1/responses", request+`}`)
		require.Equal(t, 200, status, whole)
		require.Equal(t, []string{"message", choice(chat, 0)["message"].(map[string]any)["content"].(string)}, said(whole))
		require.Equal(t, "incomplete", whole["status"])
		require.Equal(t, map[string]any{"reason": "max_output_tokens"}, whole["incomplete_details"])
		require.Equal(t, chat["usage"].(map[string]any)["prompt_tokens"], whole["usage"].(map[string]any)["input_tokens"])
		require.EqualValues(t, 12, whole["usage"].(map[string]any)["output_tokens"])
		require.Len(t, whole["output"].([]any)[0].(map[string]any)["content"].([]any)[0].(map[string]any)["logprobs"], 12)
		require.Equal(t, said(whole), said(streamed(t, url+"/v1/responses", request+`,"stream":true}`)))
	}
}

// TestResponseCalls: a call that has to be is an item with arguments of the schema, and JSON of a schema is a text.
func TestResponseCalls(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 512}, serve.Options{})
	const schema = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"],"additionalProperties":false}`
	for more, kind := range map[string]string{
		`"tools":[{"type":"function","name":"f","parameters":` + schema + `,"strict":true}],"tool_choice":"required"`:                                                                                           "function_call",
		`"tools":[{"type":"function","name":"f","parameters":` + schema + `}],"tool_choice":{"type":"function","name":"f"}`:                                                                                     "function_call",
		`"tools":[{"type":"function","name":"f","parameters":` + schema + `},{"type":"function","name":"g"}],"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"f"}]}`: "function_call",
		`"text":{"format":{"type":"json_schema","name":"a","schema":` + schema + `,"strict":true}}`:                                                                                                             "message",
	} {
		request := `{"input":"ab","seed":1,"max_output_tokens":200,` + more
		status, whole := post(t, url+"/v1/responses", request+`}`)
		require.Equal(t, 200, status, whole)
		require.Equal(t, "completed", whole["status"])
		list := said(whole)
		require.Equal(t, kind, list[0])
		var v struct{ OK *bool }
		require.NoError(t, json.Unmarshal([]byte(list[len(list)-1]), &v), list)
		require.NotNil(t, v.OK)
		require.Equal(t, list, said(streamed(t, url+"/v1/responses", request+`,"stream":true}`)))
	}
}

// TestResponseItems: the template of chats sees the items of earlier turns as messages, and what the model reasons is
// an item of its own.
func TestResponseItems(t *testing.T) {
	url := startFolder(t, func(dir string) {
		template := `{% for m in messages %}{{ m.role[0] }}{% if m.reasoning_content %}({{ m.reasoning_content }}){% endif %}{{ m.content }}{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments.a }}{% endfor %}{% endfor %}<think>{{ '</think>' if false }}`
		require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(template), 0o644))
	})
	const want = "ueh" + "a(b)cf2" + "td" + "a" + "g3" + "ae"
	_, plain := post(t, url+"/v1/completions", `{"prompt":"`+want+`<think>","max_tokens":1}`)
	const request = `{"input":[{"role":"user","content":"eh"},{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"b"}]},
		{"type":"message","role":"assistant","content":[{"type":"output_text","text":"c"}]},{"type":"function_call","call_id":"1","name":"f","arguments":"{\"a\":2}"},
		{"type":"function_call_output","call_id":"1","output":"d"},{"type":"reasoning","summary":[{"type":"summary_text","text":"?"}],"encrypted_content":"?"},
		{"type":"function_call","call_id":"2","name":"g","arguments":"{\"a\":3}"},{"role":"assistant","content":[{"type":"refusal","refusal":"e"}]}],"max_output_tokens":6,"temperature":0`
	status, whole := post(t, url+"/v1/responses", request+`}`)
	require.Equal(t, 200, status, whole)
	usage := whole["usage"].(map[string]any)
	require.Equal(t, plain["usage"].(map[string]any)["prompt_tokens"], usage["input_tokens"])
	require.Equal(t, "reasoning", said(whole)[0])
	require.Equal(t, usage["output_tokens"], usage["output_tokens_details"].(map[string]any)["reasoning_tokens"])
	require.Equal(t, said(whole), said(streamed(t, url+"/v1/responses", request+`,"stream":true}`)))
}

// TestResponseRefused: what a response cannot have is refused under the name that the request has.
func TestResponseRefused(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{})
	for more, param := range map[string]string{
		`"input":[]`: "input", `"input":null`: "input", `"instructions":"a"`: "input", `"input":[{"content":"a"}]`: "input",
		`"input":[{"type":"item_reference","id":"a"}]`:                                "input",
		`"input":[{"role":"user","content":[{"type":"input_image","image_url":""}]}]`: "input",
		`"input":"` + strings.Repeat("a ", 80) + `"`:                                  "input",
		`"input":"a","previous_response_id":"resp-1"`:                                 "previous_response_id",
		`"input":"a","conversation":"c"`:                                              "conversation",
		`"input":"a","store":true`:                                                    "store",
		`"input":"a","background":true`:                                               "background",
		`"input":"a","truncation":"auto"`:                                             "truncation",
		`"input":"a","max_output_tokens":0`:                                           "max_output_tokens",
		`"input":"a","max_tokens":4`:                                                  "max_tokens",
		`"input":"a","n":2`:                                                           "n",
		`"input":"a","include":["file_search_call.results"]`:                          "include",
		`"input":"a","reasoning":{"effort":"low"}`:                                    "reasoning.effort",
		`"input":"a","reasoning":{"summary":"detailed"}`:                              "reasoning.summary",
		`"input":"a","text":{"format":{"type":"json_schema","name":"a"}}`:             "text.format",
		`"input":"a","text":{"verbosity":"low"}`:                                      "text.verbosity",
		`"input":"a","tools":[{"type":"web_search"}]`:                                 "tools",
		`"input":"a","tool_choice":"required"`:                                        "tool_choice",
		`"input":"a","messages":[]`:                                                   "messages",
	} {
		status, m := post(t, url+"/v1/responses", `{`+more+`}`)
		require.Equal(t, 400, status, m)
		e := m["error"].(map[string]any)
		require.Equal(t, param, e["param"], e)
		require.NotContains(t, strings.ReplaceAll(e["message"].(string), "max_output_tokens", ""), "max_tokens is 0", e)
	}
}
