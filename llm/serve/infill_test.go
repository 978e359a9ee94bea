package serve_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInfillSampler: the sampler infill chooses the tokens that llama-server b11669 chooses for the same file.
func TestInfillSampler(t *testing.T) {
	url := startExact(t)
	for _, c := range []struct {
		body   string
		tokens []any
	}{
		{`{"prompt":"ab","logit_bias":[[285,7],[286,7.3],[287,7.2],[2,-20]],"top_k":30,"samplers":["top_k","infill","temperature"]`, []any{286.0, 286.0, 286.0, 285.0, 286.0, 286.0}},
		{`{"prompt":"x","logit_bias":[[285,6],[290,6.5],[100,6.3],[101,6.2],[2,-20]],"top_k":30,"samplers":["top_k","infill","temperature"]`, []any{290.0, 290.0, 290.0, 290.0, 290.0, 290.0}},
		{`{"prompt":"q","logit_bias":[[285,8],[300,8.2],[301,7.9],[259,8.4],[260,8.1],[2,-20]],"top_k":30,"samplers":["top_k","infill","temperature"]`, []any{300.0, 259.0, 300.0, 259.0, 285.0, 285.0}},
		{`{"prompt":"z","logit_bias":[[259,7],[260,7.1],[261,7.2],[262,7.3],[263,7.1],[264,7.2],[2,-20]],"top_k":30,"samplers":["top_k","infill","temperature"]`, []any{259.0, 264.0, 262.0, 263.0, 259.0, 261.0}},
		{`{"prompt":"ab","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{204.0, 2.0}},
		{`{"prompt":"ab cd","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{2.0}},
		{`{"prompt":"x","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{2.0}},
		{`{"prompt":"cd ef gh","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{2.0}},
		{`{"prompt":"b c","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{35.0, 2.0}},
		{`{"prompt":"Zz","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{2.0}},
		{`{"prompt":"q","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{2.0}},
		{`{"prompt":"hello","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{2.0}},
		{`{"prompt":"an","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{302.0, 2.0}},
		{`{"prompt":"t","logit_bias":[],"top_k":40,"top_p":0.9,"samplers":["top_k","top_p","infill","temperature"]`, []any{309.0, 105.0, 222.0, 2.0}},
	} {
		status, got := post(t, url+"/completion", c.body+`,"n_predict":6,"temperature":0,"return_tokens":true}`)
		require.Equal(t, http.StatusOK, status, got)
		require.Equal(t, c.tokens, got["tokens"], c.body)
	}
}
