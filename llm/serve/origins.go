package serve

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// origins are the web pages whose scripts may read answers (CORS), by [Options.Origins].
type origins []string

// CheckOrigin returns an error for what no browser sends as the origin of a page, and is neither "*" nor "localhost":
// see [Options.Origins].
func CheckOrigin(origin string) error {
	u, err := url.Parse(origin)
	if slices.Contains([]string{"*", "localhost", "null"}, origin) || err == nil && u.Scheme != "" && u.Host != "" && origin == u.Scheme+"://"+u.Host {
		return nil
	}
	return fmt.Errorf("%q is no origin, which is a scheme and a host, such as https://example.com or http://localhost:3000; localhost stands for this machine and * for all", origin)
}

// allow reports whether scripts of an origin may read answers.
func (o origins) allow(origin string) bool {
	if slices.Contains(o, "*") || slices.Contains(o, origin) {
		return true
	}
	return slices.Contains(o, "localhost") && local(origin)
}

// local reports whether an origin is a page of this machine.
func local(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// foreign reports whether a script of a page of another machine makes a request, which no origin names and which does
// not come from the server's own host. Its browser hides the answer alone, not the request.
func (o origins) foreign(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || o.allow(origin) || local(origin) {
		return false
	}
	u, err := url.Parse(origin)
	return err != nil || !strings.EqualFold(u.Host, r.Host)
}

// answer tells the browser what scripts of the request's origin may do, and reports whether that is the whole answer: a
// browser asks with OPTIONS before it sends a request with a key or with JSON. The key is a header that scripts set, so
// that no credentials of the browser are allowed.
func (o origins) answer(w http.ResponseWriter, r *http.Request) (whole bool) {
	origin := r.Header.Get("Origin")
	if len(o) == 0 || origin == "" {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if !o.allow(origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "Retry-After, Warning")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
	if names := r.Header.Get("Access-Control-Request-Headers"); names != "" {
		h.Set("Access-Control-Allow-Headers", names)
	}
	h.Set("Access-Control-Max-Age", "3600")
	w.WriteHeader(http.StatusNoContent)
	return true
}
