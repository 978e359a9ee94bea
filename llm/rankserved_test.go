package llm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// TestRerank: documents come in the order of llama-server b11669 for the same file, and in the two forms of answers
// that it has.
func TestRerank(t *testing.T) {
	recorded := llm.RecordedRanks(t)["two"]
	send := served(t, recorded.Write(t), llm.LoadOptions{Exact: true}, serve.Options{Name: "ranker"})
	ask := func(path, body string) (int, string) { return send(http.MethodPost, path, body) }
	const documents = `"query":"ab cd","documents":["ef","cd ab","xyz a b","ab cd","q"]`
	status, got := ask("/v1/rerank", "{"+documents+`,"top_n":3,"return_documents":true}`)
	require.Equal(t, http.StatusOK, status, got)
	require.Regexp(t, `^\{"model":"ranker","object":"list","results":\[\{"document":\{"text":"q"\},"index":4,"relevance_score":-2\.01\d*\},`+
		`\{"document":\{"text":"ab cd"\},"index":3,[^}]*\},\{"document":\{"text":"cd ab"\},"index":1,[^}]*\}\],"usage":\{"prompt_tokens":46,"total_tokens":46\}\}\n$`, got)
	status, got = ask("/rerank", `{"query":"ab","texts":["ab","cd"],"return_text":true}`)
	require.Equal(t, http.StatusOK, status, got)
	require.Regexp(t, `^\[\{"index":1,"score":-1\.78\d*,"text":"cd"\},\{"index":0,"score":-1\.80\d*,"text":"ab"\}\]\n$`, got)
	for body, param := range map[string]string{
		`{"documents":["a"]}`: "query", `{"query":"a"}`: "documents", `{"query":"a","documents":[]}`: "documents", `{"query":"a","documents":["a"],"texts":["a"]}`: "texts",
		`{` + documents + `,"top_n":0}`: "top_n", `{` + documents + `,"max_chunks_per_doc":1}`: "max_chunks_per_doc", `{"query":"a","documents":[{"text":"a"}]}`: "documents",
		`{"query":"` + strings.Repeat("a ", 70) + `","documents":["a"]}`: "documents",
	} {
		status, got := ask("/v1/rerank", body)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Contains(t, got, fmt.Sprintf(`"param":%q`, param), body)
	}
	status, got = ask("/v1/embeddings", `{"input":"a"}`)
	require.Equal(t, http.StatusBadRequest, status, got)
}
