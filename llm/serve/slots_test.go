package serve_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestLikeLlamaServer: what clients of llama-server look at beside answers, with the values of b11669 for the same
// file.
func TestLikeLlamaServer(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 256, Sequences: 2, Exact: true}, serve.Options{Name: "small"})
	get := func(path string) (text string) {
		resp, err := http.Get(url + path)
		require.NoError(t, err)
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, resp.StatusCode, string(data))
		return string(data)
	}
	require.JSONEq(t, `[{"id":0,"n_ctx":256,"is_processing":false},{"id":1,"n_ctx":256,"is_processing":false}]`, get("/slots?fail_on_no_slot=1"))
	require.JSONEq(t, `[]`, get("/lora-adapters"))
	require.JSONEq(t, `{"status":"ok"}`, get("/v1/health"))
	require.Equal(t, get("/v1/models"), get("/models"))
	var models struct {
		Data []struct {
			Meta         map[string]any
			Architecture map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(get("/models")), &models))
	require.Equal(t, map[string]any{"n_vocab": 320.0, "n_ctx": 256.0, "n_ctx_train": 2048.0, "n_embd": 64.0}, models.Data[0].Meta)
	require.Equal(t, map[string]any{"input_modalities": []any{"text"}, "output_modalities": []any{"text"}}, models.Data[0].Architecture)

	status, m := post(t, url+"/lora-adapters", `[]`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, map[string]any{"success": true}, m)
	status, m = post(t, url+"/lora-adapters", `[{"id":0,"scale":0.5}]`)
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, m["error"].(map[string]any)["message"], "there is no adapter 0; there are 0")
	status, m = post(t, url+"/slots/0?action=erase", ``)
	require.Equal(t, http.StatusNotImplemented, status, m)

	for path, body := range map[string]string{"/v1/chat/completions": `{"messages":[{"role":"user","content":"Hi"}]}`, "/v1/responses": `{"input":"Hi"}`} {
		status, m = post(t, url+path+"/input_tokens", body)
		require.Equal(t, http.StatusOK, status, m)
		require.Equal(t, map[string]any{"object": "response.input_tokens", "input_tokens": 30.0}, m)
	}
	status, m = post(t, url+"/completions", `{"prompt":"ab","n_predict":3,"temperature":0,"lora":[],"id_slot":7}`)
	require.Equal(t, http.StatusOK, status, m)
	require.Equal(t, "\uFFFDD\uFFFD", m["content"])
	for _, line := range []string{"llamacpp:prompt_tokens_total 4", "llamacpp:tokens_predicted_total 3", "llamacpp:requests_processing 0"} {
		require.Contains(t, strings.Split(get("/metrics"), "\n"), line)
	}

	resp, err := http.Post(url+"/embedding", "application/json", strings.NewReader(`{"content":"ab"}`)) // nothing is pooled: a row of each token
	require.NoError(t, err)
	defer resp.Body.Close()
	var rows []struct{ Embedding [][]float64 }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&rows))
	require.Len(t, rows[0].Embedding, 4)
	require.InDeltaSlice(t, []float64{-1.5000495910644531, -0.21787789463996887, -0.6095260381698608}, rows[0].Embedding[0][:3], 1e-5)
	require.InDeltaSlice(t, []float64{-1.1544063091278076, 0.2866359055042267, -0.5003126263618469}, rows[0].Embedding[1][:3], 1e-5)
}
