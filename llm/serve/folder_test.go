package serve_test

import (
	"bufio"
	"encoding/json"
	"io"
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
	"github.com/go-acap/acap/tensor/safetensors"
)

// startFolder serves a small model in a folder, which a function changes first.
func startFolder(t *testing.T, change func(dir string)) string {
	dir := llmtest.Folder(t, llmtest.Small)
	change(dir)
	m, err := llm.Load(dir, llm.LoadOptions{Context: 64})
	require.NoError(t, err)
	web := httptest.NewServer(serve.New(m, serve.Options{}))
	t.Cleanup(func() { web.Close(); require.NoError(t, m.Close()) })
	return web.URL
}

// TestHeadless: a model without its head makes embeddings, and says why it gives no answer and scores no prompt.
func TestHeadless(t *testing.T) {
	url := startFolder(t, func(dir string) {
		name := filepath.Join(dir, "model.safetensors")
		f, err := safetensors.Open(name)
		require.NoError(t, err)
		all, err := f.All()
		require.NoError(t, err)
		delete(all, "lm_head.weight")
		var list []safetensors.Tensor
		for name, data := range all {
			list = append(list, safetensors.Tensor{Name: name, Data: data})
		}
		require.NoError(t, safetensors.WriteFile(name, list, nil))
	})
	status, m := post(t, url+"/v1/embeddings", `{"input":"ab"}`)
	require.Equal(t, 200, status, m)
	for body, path := range map[string]string{`{"prompt":"ab"}`: "completions", `{"prompt":"ab","stream":true}`: "completions",
		`{"prompt":"ab","echo":true,"logprobs":1,"max_tokens":0}`: "completions", `{"messages":[{"role":"user","content":"a"}]}`: "chat/completions"} {
		status, m := post(t, url+"/v1/"+path, body)
		require.Equal(t, 400, status, m)
		require.Contains(t, m["error"].(map[string]any)["message"], "no lm_head.weight")
		require.Equal(t, "model", m["error"].(map[string]any)["param"])
	}
}

// TestTokenWithoutEmbedding: a token of the tokenizer that the model has no embedding for is refused, in tokens and in
// texts.
func TestTokenWithoutEmbedding(t *testing.T) {
	url := startFolder(t, func(dir string) {
		name := filepath.Join(dir, "tokenizer.json")
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		text := strings.Replace(string(data), `"added_tokens":[`, `"added_tokens":[{"id":320,"content":"<more>","special":true},`, 1)
		require.NotEqual(t, string(data), text)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	})
	for path, body := range map[string]string{"completions": `{"prompt":[320]}`, "completions?": `{"prompt":"a<more>"}`, "embeddings": `{"input":[320]}`,
		"chat/completions": `{"messages":[{"role":"user","content":"a<more>"}]}`} {
		status, m := post(t, url+"/v1/"+path, body)
		require.Equal(t, 400, status, m)
		require.Contains(t, m["error"].(map[string]any)["message"], "has the token 320, there are 320", path)
	}
}

// TestEffort: the template of the chat sees reasoning_effort, beside what chat_template_kwargs says.
func TestEffort(t *testing.T) {
	url := startFolder(t, func(dir string) {
		template := `{{ messages[0].content }}{{ tail }}{% if reasoning_effort == 'high' %}bbbb{% endif %}`
		require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(template), 0o644))
	})
	tokens := func(more string) float64 {
		status, m := post(t, url+"/v1/chat/completions", `{"messages":[{"role":"user","content":"a"}],"max_tokens":1`+more+`}`)
		require.Equal(t, 200, status, m)
		return m["usage"].(map[string]any)["prompt_tokens"].(float64)
	}
	plain := tokens(`,"reasoning_effort":"low"`)
	require.Equal(t, plain+4, tokens(`,"reasoning_effort":"high"`))
	require.Equal(t, plain+6, tokens(`,"reasoning_effort":"high","chat_template_kwargs":{"tail":"cc"}`))
}

