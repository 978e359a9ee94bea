package serve_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIndent: an answer ends at a line with fewer blanks in front than are wanted, as in llama-server b11669, whose
// values these are. A stream has the text of the whole answer.
func TestIndent(t *testing.T) {
	url := startExact(t)
	for _, c := range []struct {
		grammar, content, end string
		tokens                int
	}{
		{`a\n  b\nc`, "a\n  b\n", "limit", 7},
		{`a\n  b\n\n  c`, "a\n  b\n", "limit", 7},
		{`a\n b\n  c`, "a\n ", "limit", 4},
		{`a\n    b\n  `, "a\n    b\n  ", "eos", 0},
	} {
		body := `{"prompt":"ab","n_predict":20,"temperature":0,"n_indent":2,"grammar":"root ::= \"` + strings.ReplaceAll(c.grammar, `\`, `\\`) + `\""`
		status, got := post(t, url+"/completion", body+`}`)
		require.Equal(t, http.StatusOK, status, got)
		require.Equal(t, c.content, got["content"])
		require.Equal(t, c.end, got["stop_type"])
		if c.tokens > 0 {
			require.EqualValues(t, c.tokens, got["tokens_predicted"])
		}
		var text strings.Builder
		for _, e := range nativeEvents(t, url+"/completion", body+`,"stream":true}`) {
			text.WriteString(e["content"].(string))
		}
		require.Equal(t, c.content, text.String())
	}
	// Behind the time, the next line is the last one.
	status, got := post(t, url+"/completion", `{"prompt":"ab","n_predict":200,"temperature":0,"t_max_predict_ms":1,"t_max_prompt_ms":1,"id_slot":0,"ignore_eos":true,"grammar":"root ::= [\\n]*"}`)
	require.Equal(t, http.StatusOK, status, got)
	require.Equal(t, "limit", got["stop_type"])
	require.Less(t, got["tokens_predicted"], 200.0)
	// No token is one token, as there: editors have a prompt read so.
	status, got = post(t, url+"/completion", `{"prompt":"ab","n_predict":0,"temperature":0}`)
	require.Equal(t, http.StatusOK, status, got)
	require.EqualValues(t, 1, got["tokens_predicted"])
}
