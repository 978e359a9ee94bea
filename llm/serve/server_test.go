package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/llm/serve"
)

// start serves a small model.
func start(t *testing.T, how llm.LoadOptions, o serve.Options) (*serve.Server, *llm.Model, string) {
	path := llmtest.File(t, llmtest.Small)
	m, err := llm.Load(path, how)
	require.NoError(t, err)
	s := serve.New(m, o)
	web := httptest.NewServer(s)
	t.Cleanup(func() { web.Close(); require.NoError(t, m.Close()) })
	return s, m, web.URL
}

func post(t *testing.T, url, body string, header ...string) (int, map[string]any) {
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	if len(header) > 0 {
		r.Header.Set("Authorization", header[0])
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	out := map[string]any{}
	require.NoError(t, json.Unmarshal(data, &out), "%s", data)
	return resp.StatusCode, out
}

// events reads a stream up to [DONE].
func events(t *testing.T, url, body string) (list []map[string]any) {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer resp.Body.Close()
	for name, want := range map[string]string{"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache", "X-Accel-Buffering": "no"} {
		require.Equal(t, want, resp.Header.Get(name)) // proxies hand events on at once
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			require.Empty(t, lines.Text())
			continue
		}
		if data == "[DONE]" {
			return list
		}
		m := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(data), &m))
		list = append(list, m)
	}
	t.Fatal("the stream has no end")
	return nil
}

func choice(m map[string]any, i int) map[string]any {
	return m["choices"].([]any)[i].(map[string]any)
}

// TestChat: an answer as a whole and as a stream are the same.
func TestChat(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, Sequences: 2}, serve.Options{Name: "small"})
	const request = `{"model":"small","messages":[{"role":"system","content":"ab"},{"role":"user","content":[{"type":"text","text":"cd"}]}],
		"max_completion_tokens":20,"temperature":0,"ignore_eos":true,"logprobs":true,"top_logprobs":2`
	status, whole := post(t, url+"/v1/chat/completions", request+`}`)
	require.Equal(t, 200, status, whole)
	require.Equal(t, "chat.completion", whole["object"])
	c := choice(whole, 0)
	require.Equal(t, "length", c["finish_reason"])
	text := c["message"].(map[string]any)["content"].(string)
	require.NotEmpty(t, text)
	logs := c["logprobs"].(map[string]any)["content"].([]any)
	require.Len(t, logs, 20)
	first := logs[0].(map[string]any)
	require.Equal(t, first["logprob"], first["top_logprobs"].([]any)[0].(map[string]any)["logprob"], "the most likely token was taken")
	require.EqualValues(t, 20, whole["usage"].(map[string]any)["completion_tokens"])

	list := events(t, url+"/v1/chat/completions", request+`,"stream":true,"stream_options":{"include_usage":true}}`)
	var b strings.Builder
	for _, e := range list[:len(list)-1] {
		require.Equal(t, "chat.completion.chunk", e["object"])
		s, _ := choice(e, 0)["delta"].(map[string]any)["content"].(string)
		b.WriteString(s)
	}
	require.Equal(t, text, b.String())
	require.Equal(t, "assistant", choice(list[0], 0)["delta"].(map[string]any)["role"])
	require.Equal(t, "length", choice(list[len(list)-2], 0)["finish_reason"])
	require.EqualValues(t, 20, list[len(list)-1]["usage"].(map[string]any)["completion_tokens"])
}

