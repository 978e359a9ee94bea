package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestEmbeddingNorms: vectors of /embedding have the norm that a request says. The values are those of llama-server
// b11669.
func TestEmbeddingNorms(t *testing.T) {
	ask := served(t, llm.RecordedPath(t, "gemma-embedding-dense"), llm.LoadOptions{Exact: true}, serve.Options{})
	for norm, want := range map[int]float64{-1: 2.930920124053955, 0: 32760, 1: 0.08410409092903137, 2: 0.38285911083221436, 3: 0.5949468016624451} {
		status, text := ask(http.MethodPost, "/embedding", fmt.Sprintf(`{"content":[1,17,5],"embd_normalize":%d}`, norm))
		require.Equal(t, http.StatusOK, status, text)
		var list []struct{ Embedding [][]float64 }
		require.NoError(t, json.Unmarshal([]byte(text), &list))
		require.Len(t, list[0].Embedding, 1)
		require.InEpsilon(t, want, list[0].Embedding[0][22], 1e-3, norm) // llama.cpp looks GELU up in a table of f16 numbers
	}
}
