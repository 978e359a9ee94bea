package llm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestAdaptersServed: /lora-adapters names the adapters and their scales, as in llama-server. Other scales than at the
// start are refused there and in a request.
func TestAdaptersServed(t *testing.T) {
	path := llm.RecordedAdapter(t, "llama-adapter")
	ask := served(t, llm.RecordedPath(t, "llama-adapter"), llm.LoadOptions{Adapters: []string{path}, AdapterScales: []float64{0.5}}, serve.Options{})
	named, err := json.Marshal(path)
	require.NoError(t, err)
	status, list := ask(http.MethodGet, "/lora-adapters", "")
	require.Equal(t, http.StatusOK, status)
	require.JSONEq(t, `[{"id":0,"path":`+string(named)+`,"scale":0.5}]`, list)
	for body, want := range map[string]int{`[{"id":0,"scale":0.5}]`: http.StatusOK, `[{"id":0,"scale":1}]`: http.StatusBadRequest, `[]`: http.StatusBadRequest,
		`[{"id":1,"scale":1}]`: http.StatusBadRequest} {
		status, text := ask(http.MethodPost, "/lora-adapters", body)
		require.Equal(t, want, status, text)
		status, text = ask(http.MethodPost, "/completion", `{"prompt":[1,5],"n_predict":1,"lora":`+body+`}`)
		require.Equal(t, want, status, text)
		require.Equal(t, want != http.StatusOK, strings.Contains(text, "adapter"), text)
	}
}
