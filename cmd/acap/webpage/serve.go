package webpage

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// Listen returns a listener at an address. The error has the address, and says how one looks.
func Listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; an address is a host and a port, as in 127.0.0.1:8080", addr, err)
	}
	return l, nil
}

// Serve answers requests to a listener at an address until an error of the listener. Where the address is this
// machine's own, such as localhost, requests that name other hosts get nothing.
func Serve(l net.Listener, addr string, h http.Handler) error {
	server := &http.Server{Handler: OwnAlone(l, addr, h), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	return server.Serve(l)
}

// OwnAlone has requests that name other hosts get nothing where the address of a listener is this machine's own, such
// as localhost.
func OwnAlone(l net.Listener, addr string, h http.Handler) http.Handler {
	if host, _, _ := net.SplitHostPort(addr); l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		return onlyFor(host, h)
	}
	return h
}

// onlyFor answers requests that name this machine: by an address, as localhost or as host. A page of
// somebody else, whose name was made to lead here, names itself and gets nothing.
func onlyFor(host string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if n, _, err := net.SplitHostPort(name); err == nil {
			name = n
		}
		name = strings.TrimSuffix(name, ".") // of the root of all names
		if net.ParseIP(strings.Trim(name, "[]")) == nil && !strings.EqualFold(name, "localhost") && !strings.EqualFold(name, host) {
			http.Error(w, fmt.Sprintf("this is no page of %q: name an address, localhost, or the host of -addr", name), http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}
