package serve_test

import (
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

// TestContinued: an answer goes on with a last message of the assistant. Prompts and the answer are those of
// llama-server b11669 for the same file.
func TestContinued(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, Exact: true}, serve.Options{})
	const user = `{"messages":[{"role":"user","content":"Hi"},`
	prompt := func(url, messages string) string {
		status, m := post(t, url+"/apply-template", messages)
		require.Equal(t, http.StatusOK, status, m)
		return m["prompt"].(string)
	}
	const want = "<|user|>\nHi</s>\n<|assistant|>\nab"
	require.Equal(t, want, prompt(url, user+`{"role":"assistant","content":"ab"}]}`))
	require.Equal(t, want, prompt(url, user+`{"role":"assistant","content":"ab"}],"continue_final_message":true,"add_generation_prompt":false}`))
	require.Equal(t, want+"</s>\n<|assistant|>\n", prompt(url, user+`{"role":"assistant","content":"ab"}],"continue_final_message":false}`))

	require.Equal(t, "<|user|>\nHi</s>\n<|user|>\nb</s>\n", prompt(url, user+`{"role":"user","content":"b"}],"add_generation_prompt":false}`))

	const request = user + `{"role":"assistant","content":"ab"}],"max_tokens":3,"temperature":0`
	status, whole := post(t, url+"/v1/chat/completions", request+`}`)
	require.Equal(t, http.StatusOK, status, whole)
	require.Equal(t, "ab\uFFFDB bc", choice(whole, 0)["message"].(map[string]any)["content"])
	var b strings.Builder
	for _, e := range events(t, url+"/v1/chat/completions", request+`,"stream":true}`) {
		text, _ := choice(e, 0)["delta"].(map[string]any)["content"].(string)
		b.WriteString(text)
	}
	require.Equal(t, "\uFFFDB bc", b.String(), "a stream has what is new")
	b.Reset()
	for _, e := range events(t, url+"/v1/chat/completions", strings.Replace(request, "ab", "<to", 1)+`,"stream":true}`) { // which may begin a call
		text, _ := choice(e, 0)["delta"].(map[string]any)["content"].(string)
		b.WriteString(text)
	}
	require.Equal(t, "\uFFFD bc\uFFFD", b.String()) // of which llama-server leaves out the character that is not whole

	for body, param := range map[string]string{
		`{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]}`:                                          "messages",
		`{"role":"assistant","content":"a","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}]}`: "messages",
		`{"role":"user","content":"b"}],"continue_final_message":true}`:                                                    "continue_final_message",
		`{"role":"user","content":"b"}],"add_generation_prompt":false}`:                                                    "add_generation_prompt",
		`{"role":"assistant","content":"ab"}],"continue_final_message":true,"add_generation_prompt":true}`:                 "continue_final_message",
	} {
		status, m := post(t, url+"/v1/chat/completions", user+body)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Equal(t, param, m["error"].(map[string]any)["param"], body)
	}
}

// TestContinuedReasoning: reasoning that a message has stands in front of its content, and an answer goes on with the
// reasoning of a message without content.
func TestContinuedReasoning(t *testing.T) {
	const template = `{% for m in messages %}<{{ m.role }}>{% if m.role == "assistant" %}<think>
{{ m.reasoning_content or "" }}
</think>

{% endif %}{{ m.content }}<end>{% endfor %}{% if add_generation_prompt %}<assistant><think>
{% endif %}`
	dir := t.TempDir()
	require.NoError(t, llmtest.WriteFolder(dir, llmtest.Small))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(template), 0o644))
	m, err := llm.Load(dir, llm.LoadOptions{Context: 256})
	require.NoError(t, err)
	web := httptest.NewServer(serve.New(m, serve.Options{}))
	defer func() { web.Close(); require.NoError(t, m.Close()) }()
	for _, c := range []struct{ last, prompt, content, reasoning string }{
		{`"content":"b "`, "<think>\n\n</think>\n\nb ", "b ", ""},
		{`"content":"b","reasoning_content":"r"`, "<think>\nr\n</think>\n\nb", "b", "r"},
		{`"content":"","reasoning_content":"r"`, "<think>\nr", "", "r"},
	} {
		body := `{"messages":[{"role":"user","content":"a"},{"role":"assistant",` + c.last + `}],"max_tokens":3,"temperature":0}`
		status, got := post(t, web.URL+"/apply-template", body)
		require.Equal(t, http.StatusOK, status, got)
		require.Equal(t, "<user>a<end><assistant>"+c.prompt, got["prompt"])
		status, got = post(t, web.URL+"/v1/chat/completions", body)
		require.Equal(t, http.StatusOK, status, got)
		message := choice(got, 0)["message"].(map[string]any)
		reasoning, _ := message["reasoning_content"].(string)
		require.True(t, strings.HasPrefix(reasoning, c.reasoning), got)
		require.True(t, strings.HasPrefix(message["content"].(string), c.content), got)
		require.Equal(t, c.content == "", message["content"] == "", "what is generated is text behind text, and reasoning behind reasoning")
	}
}
