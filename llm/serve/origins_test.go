package serve_test

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

// TestCheckOrigin: what a browser sends as the origin of a page is taken, and what looks like it is refused.
func TestCheckOrigin(t *testing.T) {
	for _, origin := range []string{"*", "localhost", "null", "https://example.com", "http://localhost:3000", "http://[::1]:80"} {
		require.NoError(t, serve.CheckOrigin(origin))
	}
	for _, origin := range []string{"", "example.com", "localhost:3000", "https://example.com/page", "https://", "https://a@example.com", "http://a b"} {
		require.ErrorContains(t, serve.CheckOrigin(origin), "is no origin", origin)
	}
}

// TestOrigins: scripts of pages that are named may read answers, without the key where the browser asks first, also
// while the model is being loaded.
func TestOrigins(t *testing.T) {
	ask := func(h http.Handler, method, path, origin string) (int, http.Header) {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Origin", origin)
		if method == "OPTIONS" {
			r.Header.Set("Access-Control-Request-Method", "POST")
			r.Header.Set("Access-Control-Request-Headers", "authorization, content-type")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Header()
	}
	const page, other, here = "https://example.com", "https://example.org", "http://localhost:5173"
	for _, c := range []struct {
		origins []string
		allowed []string
	}{{nil, nil}, {[]string{page}, []string{page}}, {[]string{"localhost"}, []string{here, "http://127.0.0.1:80", "http://[::1]:80"}}, {[]string{"*"}, []string{page, other, here}}} {
		server, _, _ := start(t, llm.LoadOptions{Context: 64}, serve.Options{Origins: c.origins, Keys: []string{"k"}})
		loading := &serve.Loading{Origins: c.origins}
		for _, origin := range []string{page, other, here, "http://127.0.0.1:80", "http://[::1]:80", "http://localhost.example.com", "http://10.0.0.1:80"} {
			want := ""
			for _, o := range c.allowed {
				if o == origin || c.origins[0] == "*" {
					want = origin
				}
			}
			for _, h := range []http.Handler{server, loading} {
				_, header := ask(h, "GET", "/health", origin)
				require.Equal(t, want, header.Get("Access-Control-Allow-Origin"), origin)
				status, header := ask(h, "OPTIONS", "/v1/chat/completions", origin)
				require.Equal(t, want != "", status == http.StatusNoContent)
				if want != "" {
					require.Equal(t, "authorization, content-type", header.Get("Access-Control-Allow-Headers"))
					require.Contains(t, header.Get("Access-Control-Allow-Methods"), "POST")
				}
			}
		}
	}
}

// TestForeign: without keys, scripts of pages of other hosts get no answer but 403, unless their pages are named; a
// browser that hides an answer has sent the request.
func TestForeign(t *testing.T) {
	const page, body = "https://example.com", `{"prompt":"a","max_tokens":1}`
	for _, c := range []struct {
		options serve.Options
		origin  string
		want    int
	}{
		{serve.Options{}, page, 403},
		{serve.Options{}, "null", 403},
		{serve.Options{}, "http://localhost.example.com", 403},
		{serve.Options{}, "http://192.0.2.1:9", 403},
		{serve.Options{}, "%", 403},
		{serve.Options{Origins: []string{"https://example.org", "localhost"}}, page, 403},
		{serve.Options{}, "", 200},
		{serve.Options{}, "http://localhost:3000", 200},
		{serve.Options{}, "http://127.0.0.1", 200},
		{serve.Options{}, "http://[::1]:80", 200},
		{serve.Options{}, "http://Mine:8080", 200}, // the host of the request
		{serve.Options{}, "http://mine", 403},
		{serve.Options{Origins: []string{page}}, page, 200},
		{serve.Options{Origins: []string{"*"}}, page, 200},
		{serve.Options{Keys: []string{"k"}}, page, 200},
	} {
		server, m, _ := start(t, llm.LoadOptions{Context: 64}, c.options)
		r := httptest.NewRequest(http.MethodPost, "http://mine:8080/v1/completions", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer k")
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		require.Equal(t, c.want, w.Code, "%s %v", c.origin, c.options)
		if computed := m.Stats().Prompts > 0; c.want == 403 {
			require.False(t, computed)
			require.Contains(t, w.Body.String(), "-cors-origins")
		}
	}
}

// TestLoading: while a model is being loaded, requests and /health have the status 503, and then the statuses of the
// server.
func TestLoading(t *testing.T) {
	server, _, _ := start(t, llm.LoadOptions{Context: 64}, serve.Options{})
	var loading serve.Loading
	web := httptest.NewServer(&loading)
	defer web.Close()
	get := func(path string) (int, string) {
		r, err := http.Get(web.URL + path)
		require.NoError(t, err)
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		return r.StatusCode, string(text)
	}
	status, text := get("/health")
	require.Equal(t, 503, status)
	require.JSONEq(t, `{"status":"loading"}`, text)
	status, text = get("/v1/models")
	require.Equal(t, 503, status)
	require.Contains(t, text, "the model is being loaded")
	loading.Ready(server)
	status, text = get("/health")
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"status":"ok"}`, text)
}
