package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-acap/acap/base/jsontext"
	"github.com/go-acap/acap/llm"
)

// Options say how a model is served.
type Options struct {
	Name      string        // of the model; "model" without
	Keys      []string      // one of these is wanted as a bearer; none for everybody
	Queue     int           // most requests at once, those that wait among them; 0 for 256
	MaxTokens int           // of an answer whose request does not say; 0 for as many as the context and the cache have room for
	MaxBytes  int64         // of a request; 0 for 8 MiB
	Timeout   time.Duration // of an answer; 0 for none

	// Origins are the web pages whose scripts may read answers, such as "https://example.com"; "localhost" stands for
	// pages of this machine at any port, and "*" for all. Without one no page of another origin may. Without keys,
	// requests of other pages are refused with the status 403, but for pages of this machine and of the host that the
	// request names.
	Origins []string
}

// Server is a handler of requests for one model.
type Server struct {
	model   *llm.Model
	options Options
	mux     *http.ServeMux
	started time.Time
	metrics metrics
	scoring chan struct{} // holds an element while a prompt is scored

	mu       sync.Mutex
	active   int
	draining bool
	idle     chan struct{} // closed when nothing is active while draining
	bodies   map[*arriving]bool
}

// New serves a model, which stays the caller's to close.
func New(m *llm.Model, o Options) *Server {
	if o.Name == "" {
		o.Name = "model"
	}
	if o.Queue == 0 {
		o.Queue = 256
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 8 << 20
	}
	s := &Server{model: m, options: o, mux: http.NewServeMux(), started: time.Now(), scoring: make(chan struct{}, 1), idle: make(chan struct{}), bodies: map[*arriving]bool{}}
	var paths []string
	methods := map[string][]string{}
	for _, route := range []struct {
		method, path string
		answer       http.HandlerFunc
	}{
		{"GET", "/health", s.health},
		{"GET", "/v1/health", s.health},
		{"GET", "/metrics", s.writeMetrics},
		{"GET", "/v1/models", s.authorised(s.models)},
		{"GET", "/models", s.authorised(s.models)},
		{"GET", "/v1/models/{name...}", s.authorised(s.oneModel)},
		{"POST", "/v1/chat/completions", s.authorised(s.admitted(s.chat))},
		{"POST", "/chat/completions", s.authorised(s.admitted(s.chat))},
		{"POST", "/v1/chat/completions/input_tokens", s.authorised(s.admitted(s.countChat))},
		{"POST", "/v1/responses/input_tokens", s.authorised(s.admitted(s.countResponse))},
		{"POST", "/v1/responses", s.authorised(s.admitted(s.respond))},
		{"POST", "/v1/messages", s.authorised(s.admitted(s.messages))},
		{"POST", "/v1/messages/count_tokens", s.authorised(s.admitted(s.countTokens))},
		{"POST", "/v1/completions", s.authorised(s.admitted(s.complete))},
		{"POST", "/completion", s.authorised(s.admitted(s.native))},
		{"POST", "/completions", s.authorised(s.admitted(s.native))},
		{"POST", "/infill", s.authorised(s.admitted(s.infill))},
		{"POST", "/v1/rerank", s.authorised(s.admitted(s.rerank))},
		{"POST", "/rerank", s.authorised(s.admitted(s.rerank))},
		{"POST", "/v1/reranking", s.authorised(s.admitted(s.rerank))},
		{"POST", "/reranking", s.authorised(s.admitted(s.rerank))},
		{"POST", "/v1/embeddings", s.authorised(s.admitted(s.embed))},
		{"POST", "/embedding", s.authorised(s.admitted(s.embedNative))},
		{"POST", "/embeddings", s.authorised(s.admitted(s.embedNative))},
		{"GET", "/slots", s.authorised(s.slots)},
		{"POST", "/slots/{id}", s.authorised(s.admitted(s.slot))},
		{"GET", "/lora-adapters", s.authorised(s.adapters)},
		{"POST", "/lora-adapters", s.authorised(s.admitted(s.setAdapters))},
		{"GET", "/props", s.authorised(s.properties)},
		{"POST", "/tokenize", s.authorised(s.admitted(s.tokenize))},
		{"POST", "/detokenize", s.authorised(s.admitted(s.detokenize))},
		{"POST", "/apply-template", s.authorised(s.admitted(s.applyTemplate))},
	} {
		if !slices.Contains(paths, route.path) {
			paths = append(paths, route.path)
		}
		methods[route.path] = append(methods[route.path], strings.Replace(route.method, "GET", "GET, HEAD", 1)) // which the pattern takes as well
		s.mux.HandleFunc(route.method+" "+route.path, route.answer)
	}
	for _, path := range paths {
		allowed := strings.Join(methods[path], ", ")
		s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { // of another method
			w.Header().Set("Allow", allowed)
			fail(w, http.StatusMethodNotAllowed, "invalid_request_error", "", fmt.Sprintf("%s takes %s, not %s", r.URL.Path, allowed, r.Method))
		})
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, "invalid_request_error", "", fmt.Sprintf("there is no %s; there are %s", r.URL.Path, strings.Join(paths, ", ")))
	})
	return s
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allowed := origins(s.options.Origins)
	if allowed.answer(w, r) {
		return
	}
	if len(s.options.Keys) == 0 && allowed.foreign(r) { // such a page has no key
		fail(w, http.StatusForbidden, "permission_error", "origin_not_allowed", fmt.Sprintf("scripts of pages of %q are not answered without a key: "+
			"-cors-origins (Options.Origins) names the pages that are", r.Header.Get("Origin")))
		return
	}
	s.mux.ServeHTTP(w, r)
}

