package serve

import (
	"net/http"
	"sync/atomic"
)

// Loading answers requests while a model is loaded: with the status 503, and [Loading.Ready] gives all later requests
// to a server. The zero value is loading.
type Loading struct {
	server  atomic.Pointer[Server]
	Origins []string // see [Options.Origins]
}

// Ready has a server answer from here on.
func (l *Loading) Ready(s *Server) { l.server.Store(s) }

// ServeHTTP answers one request.
func (l *Loading) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s := l.server.Load(); s != nil {
		s.ServeHTTP(w, r)
		return
	}
	if origins(l.Origins).answer(w, r) {
		return
	}
	w.Header().Set("Retry-After", "1")
	if r.URL.Path == "/health" {
		answer(w, http.StatusServiceUnavailable, map[string]string{"status": "loading"})
		return
	}
	fail(w, http.StatusServiceUnavailable, "server_error", "loading", "the model is being loaded")
}