// TestCompletions: several prompts with several answers each, prompts in tokens, JSON and embeddings.
func TestCompletions(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, Sequences: 4}, serve.Options{})
	status, m := post(t, url+"/v1/completions", `{"prompt":["ab","cd"],"n":2,"max_tokens":5,"seed":3,"echo":true}`)
	require.Equal(t, 200, status, m)
	require.Len(t, m["choices"], 4)
	require.True(t, strings.HasPrefix(choice(m, 3)["text"].(string), "cd"))
	_, again := post(t, url+"/v1/completions", `{"prompt":["ab","cd"],"n":2,"max_tokens":5,"seed":3,"echo":true}`)
	for i := range 4 {
		require.Equal(t, choice(m, i)["text"], choice(again, i)["text"], "a seed gives the same answers")
	}
	_, m = post(t, url+"/v1/completions", `{"prompt":[1,260,270],"n":3,"max_tokens":2,"ignore_eos":true}`)
	usage := m["usage"].(map[string]any)
	require.EqualValues(t, []any{3.0, 6.0, 9.0}, []any{usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]}, "a prompt is counted once")
	status, m = post(t, url+"/v1/completions", `{"prompt":[1,260,270],"max_tokens":80,"response_format":{"type":"json_schema","json_schema":{"schema":
		{"type":"object","properties":{"n":{"type":"integer"},"ok":{"type":"boolean"}},"required":["n","ok"],"additionalProperties":false}}}}`)
	require.Equal(t, 200, status, m)
	if choice(m, 0)["finish_reason"] == "stop" {
		var v struct {
			N  *int
			OK *bool
		}
		require.NoError(t, json.Unmarshal([]byte(choice(m, 0)["text"].(string)), &v))
		require.NotNil(t, v.N)
		require.NotNil(t, v.OK)
	}
	status, m = post(t, url+"/v1/embeddings", `{"input":["ab","cd"],"encoding_format":"base64"}`)
	require.Equal(t, 200, status, m)
	require.Len(t, m["data"].([]any)[1].(map[string]any)["embedding"], (4*64+2)/3*4)
}

// TestPromptsOfOneToken: several prompts of one token begin in one pass, when those before them have ended.
func TestPromptsOfOneToken(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, Sequences: 4}, serve.Options{})
	_, one := post(t, url+"/v1/completions", `{"prompt":[66],"max_tokens":1,"temperature":0}`)
	status, m := post(t, url+"/v1/completions", `{"prompt":[[65],[66],[67],[66],[66],[66]],"max_tokens":1,"temperature":0}`)
	require.Equal(t, 200, status, m)
	for _, i := range []int{1, 3, 4, 5} {
		require.Equal(t, choice(one, 0)["text"], choice(m, i)["text"])
	}
}

// TestStrictTool: where the model may call a strict tool, a call has arguments of the schema, and an answer without a
// call is free. A bias makes it begin so.
func TestStrictTool(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 512}, serve.Options{})
	ask := func(begin byte, strict bool) map[string]any {
		_, answer := post(t, url+"/v1/chat/completions", fmt.Sprintf(`{"messages":[{"role":"user","content":"a"}],"max_tokens":60,"temperature":0,"logit_bias":{"%d":100},
			"tools":[{"type":"function","function":{"name":"f","strict":%t,"parameters":{"type":"object","properties":{"n":{"enum":[3]}},"required":["n"],
			"additionalProperties":false}}}]}`, 3+int(begin), strict))
		return choice(answer, 0)["message"].(map[string]any)
	}
	require.Equal(t, "{{{{", ask('{', false)["content"].(string)[:4])
	require.Equal(t, "####", ask('#', true)["content"].(string)[:4])
	call := ask('{', true)["tool_calls"].([]any)[0].(map[string]any)["function"].(map[string]any)
	require.Equal(t, "f", call["name"])
	require.JSONEq(t, `{"n":3}`, call["arguments"].(string))
}