// Shutdown refuses new requests, waits a second for requests that have come in part, and then until the answers that
// are being generated have ended, or the context has.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	if !s.draining {
		s.draining = true
		if s.active == 0 {
			close(s.idle)
		}
		for body := range s.bodies {
			body.hurry()
		}
	}
	s.mu.Unlock()
	select {
	case <-s.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// authorised lets requests with one of the keys through.
func (s *Server) authorised(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			key = r.Header.Get("X-Api-Key") // of Anthropic's clients
		}
		ok := len(s.options.Keys) == 0
		for _, k := range s.options.Keys {
			ok = subtle.ConstantTimeCompare([]byte(k), []byte(key)) == 1 || ok
		}
		if !ok {
			w.Header().Set("WWW-Authenticate", "Bearer")
			text := "the key is none of the server's"
			if key == "" {
				text = "no key is shown: the header Authorization has it, as Bearer KEY"
			}
			fail(w, http.StatusUnauthorized, "authentication_error", "invalid_api_key", text)
			return
		}
		f(w, r)
	}
}

// handler answers a request in the body, which was decoded.
type handler func(w http.ResponseWriter, r *http.Request) error

// requestError is a request that cannot be answered.
type requestError struct {
	status int
	code   string
	param  string
	text   string
}

func (e *requestError) Error() string { return e.text }

func bad(param, format string, args ...any) error {
	return &requestError{http.StatusBadRequest, "", param, fmt.Sprintf(format, args...)}
}

// tooLong is the error of a request with more tokens than the context or the cache has room for.
func tooLong(param, format string, args ...any) error {
	return &requestError{http.StatusBadRequest, "context_length_exceeded", param, fmt.Sprintf(format, args...)}
}

