package serve_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/serve"
)

// gone is a client that closes the connection after some writes.
type gone struct {
	*httptest.ResponseRecorder
	writes, headers int
}

func (g *gone) WriteHeader(status int) { g.headers++ }

func (g *gone) Write(data []byte) (int, error) {
	if g.writes--; g.writes < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(data), nil
}

// TestGone: an answer whose client does not read on ends without an error, before the request's context says so.
func TestGone(t *testing.T) {
	s, m, url := start(t, llm.LoadOptions{Context: 256}, serve.Options{})
	w := &gone{ResponseRecorder: httptest.NewRecorder(), writes: 2}
	s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/completions", strings.NewReader(`{"prompt":"ab","max_tokens":200,"ignore_eos":true,"stream":true}`)))
	require.Equal(t, 1, w.headers)
	resp, err := http.Get(url + "/metrics")
	require.NoError(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^acap_requests_cancelled_total 1$`, string(data))
	require.Regexp(t, `(?m)^acap_requests_failed_total 0$`, string(data))
	require.Eventually(t, func() bool { st := m.Stats(); return st.Running == 0 && st.FreePages == st.Pages }, time.Minute, time.Millisecond)
}
