package serve_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestTokens: tokens of texts, texts of tokens and prompts of chats are those of llama-server 0.7.0 for the same file.
func TestTokens(t *testing.T) {
	_, _, url := start(t, llm.LoadOptions{Context: 64}, serve.Options{})
	for _, c := range []struct{ path, body, want string }{
		{"/tokenize", `{"content":"ab é </s>"}`, `{"tokens":[285,259,260,285,198,172,285,2]}`},
		{"/tokenize", `{"content":["ab é",7," </s>"]}`, `{"tokens":[285,259,260,285,198,172,7,285,285,2]}`},
		{"/tokenize", `{"content":["ab é </s>"]}`, `{"tokens":[285,259,260,285,198,172,285,2]}`},
		{"/tokenize", `{"content":[7,"ab"],"add_special":true}`, `{"tokens":[7,285,259,260]}`},
		{"/tokenize", `{"content":"ab é </s>","add_special":true,"parse_special":false,"with_pieces":true}`,
			`{"tokens":[{"id":1,"piece":"<s>"},{"id":285,"piece":" "},{"id":259,"piece":"a"},{"id":260,"piece":"b"},{"id":285,"piece":" "},` +
				`{"id":198,"piece":[195]},{"id":172,"piece":[169]},{"id":285,"piece":" "},{"id":63,"piece":"<"},{"id":50,"piece":"/"},{"id":277,"piece":"s"},{"id":65,"piece":">"}]}`},
		{"/detokenize", `{"tokens":[1,259,260,285,2]}`, `{"content":"<s>ab </s>"}`},
		{"/detokenize", `{"tokens":[]}`, `{"content":""}`},
		{"/detokenize", `{"tokens":[285,259,198,172]}`, `{"content":" aé"}`},
		{"/apply-template", `{"messages":[{"role":"user","content":"Hi"}]}`, `{"prompt":"<|user|>\nHi</s>\n<|assistant|>\n"}`},
	} {
		status, got := post(t, url+c.path, c.body)
		require.Equal(t, http.StatusOK, status, "%s: %v", c.body, got)
		text, err := json.Marshal(got)
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(text), c.body)
	}
	for path, body := range map[string]string{"/detokenize": `{"tokens":[320]}`, "/apply-template": `{"messages":[]}`, "/tokenize": `{"content":"a","special":true}`} {
		status, got := post(t, url+path, body)
		require.Equal(t, http.StatusBadRequest, status, "%s: %v", body, got)
	}
}