// admitted bounds how many requests there are, and how long each one takes.
func (s *Server) admitted(f handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		switch {
		case s.draining:
			s.mu.Unlock()
			w.Header().Set("Retry-After", "10")
			fail(w, http.StatusServiceUnavailable, "server_error", "shutting_down", "the server is shutting down")
			return
		case s.active >= s.options.Queue:
			s.mu.Unlock()
			s.metrics.refused.Add(1)
			w.Header().Set("Retry-After", "1")
			fail(w, http.StatusTooManyRequests, "rate_limit_error", "queue_full", fmt.Sprintf("there are %d requests already", s.options.Queue))
			return
		}
		s.active++
		s.mu.Unlock()
		start := time.Now()
		defer func() {
			s.metrics.seconds(time.Since(start))
			s.mu.Lock()
			s.active--
			if s.draining && s.active == 0 {
				close(s.idle)
			}
			s.mu.Unlock()
		}()
		if s.options.Timeout > 0 {
			ctx, cancel := context.WithTimeout(r.Context(), s.options.Timeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		body := s.arriving(w, r.Body)
		defer body.left()
		r.Body = http.MaxBytesReader(w, body, s.options.MaxBytes)
		if err := f(w, r); err != nil {
			s.answerError(w, r, err)
		}
	}
}

// errGone is why an answer ended whose client has closed the connection.
var errGone = errors.New("the client has gone")

// gone reports whether an answer has failed because its client has gone.
func gone(ctx context.Context, err error) bool {
	return errors.Is(err, errGone) || ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// answerError says what went wrong, unless the client has gone.
func (s *Server) answerError(w http.ResponseWriter, r *http.Request, err error) {
	if gone(r.Context(), err) {
		s.metrics.cancelled.Add(1)
		return
	}
	f := s.failure(err)
	answer(w, f.status, f.body())
}

// failure is an error as clients see it.
type failure struct {
	status                  int
	kind, code, param, text string
}

// failure describes an error, and counts an error of the server's own.
func (s *Server) failure(err error) failure {
	var e *requestError
	switch {
	case errors.As(err, &e):
		return failure{e.status, "invalid_request_error", e.code, e.param, e.text}
	case errors.Is(err, context.DeadlineExceeded):
		return failure{http.StatusGatewayTimeout, "server_error", "timeout", "", "the answer took too long"}
	}
	s.metrics.failed.Add(1)
	return failure{http.StatusInternalServerError, "server_error", "", "", err.Error()}
}

// body is the failure in JSON.
func (f failure) body() map[string]any {
	null := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	return map[string]any{"error": map[string]any{"message": f.text, "type": f.kind, "code": null(f.code), "param": null(f.param)}}
}

// unknownField is the field of an error that no structure has.
func unknownField(err error) (name string, ok bool) {
	if err != nil {
		name, ok = strings.CutPrefix(err.Error(), "json: unknown field ")
	}
	return strings.Trim(name, `"`), ok
}

// withoutNulls is a request without the members that are null, which ask for nothing.
func withoutNulls(data []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return data
	}
	maps.DeleteFunc(members, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	if rest, err := json.Marshal(members); err == nil {
		return rest
	}
	return data
}

// decode reads a request. A parameter that is not known is an error, unless the parameter is null.
func decode(r *http.Request, to any) error {
	data, err := io.ReadAll(r.Body)
	var d *json.Decoder
	read := func(data []byte) error {
		d = json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		return d.Decode(to)
	}
	if err == nil {
		err = read(data)
	}
	if _, unknown := unknownField(err); unknown {
		err = read(withoutNulls(data))
	}
	if err == nil {
		err = errors.Join(jsontext.Characters(data), jsontext.Names(data))
	}
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return &requestError{http.StatusRequestEntityTooLarge, "", "", fmt.Sprintf("the request has more than %d bytes", large.Limit)}
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return &requestError{http.StatusRequestTimeout, "timeout", "", "the rest of the request has not come in time"}
		}
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			name := kind.Field // behind the names of the structures that fields of several requests are within
			for _, structure := range []string{"nativeRequest.", "sampling.", "idle."} {
				name = strings.TrimPrefix(name, structure)
			}
			return bad(name, "%s is %s", cmp.Or(name, "the request"), jsontext.Mismatch(kind))
		}
		if name, ok := unknownField(err); ok {
			return &requestError{http.StatusBadRequest, "unknown_parameter", name, fmt.Sprintf("%s is no parameter that is known", name)}
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return bad("", "the request is empty, want an object")
		}
		return bad("", "the request is not what is expected: %v", err)
	}
	if d.More() {
		return bad("", "something stands behind the request")
	}
	return nil
}

func fail(w http.ResponseWriter, status int, kind, code, text string) {
	answer(w, status, failure{status, kind, code, "", text}.body())
}

// answer writes a value in JSON.
func answer(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(data, '\n')) // who went away hears nothing
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	draining := s.draining
	s.mu.Unlock()
	if draining {
		answer(w, http.StatusServiceUnavailable, map[string]string{"status": "shutting down"})
		return
	}
	answer(w, http.StatusOK, map[string]string{"status": "ok"})
}

func (s *Server) describe() map[string]any {
	m := s.model
	return map[string]any{"id": s.options.Name, "object": "model", "created": s.started.Unix(), "owned_by": "acap", "aliases": []string{s.options.Name},
		"architecture": map[string]any{"input_modalities": []string{"text"}, "output_modalities": []string{"text"}},
		"meta":         map[string]any{"n_vocab": m.Vocabulary, "n_ctx": m.Limit(), "n_ctx_train": m.Trained(), "n_embd": m.Width}}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{"object": "list", "data": []any{s.describe()}})
}

func (s *Server) oneModel(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("name") != s.options.Name {
		fail(w, http.StatusNotFound, "invalid_request_error", "model_not_found", fmt.Sprintf("there is no model %q", r.PathValue("name")))
		return
	}
	answer(w, http.StatusOK, s.describe())
}
