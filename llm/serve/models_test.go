package serve_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestModels: the model is listed, and described by its name, which may have slashes; another name is not found.
func TestModels(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{Name: "a/small"})
	get := func(path string) (int, map[string]any) {
		resp, err := http.Get(url + path)
		require.NoError(t, err)
		defer resp.Body.Close()
		var m map[string]any
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&m))
		return resp.StatusCode, m
	}
	status, list := get("/v1/models")
	require.Equal(t, http.StatusOK, status)
	status, one := get("/v1/models/a/small")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, []any{one}, list["data"])
	require.Equal(t, "a/small", one["id"])
	require.Equal(t, "model", one["object"])
	status, wrong := get("/v1/models/small")
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "model_not_found", wrong["error"].(map[string]any)["code"])
	for name, want := range map[string]int{"": http.StatusOK, "a/small": http.StatusOK, "small": http.StatusNotFound} {
		status, _ := post(t, url+"/v1/completions", `{"prompt":"a","max_tokens":1,"model":"`+name+`"}`)
		require.Equal(t, want, status, name)
	}
}
