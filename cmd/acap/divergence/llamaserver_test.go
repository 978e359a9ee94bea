package divergence

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLlamaServer reads probabilities as llama-server writes them.
func TestLlamaServer(t *testing.T) {
	answer := `{"content":" a","completion_probabilities":[{"id":1,"logprob":-0.5,"top_logprobs":[{"id":1,"token":" a","bytes":[32,97],"logprob":-0.5},
		{"id":0,"token":"b","bytes":[98],"logprob":-1.5}]}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		require.JSONEq(t, `{"prompt":[1,0],"n_predict":1,"n_probs":2,"cache_prompt":true,"temperature":0,"logit_bias":[[0,1e6]]}`, string(data))
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	s := &Server{address: server.Listener.Addr().String()}
	row, err := s.Logprobs([]int{1, 0}, 0, 2)
	require.NoError(t, err)
	require.Equal(t, []float64{-1.5, -0.5}, row)
	answer = `{"error":{"code":500,"message":"no room"}}`
	_, err = s.Logprobs([]int{1, 0}, 0, 2)
	require.ErrorContains(t, err, "no room")
	_, err = StartServer("false", "m.gguf", 8)
	require.ErrorContains(t, err, "llama-server")
}