// TestToolChoice: an answer that has to call a tool calls one of those that may be called, with arguments of its
// schema.
func TestToolChoice(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 512}, serve.Options{})
	const request = `{"messages":[{"role":"user","content":"a"}],"max_tokens":120,"seed":%d,"tools":[
		{"type":"function","function":{"name":"day","parameters":{"$ref":"#/$defs/D","$defs":{"D":{"type":"object","properties":{"d":{"enum":["mo","tu"]}},"required":["d"]}}}}},
		{"type":"function","function":{"name":"yes","parameters":{"$ref":"#/$defs/D","$defs":{"D":{"type":"object","properties":{"y":{"type":"boolean"}},"required":["y"]}}}}}],
		"tool_choice":%s}`
	called := map[string]bool{}
	for seed := range 8 {
		for _, tool := range []string{`"required"`, `{"type":"function","function":{"name":"yes"}}`} {
			_, m := post(t, url+"/v1/chat/completions", fmt.Sprintf(request, seed, tool))
			c := choice(m, 0)
			require.Equal(t, "tool_calls", c["finish_reason"], m)
			calls := c["message"].(map[string]any)["tool_calls"].([]any)
			require.Len(t, calls, 1)
			require.NotContains(t, calls[0], "index") // which parts of a stream have
			f := calls[0].(map[string]any)["function"].(map[string]any)
			if seed == 0 {
				var streamed []any
				for _, e := range events(t, url+"/v1/chat/completions", strings.TrimSuffix(fmt.Sprintf(request, seed, tool), "}")+`,"stream":true}`) {
					parts, _ := choice(e, 0)["delta"].(map[string]any)["tool_calls"].([]any)
					streamed = append(streamed, parts...)
				}
				require.Greater(t, len(streamed), 1, "arguments come as they are written")
				first := streamed[0].(map[string]any)["function"].(map[string]any)
				for _, part := range streamed[1:] {
					require.EqualValues(t, 0, part.(map[string]any)["index"])
					require.NotContains(t, part, "id")
					first["arguments"] = first["arguments"].(string) + part.(map[string]any)["function"].(map[string]any)["arguments"].(string)
				}
				require.Equal(t, f, first)
			}
			var a struct {
				D *string
				Y *bool
			}
			require.NoError(t, json.Unmarshal([]byte(f["arguments"].(string)), &a))
			switch f["name"] {
			case "yes":
				require.NotNil(t, a.Y)
				require.Nil(t, a.D)
			case "day":
				require.Contains(t, []string{"mo", "tu"}, *a.D)
				require.Equal(t, `"required"`, tool)
			default:
				require.Fail(t, "another function", f)
			}
			called[f["name"].(string)] = true
		}
	}
	require.Len(t, called, 2)
}

// TestSamplersOfRequests: the samplers of llama.cpp have their names in requests, and change what is chosen.
func TestSamplersOfRequests(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 128}, serve.Options{})
	text := func(more string) string {
		_, m := post(t, url+"/v1/completions", `{"prompt":"ab","max_tokens":30,"ignore_eos":true,"seed":5`+more+`}`)
		return choice(m, 0)["text"].(string)
	}
	plain, likeliest := text(""), text(`,"temperature":0`)
	require.Equal(t, plain, text(`,"typical_p":1,"top_n_sigma":-1,"xtc_probability":0,"repeat_last_n":64`))
	require.Equal(t, likeliest, text(`,"top_n_sigma":1e-6`))
	require.NotEqual(t, plain, text(`,"typical_p":0.1`))
	require.NotEqual(t, likeliest, text(`,"top_k":4,"temperature":0.001,"xtc_probability":1,"xtc_threshold":0.001`))
	require.NotEqual(t, likeliest, text(`,"temperature":0,"repeat_penalty":3`))
	require.Equal(t, likeliest, text(`,"temperature":0,"repeat_penalty":3,"repeat_last_n":0`))
}

// TestNamesOfBytes: tokens that are a part of a character have names of their own among logarithms of probabilities.
func TestNamesOfBytes(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 128}, serve.Options{})
	_, m := post(t, url+"/v1/completions", `{"prompt":"ab","max_tokens":1,"logprobs":5,"logit_bias":{"200":100,"201":100,"202":100,"300":100}}`)
	top := choice(m, 0)["logprobs"].(map[string]any)["top_logprobs"].([]any)[0].(map[string]any)
	for _, name := range []string{`bytes:\xc5`, `bytes:\xc6`, `bytes:\xc7`, " ao"} {
		require.Contains(t, top, name)
	}
}

