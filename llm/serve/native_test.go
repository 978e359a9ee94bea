package serve_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/serve"
)

// startExact serves a small model whose products are in f32.
func startExact(t *testing.T) string {
	_, _, url := start(t, llm.LoadOptions{Context: 1024, Sequences: 2, Exact: true}, serve.Options{})
	return url
}

// nativeEvents are the events of a stream of llama-server's own form.
func nativeEvents(t *testing.T, url, body string) (list []map[string]any) {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var e map[string]any
			require.NoError(t, json.Unmarshal([]byte(data), &e))
			list = append(list, e)
		}
	}
	return list
}

// TestNative: answers of /completion are those of llama-server b11669 for the same file.
func TestNative(t *testing.T) {
	url := startExact(t)
	const fields = `,"temperature":0,"return_tokens":true,"response_fields":["content","tokens","stop_type","tokens_evaluated","tokens_predicted","tokens_cached",` +
		`"prompt","has_new_line","truncated","stopping_word","timings/predicted_n"]}`
	for _, c := range []struct{ body, want string }{
		{`{"prompt":"ab cd","n_predict":6`, `{"content":" axζ�ۑ","tokens":[309,209,185,149,222,148],"stop_type":"limit","tokens_evaluated":7,"tokens_predicted":6,
			"tokens_cached":12,"prompt":"<s> ab cd","has_new_line":false,"truncated":false,"stopping_word":"","timings/predicted_n":6}`},
		{`{"prompt":[1,259,260],"n_predict":9`, `{"content":" axD aa��$ ax��","tokens":[309,71,286,189,189,39,309,222,204],"stop_type":"limit","tokens_evaluated":3,
			"tokens_predicted":9,"tokens_cached":11,"prompt":"<s>ab","has_new_line":false,"truncated":false,"stopping_word":"","timings/predicted_n":9}`},
		{`{"prompt":"ab","n_predict":3,"logit_bias":[[2,1000],[3,false]]`, `{"content":"","tokens":[2],"stop_type":"eos","tokens_evaluated":4,"tokens_predicted":1,"tokens_cached":4,
			"prompt":"<s> ab","has_new_line":false,"truncated":false,"stopping_word":"","timings/predicted_n":1}`},
		{`{"prompt":"ab cd","n_predict":6,"stop":["e","x"]`, `{"content":" a","tokens":[309],"stop_type":"word","tokens_evaluated":7,"tokens_predicted":1,"tokens_cached":7,
			"prompt":"<s> ab cd","has_new_line":false,"truncated":false,"stopping_word":"x","timings/predicted_n":1}`},
	} {
		status, got := post(t, url+"/completion", c.body+fields)
		require.Equal(t, http.StatusOK, status, got)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(text), c.body)
	}
	_, got := post(t, url+"/completion", `{"prompt":"ab cd","n_predict":1,"temperature":0,"n_probs":2}`)
	first := got["completion_probabilities"].([]any)[0].(map[string]any)
	require.EqualValues(t, 309, first["id"])
	require.InDelta(t, -2.221174716949463, first["logprob"], 1e-5) // with keys and values of f32
	second := first["top_logprobs"].([]any)[1].(map[string]any)
	require.EqualValues(t, 152, second["id"])
	require.InDelta(t, -2.7368149757385254, second["logprob"], 1e-5)
	settings := got["generation_settings"].(map[string]any)
	require.EqualValues(t, 1, settings["n_predict"])
	require.EqualValues(t, 2, settings["n_probs"])
}

// TestNativeStream: a stream has the text in parts, and the counts at its end. Several prompts are a list.
func TestNativeStream(t *testing.T) {
	url := startExact(t)
	var text strings.Builder
	parts := nativeEvents(t, url+"/completion", `{"prompt":"ab cd","n_predict":6,"temperature":0,"stream":true}`)
	for i, e := range parts {
		require.Equal(t, i == len(parts)-1, e["prompt"] != nil, "the last event is the last one")
		text.WriteString(e["content"].(string))
	}
	last := parts[len(parts)-1]
	require.Equal(t, " axζ�ۑ", text.String())
	require.Equal(t, true, last["stop"])
	require.EqualValues(t, 6, last["tokens_predicted"])

	for prompt, evaluated := range map[string]int{`{"prompt_string":"ab"}`: 4, `["ab",7]`: 5, `[7,"ab"]`: 4} { // a space and letters; the mark of the beginning in front of a text that is the first
		status, m := post(t, url+"/completion", `{"n_predict":1,"prompt":`+prompt+`}`)
		require.Equal(t, http.StatusOK, status, m)
		require.EqualValues(t, evaluated, m["tokens_evaluated"], prompt)
	}
	resp, err := http.Post(url+"/completion", "application/json", strings.NewReader(`{"prompt":["ab","cd"],"n_predict":3,"temperature":0}`))
	require.NoError(t, err)
	defer resp.Body.Close()
	var list []map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&list))
	require.Len(t, list, 2)
	require.EqualValues(t, 1, list[1]["index"])
}

