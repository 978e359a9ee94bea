package webpage

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThisMachineAlone: requests that name other hosts get no page.
func TestThisMachineAlone(t *testing.T) {
	h := onlyFor("mine", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "page") }))
	for host, want := range map[string]int{
		"localhost": 200, "localhost:80": 200, "127.0.0.1:80": 200, "[::1]:80": 200, "[::1]": 200, "mine:80": 200,
		"LOCALHOST": 200, "LocalHost:80": 200, "localhost.": 200, "localhost.:80": 200, "MINE": 200, "localhost..": 421, "": 421,
		"example.com": 421, "example.com:80": 421, "localhost.example.com:80": 421, "127.0.0.1.example.com": 421,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, want, w.Code, host)
	}
}

// TestListen: an address that is none is an error that says how one looks.
func TestListen(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	_, err = Listen("127.0.0.1")
	require.ErrorContains(t, err, "127.0.0.1: listen tcp")
	require.ErrorContains(t, err, "as in 127.0.0.1:8080")
}