// TestRefusals: what is wrong in a request is named.
func TestRefusals(t *testing.T) {
	s, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{Name: "small", Keys: []string{"secret"}, MaxBytes: 4096})
	status, answer := post(t, url+"/v1/completions", `{}`)
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, fmt.Sprint(answer), "no key is shown: the header Authorization has it, as Bearer KEY")
	status, answer = post(t, url+"/v1/completions", `{}`, "Bearer wrong")
	require.Equal(t, http.StatusUnauthorized, status)
	require.Contains(t, fmt.Sprint(answer), "the key is none of the server's")
	for body, want := range map[string]string{
		`{`:                                         "not what is expected",
		"":                                          "the request is empty, want an object",
		`{"prompt":"a"} {}`:                         "behind the request",
		`{"prompt":7}`:                              "prompt is neither",
		`{"prompt":[]}`:                             "0 parts",
		`{"prompt":null}`:                           "prompt is neither",
		`{}`:                                        "prompt is neither",
		`{"prompt":["a",null]}`:                     "prompt is neither",
		`{"prompt":[1,null]}`:                       "prompt is neither",
		`{"prompt":[[1],null]}`:                     "prompt is neither",
		`{"prompt":[1,{}]}`:                         "prompt is neither",
		`{"prompt":[1.5]}`:                          "prompt is neither",
		"{\"prompt\":\"a\xff\"}":                    "byte 12: 0xff is no UTF-8",
		`{"prompt":"a\ud800"}`:                      `byte 12: \ud800 is half of a surrogate pair`,
		`{"prompt":"a","typical_p":2}`:              "typical_p is 2",
		`{"prompt":"a","mirostat":3}`:               "mirostat is 3, want 0 to 2",
		`{"prompt":"a","dry_base":0.5}`:             "dry_base is 0.5",
		`{"prompt":"a","min_tokens":-1}`:            "min_tokens is -1",
		`{"prompt":"a","store":true}`:               "nothing is kept",
		`{"prompt":"a","temperatur":1}`:             "temperatur is no parameter",
		`{"prompt":"a","top_n_sigma":-2}`:           "top_n_sigma is -2",
		`{"prompt":"a","xtc_probability":-1}`:       "xtc_probability is -1",
		`{"prompt":"a","xtc_threshold":2}`:          "xtc_threshold is 2",
		`{"prompt":"a","repeat_last_n":-2}`:         "repeat_last_n is -2",
		`{"prompt":[900000]}`:                       "the token 900000",
		`{"prompt":"a","max_tokens":0}`:             "max_tokens is 0",
		`{"prompt":"a","temperature":-1}`:           "temperature is -1",
		`{"prompt":"a","n":99}`:                     "n is 99",
		`{"prompt":"a","seed":9223372036854775808}`: "seed is the number 9223372036854775808, want a whole number of 64 bits",
		`{"prompt":"a","temperature":"hot"}`:        "temperature is a string, want a number",
		`{"prompt":"a","stream":1}`:                 "stream is a number, want true or false",
		`{"prompt":"a","stop":{}}`:                  "want",
		`{"prompt":"a","stop":[""]}`:                "stop wants",
		`{"prompt":"a","logit_bias":{"x":1}}`:       "logit_bias",
		`{"prompt":"a","logit_bias":{"320":1}}`:     "the token 320; there are 320",
		`{"prompt":"a","logit_bias":{"323":1,"322":1,"321":1,"x":1}}`: "the token 321;",
		`[]`:                               "the request is a list, want an object",
		`{"prompt":"a","best_of":2,"n":3}`: "best_of is 2, want 3 to 16",
		`{"prompt":"a","best_of":17}`:      "best_of is 17, want 1 to 16",
		`{"prompt":"a","best_of":2,"stream":true}`:                "are not streamed",
		`{"prompt":"a","echo":true,"stream":true,"max_tokens":0}`: "max_tokens is 0",
		`{"prompt":"a","model":"large"}`:                          `there is no model "large"`,
		`{"prompt":"a","suffix":"b"}`:                             "suffix is not supported",
		`{"prompt":"a","grammar":"x"}`:                            "grammar: line 1",
		`{"prompt":"a","grammar":"root ::= <think>"}`:             "no token of the vocabulary",
		`{"prompt":"a","response_format":{"type":"json_schema","schema":{"type":"integer","multipleOf":3}}}`: `"multipleOf" is not supported`,
		`{"prompt":"` + strings.Repeat("ab ", 100) + `"}`:                                                    "more than a context of 64",
		`{"prompt":[65` + strings.Repeat(",65", 63) + `]}`:                                                   "leaves no room",
		`{"prompt":"` + strings.Repeat("a", 5000) + `"}`:                                                     "more than 4096 bytes",
	} {
		status, m := post(t, url+"/v1/completions", body, "bearer secret")
		require.GreaterOrEqual(t, status, 400, body)
		require.Less(t, status, 500, body)
		require.Contains(t, m["error"].(map[string]any)["message"], want, body)
		code := map[string]any{"leaves no room": "context_length_exceeded", "more than a context of 64": "context_length_exceeded", `there is no model "large"`: "model_not_found",
			"temperatur is no parameter": "unknown_parameter"}[want]
		require.Equal(t, code, m["error"].(map[string]any)["code"], body)
	}
	for body, want := range map[string]string{`"reasoning_format":"legacy"`: `reasoning_format is "legacy"; there are auto`, `"modalities":["text","audio"]`: `modalities has "audio"`, `"functions":[{"name":"f"}]`: "functions is not supported",
		`"max_tokens":0,"max_completion_tokens":0`: "max_completion_tokens is 0, want at least 1",
		`"max_tokens":3,"max_completion_tokens":4`: "max_tokens is 3 and max_completion_tokens, its newer name, 4: leave one of them out",
		`"verbosity":"low"`:                        "verbosity is not supported",
		`"web_search_options":{}`:                  "web_search_options is not supported",
		`"verbosity":"low","web_search_options":{},"functions":[{"name":"f"}],"function_call":"none"`: "function_call is not supported",
		`"tools":[{"function":{}}]`: "tool 0 is no function with a name",
		`"tools":[3]`:               "tool 0 is no function with a name",
		`"tool_choice":"any"`:       `tool_choice is "any"; there are auto, none, required`,
		`"tool_choice":7`:           `tool_choice is 7`,
		`"tools":[{"type":"custom","custom":{"name":"f"}}]`:                                                                                                                        `tool 0 is of the type "custom"`,
		`"tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}`:                                                    "tools has none that fits",
		`"tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"function":{"name":"f"}},{"function":{"name":"g"}}]}}`: `tool_choice allows the function "g"; tools has none of this name`,
		`"tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"custom"}]}}`:                                   "tool 0 of allowed_tools is no function with a name",
		`"tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"any"}}`:                                                                "and allowed_tools",
		`"tool_choice":"required"`:              `tools has none that fits`,
		`"tool_choice":"required","tools":[{}]`: `tool 0 is no function with a name`,
		`"tool_choice":{"type":"function"}`:     `tool_choice is {"type":"function"}`,
		`"tool_choice":"required","tools":[{"function":{"name":"f"}}],"response_format":{"type":"json_object"}`:       "tool_choice wants a call",
		`"tool_choice":{"type":"function","function":{"name":"g"}},"tools":[{"function":{"name":"f"}}]`:               "tools has none that fits",
		`"tools":[{"function":{"name":"f","strict":true,"parameters":{"type":"integer","multipleOf":3}}}]`:            `function "f": #: "multipleOf" is not supported`,
		`"tools":[{"function":{"name":"f","strict":true}},{}]`:                                                        "tool 1 is no function with a name",
		`"tool_choice":"required","tools":[{"function":{"name":"f","parameters":{"type":"integer","multipleOf":3}}}]`: `function "f": #: "multipleOf" is not supported`,
	} {
		_, m := post(t, url+"/v1/chat/completions", `{"messages":[{"role":"user","content":"a"}],`+body+`}`, "Bearer secret")
		require.Contains(t, m["error"].(map[string]any)["message"], want)
	}
	for message, want := range map[string]string{`{"role":"user","content":[{"type":"image_url"}]}`: "image_url", `{"content":"a"}`: "message 0 has no role",
		`{"role":"user"}`: "message 0 has no content", `{"role":"tool","content":null}`: "message 0 has no content"} {
		status, m := post(t, url+"/v1/chat/completions", `{"messages":[`+message+`]}`, "Bearer secret")
		require.Equal(t, 400, status)
		require.Contains(t, m["error"].(map[string]any)["message"], want)
	}
	require.NoError(t, s.Shutdown(context.Background()))
	status, _ = post(t, url+"/v1/completions", `{"prompt":"a"}`, "Bearer secret")
	require.Equal(t, http.StatusServiceUnavailable, status)
}

