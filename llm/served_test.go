package llm_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// served loads a model and serves it until the test ends. ask sends a request and returns the status and the text of the
// answer.
func served(t *testing.T, path string, load llm.LoadOptions, options serve.Options) (ask func(method, path, body string) (int, string)) {
	m, err := llm.Load(path, load)
	require.NoError(t, err)
	web := httptest.NewServer(serve.New(m, options))
	t.Cleanup(func() { web.Close(); require.NoError(t, m.Close()) })
	return func(method, path, body string) (int, string) {
		r, err := http.NewRequest(method, web.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		answer, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(data)
	}
}