// TestNativeRefused: a field that is not obeyed is refused by its name.
func TestNativeRefused(t *testing.T) {
	url := startExact(t)
	for body, param := range map[string]string{
		`"n_keep":3`: "n_keep", `"n_indent":-1`: "n_indent", `"min_keep":2`: "min_keep", `"n_probs":21`: "n_probs", `"n_predict":-2`: "n_predict",
		`"n_predict":2,"max_tokens":3`: "max_tokens", `"post_sampling_probs":true`: "post_sampling_probs", `"samplers":["fill"]`: "samplers",
		`"samplers":["top_p","top_k"]`: "samplers", `"t_max_predict_ms":-5`: "t_max_predict_ms", `"lora":[{"id":0,"scale":1}]`: "lora", `"logit_bias":[["a",1]]`: "logit_bias",
		`"n_predict":"2"`: "n_predict", `"top_k":"2"`: "top_k",
	} {
		status, m := post(t, url+"/completion", `{"prompt":"ab",`+body+`}`)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Equal(t, param, m["error"].(map[string]any)["param"], body)
	}
}

// TestInfill: prompts, their tokens and answers are those of llama-server b11669 for the same files.
func TestInfill(t *testing.T) {
	three := map[int]string{300: "<|fim_prefix|>", 301: "<|fim_suffix|>", 302: "<|fim_middle|>"}
	six := map[int]string{303: "<|fim_pad|>", 304: "<|repo_name|>", 305: "<|file_sep|>"}
	maps.Copy(six, three)
	const files = `{"input_prefix":"ab","input_suffix":"cd","prompt":"ef </s>","input_extra":[{"filename":"x.py","text":"xx"},{"text":"yy"}]`
	for _, c := range []struct {
		names                 map[int]string
		body, prompt, content string
		tokens                int
	}{
		{three, files, "\n\n--- snippet ---\n\n xx \n\n--- snippet ---\n\n yy<s><|fim_prefix|> ab ef </s><|fim_suffix|> cd<|fim_middle|>", "", 61},
		{three, `{"input_prefix":"ab</s>","input_suffix":"","input_extra":[{"text":"yy"}]`, "\n\n--- snippet ---\n\n yy<s><|fim_prefix|> ab</s><|fim_suffix|><|fim_middle|>", "", 34},
		{three, `{"input_prefix":"","input_suffix":""`, "<s><|fim_prefix|><|fim_suffix|><|fim_middle|>", "", 4},
		{three, `{"input_prefix":"ab","input_suffix":"cd"`, "<s><|fim_prefix|> ab<|fim_suffix|> cd<|fim_middle|>", "", 10},
		{six, files, "<|repo_name|> myproject\n<|file_sep|> x.py\n xx<|file_sep|> tmp\n yy<|file_sep|> filename\n" +
			"<s><|fim_prefix|> ab ef </s><|fim_suffix|> cd<|fim_middle|>", "", 57},
		{six, `{"input_prefix":"","input_suffix":""`, "<|repo_name|> myproject\n<|file_sep|> filename\n<s><|fim_prefix|><|fim_suffix|><|fim_middle|>", "d adbw\x10", 27},
	} {
		sizes := llmtest.Small
		sizes.Control = c.names
		path := filepath.Join(t.TempDir(), "fill.gguf")
		require.NoError(t, llmtest.WriteGGUF(path, sizes))
		m, err := llm.Load(path, llm.LoadOptions{Context: 1024, Exact: true})
		require.NoError(t, err)
		web := httptest.NewServer(serve.New(m, serve.Options{}))
		status, got := post(t, web.URL+"/infill", c.body+`,"n_predict":5,"temperature":0}`)
		require.Equal(t, http.StatusOK, status, got)
		require.Equal(t, strings.TrimPrefix(c.prompt, " "), strings.TrimPrefix(got["prompt"].(string), " "))
		require.EqualValues(t, c.tokens, got["tokens_evaluated"], c.body)
		if c.content != "" {
			require.Equal(t, c.content, got["content"])
		}
		for body, param := range map[string]string{`{"input_prefix":"a"}`: "input_suffix", `{"input_suffix":"a"}`: "input_prefix", files + `,"chunks":1}`: "chunks"} {
			status, refused := post(t, web.URL+"/infill", body)
			require.Equal(t, http.StatusBadRequest, status, refused)
			require.Equal(t, param, refused["error"].(map[string]any)["param"], body)
		}
		web.Close()
		require.NoError(t, m.Close())
	}
	status, got := post(t, startExact(t)+"/infill", `{"input_prefix":"a","input_suffix":"b"}`)
	require.Equal(t, http.StatusNotImplemented, status, got)
}

// TestProperties: members of /props are llama-server's for the same file, but for its own defaults of samplers.
func TestProperties(t *testing.T) {
	resp, err := http.Get(startExact(t) + "/props")
	require.NoError(t, err)
	defer resp.Body.Close()
	var got struct {
		Template string `json:"chat_template"`
		Begin    string `json:"bos_token"`
		End      string `json:"eos_token"`
		Slots    int    `json:"total_slots"`
		Settings struct {
			Context int `json:"n_ctx"`
			Params  map[string]any
		} `json:"default_generation_settings"`
	}
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&got))
	require.Contains(t, got.Template, "{% for m in messages %}<|{{ m.role }}|>")
	require.Equal(t, []any{"<s>", "</s>", 2, 1024}, []any{got.Begin, got.End, got.Slots, got.Settings.Context})
	for name, want := range map[string]any{"seed": 4294967295.0, "n_predict": -1.0, "typical_p": 1.0, "repeat_last_n": 64.0, "top_n_sigma": -1.0, "dry_base": 1.75,
		"dry_allowed_length": 2.0, "mirostat_tau": 5.0, "mirostat_eta": 0.1, "dynatemp_exponent": 1.0, "repeat_penalty": 1.0, "ignore_eos": false} {
		require.Equal(t, want, got.Settings.Params[name], name)
	}
}