// TestSmallCache: an answer whose request says no length ends where the cache does; a longer one is refused, with the
// code for it.
func TestSmallCache(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, CacheTokens: 64}, serve.Options{})
	status, m := post(t, url+"/v1/completions", `{"prompt":[65,66],"ignore_eos":true}`)
	require.Equal(t, 200, status, m)
	require.Equal(t, 62.0, m["usage"].(map[string]any)["completion_tokens"])
	require.Equal(t, "length", choice(m, 0)["finish_reason"])
	_, _, bounded := start(t, llm.LoadOptions{Context: 256, CacheTokens: 64}, serve.Options{MaxTokens: 128})
	status, m = post(t, bounded+"/v1/completions", `{"prompt":[65,66],"ignore_eos":true}`)
	require.Equal(t, 200, status, m)
	require.Equal(t, 62.0, m["usage"].(map[string]any)["completion_tokens"], "the bound of the server is not asked for")
	chat := `{"messages":[{"role":"user","content":"a"}],"ignore_eos":true%s}`
	status, m = post(t, bounded+"/v1/chat/completions", fmt.Sprintf(chat, ``))
	require.Equal(t, 200, status, m)
	require.Equal(t, 64.0, m["usage"].(map[string]any)["total_tokens"])
	status, m = post(t, bounded+"/v1/chat/completions", fmt.Sprintf(chat, `,"max_completion_tokens":100`))
	require.Equal(t, 400, status, m)
	for body, param := range map[string]any{`{"prompt":[65,66],"max_tokens":70}`: "max_tokens", `{"prompt":[[65,66],[65],[66]],"n":3,"max_tokens":70}`: "max_tokens",
		`{"prompt":[65,66],"max_tokens":70,"stream":true}`: "max_tokens", `{"prompt":[65` + strings.Repeat(",65", 64) + `]}`: nil} {
		status, m = post(t, url+"/v1/completions", body)
		require.Equal(t, 400, status, m)
		require.Equal(t, "context_length_exceeded", m["error"].(map[string]any)["code"])
		require.Equal(t, param, m["error"].(map[string]any)["param"])
		require.Regexp(t, `^a prompt and its answer have up to \d+ tokens; the cache has room for 64$`, m["error"].(map[string]any)["message"])
	}
}

// TestMethods: a path with a method that it does not take says which it takes; a path that there is not is another
// error.
func TestMethods(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{Name: "small"})
	for path, allowed := range map[string]string{"/health": "GET, HEAD", "/metrics": "GET, HEAD", "/v1/models": "GET, HEAD", "/v1/models/small": "GET, HEAD",
		"/v1/chat/completions": "POST", "/v1/completions": "POST", "/v1/embeddings": "POST", "/v1/images": "", "/v1/v1/chat/completions": "", "/lora-adapters": "GET, HEAD, POST"} {
		r, err := http.NewRequest(http.MethodPut, url+path, strings.NewReader("{}"))
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		var m map[string]map[string]any
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&m))
		require.NoError(t, resp.Body.Close())
		status, text := http.StatusMethodNotAllowed, path
		if allowed == "" { // as for a client with /v1 in its address twice
			status, text = http.StatusNotFound, "there is no "+path+"; there are /health, /v1/health, /metrics, /v1/models, /models, /v1/models/{name...}, /v1/chat/completions, "
		}
		require.Equal(t, status, resp.StatusCode, path)
		require.Equal(t, allowed, resp.Header.Get("Allow"), path)
		require.Contains(t, m["error"]["message"], text)
	}
}
