package serve_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesOfLlamaServer: chats and completions take what llama-server has other names for: max_tokens of -1 for as
// many as there is room for, n_predict, and samplers, which leave the others out.
func TestNamesOfLlamaServer(t *testing.T) {
	url := startExact(t)
	for path, prompt := range map[string]string{"/v1/chat/completions": `"messages":[{"role":"user","content":"Hi"}]`, "/v1/completions": `"prompt":"ab"`} {
		ask := func(more string) map[string]any {
			status, got := post(t, url+path, "{"+prompt+more+"}")
			require.Equal(t, http.StatusOK, status, got)
			delete(got, "id")
			delete(got, "created")
			delete(got, "usage")
			delete(got, "timings")
			return got
		}
		best := ask(`,"max_tokens":4,"temperature":0`)
		require.Equal(t, best, ask(`,"n_predict":4,"n_keep":0,"samplers":["top_k"],"top_k":1,"temperature":9,"min_p":1`))
		require.Equal(t, ask(`,"stop":["e"],"temperature":0`), ask(`,"stop":["e"],"temperature":0,"max_tokens":-1`))
		require.Equal(t, best, ask(`,"max_tokens":4,"temperature":0,"container":null,"guided_json":null`), "null asks for nothing")
		status, two := post(t, url+path, "{"+prompt+`,"max_tokens":2,"n_cmpl":2,"verbose":false,"return_progress":false}`)
		require.Equal(t, http.StatusOK, status, two)
		require.Len(t, two["choices"], 2)
		require.NotContains(t, two, "timings", "which are of one answer")
		require.Regexp(t, "^acap", two["system_fingerprint"])
		_, one := post(t, url+path, "{"+prompt+`,"max_tokens":3,"ignore_eos":true}`)
		timings := one["timings"].(map[string]any)
		require.EqualValues(t, 3, timings["predicted_n"])
		require.Equal(t, one["usage"].(map[string]any)["prompt_tokens"], timings["cache_n"].(float64)+timings["prompt_n"].(float64))
		for every, wanted := range map[string]int{"false": 1, "true": 3} {
			n := 0
			for _, e := range events(t, url+path, "{"+prompt+`,"max_tokens":3,"ignore_eos":true,"logprobs":`+map[bool]string{true: "1", false: "true"}[path == "/v1/completions"]+`,"stream":true,"timings_per_token":`+every+"}") {
				if _, ok := e["timings"]; ok {
					n++
				}
			}
			require.Equal(t, wanted, n)
		}
		for body, param := range map[string]string{`"samplers":["x"]`: "samplers", `"n_predict":-2`: "n_predict", `"n_keep":3`: "n_keep", `"verbose":true`: "verbose", `"return_progress":true`: "return_progress", `"n":1,"n_cmpl":2`: "n", `"container":null,"guided_json":{}`: "guided_json", `"max_tokens":-2`: "max_tokens"} {
			status, m := post(t, url+path, "{"+prompt+","+body+"}")
			require.Equal(t, http.StatusBadRequest, status, body)
			require.Equal(t, param, m["error"].(map[string]any)["param"], body)
		}
	}
}