// TestThinks: behind a prompt that ends in <think> a model reasons. Its text has no end of the reasoning here, so that
// all of the answer is reasoning, unless the request wants reasoning as text, which begins as the prompt ends.
func TestThinks(t *testing.T) {
	url := startFolder(t, func(dir string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte("{{ messages[0].content }}<think>\n{{ '</think>' if false }}"), 0o644))
	})
	ask := func(more string) map[string]any {
		status, m := post(t, url+"/v1/chat/completions", `{"messages":[{"role":"user","content":"a"}],"max_tokens":8,"temperature":0`+more+`}`)
		require.Equal(t, 200, status, m)
		return m["choices"].([]any)[0].(map[string]any)["message"].(map[string]any)
	}
	thought, said := ask(""), ask(`,"reasoning_format":"none"`)
	require.NotEmpty(t, thought["reasoning_content"])
	require.Empty(t, thought["content"])
	require.Equal(t, "<think>\n"+thought["reasoning_content"].(string), said["content"])
	require.NotContains(t, said, "reasoning_content")

	r, err := http.Post(url+"/v1/chat/completions", "application/json",
		strings.NewReader(`{"messages":[{"role":"user","content":"a"}],"max_tokens":8,"temperature":0,"stream":true}`))
	require.NoError(t, err)
	defer r.Body.Close()
	streamed := ""
	lines := bufio.NewScanner(r.Body)
	for lines.Scan() {
		var part struct {
			Choices []struct {
				Delta struct {
					Content   string
					Reasoning string `json:"reasoning_content"`
				}
			}
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: {"); ok {
			require.NoError(t, json.Unmarshal([]byte("{"+data), &part))
			for _, c := range part.Choices {
				require.Empty(t, c.Delta.Content)
				streamed += c.Delta.Reasoning
			}
		}
	}
	require.Equal(t, thought["reasoning_content"], streamed)
}

// TestWithoutEffect: what changes nothing is refused as OpenAI refuses the effort of a model that does not reason, or
// is a header of the answer.
func TestWithoutEffect(t *testing.T) {
	url := startFolder(t, func(dir string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "chat_template.jinja"), []byte(`{{ messages[0].content }}{% if my_reasoning_efforts %}{% endif %}`), 0o644))
	})
	ask := func(more string) (status int, warning, body string) {
		r, err := http.Post(url+"/v1/chat/completions", "application/json", strings.NewReader(`{"messages":[{"role":"user","content":"a"}],"max_tokens":1`+more+`}`))
		require.NoError(t, err)
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, strings.Join(r.Header.Values("Warning"), "\n"), string(data)
	}
	status, _, body := ask(`,"reasoning_effort":"low"`)
	require.Equal(t, 400, status)
	require.Contains(t, body, "does not look at it")
	status, warning, body := ask(`,"reasoning_effort":null`)
	require.Empty(t, warning)
	require.Equal(t, 200, status, body)
	for more, warned := range map[string]bool{
		`],"response_format":{"type":"json_object"}`:                      true,
		`],"response_format":{"type":"json_object"},"tool_choice":"none"`: false,
		`]`:                          false,
		`],"tool_choice":"required"`: false,
	} {
		status, warning, body := ask(`,"tools":[{"type":"function","function":{"name":"f","strict":true}}` + more)
		require.Equal(t, 200, status, body)
		require.Equal(t, warned, strings.Contains(warning, "calls no tool"), more)
		require.Equal(t, !strings.Contains(more, "none"), strings.Contains(warning, "does not look at tools"), more)
	}
}

// TestTextWithoutTokens: a text for which an expression of the tokenizer uses up its steps is an error of the request.
func TestTextWithoutTokens(t *testing.T) {
	url := startFolder(t, func(dir string) {
		name := filepath.Join(dir, "tokenizer.json")
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		var file map[string]any
		require.NoError(t, json.Unmarshal(data, &file))
		file["pre_tokenizer"] = map[string]any{"type": "Split", "pattern": map[string]string{"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": false}
		data, err = json.Marshal(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, data, 0o644))
	})
	long := strings.Repeat("a", 40) + "!"
	for path, body := range map[string]string{"completions": `{"prompt":"` + long + `"}`, "embeddings": `{"input":"` + long + `"}`,
		"chat/completions": `{"messages":[{"role":"user","content":"` + long + `"}]}`, "responses": `{"input":"` + long + `"}`,
		"completions?": `{"prompt":"a","max_tokens":1,"dry_multiplier":1,"dry_sequence_breakers":["Q` + long[4:] + `"]}`} {
		status, m := post(t, url+"/v1/"+path, body)
		require.Equal(t, 400, status, "%s: %v", path, m)
		require.Contains(t, m["error"].(map[string]any)["message"], "an expression takes too many steps", path)
	}
}
