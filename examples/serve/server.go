package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// limits are how long a client and the end of the server may take.
type limits struct {
	read     time.Duration // for a whole request, its body as well
	write    time.Duration // from the end of a request's header to the end of its answer
	idle     time.Duration // between the requests of a connection
	drain    time.Duration // in which a server that stops still takes requests, but keeps no connection
	shutdown time.Duration // for the requests in flight after that
}

// usual are the limits of the command.
var usual = limits{read: 10 * time.Second, write: 30 * time.Second, idle: time.Minute, drain: time.Second, shutdown: 30 * time.Second}

// moment is how long the end takes to have all that has connected be accepted.
const moment = 100 * time.Millisecond

// serve answers requests until ctx ends, and then every request that has already come. Taking too long is an error.
//
// A server must not close an idle connection while a request is on its way, and closing the address resets connections
// that are not yet accepted. So the end has three steps. First, answers ask clients to reconnect for their next
// request. Then answers are held back, all connections are accepted, and the address is closed. At last the held
// requests are answered.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, l limits) error {
	var stopping atomic.Bool
	var held atomic.Pointer[chan bool]
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if stopping.Load() {
				w.Header().Set("Connection", "close")
			}
			if closed := held.Load(); closed != nil {
				<-*closed
			}
			handler.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: min(l.read, 5*time.Second),
		ReadTimeout:       l.read,
		WriteTimeout:      l.write,
		IdleTimeout:       l.idle,
	}
	emptied := &emptied{Listener: listener, empty: make(chan bool)}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(emptied) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stopping.Store(true)
	time.Sleep(l.drain)
	closed := make(chan bool)
	held.Store(&closed)
	emptied.end()
	close(closed)
	last, cancel := context.WithTimeout(context.Background(), l.shutdown)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(fmt.Errorf("requests were still in flight after %v: %w", l.shutdown, err), server.Close())
	}
	return nil
}

// emptied is a listener that accepts the connections already made before it closes.
type emptied struct {
	net.Listener
	ending atomic.Bool
	once   sync.Once
	empty  chan bool // closed when no connection waits
	closed error     // what closing the listener returned
}

// Accept waits for a connection. When the last wait ends, so does the listener: [http.Server.Shutdown] would close it
// without accepting more.
func (l *emptied) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil && l.ending.Load() {
		err = errors.Join(net.ErrClosed, l.Close())
	}
	return c, err
}

// Close closes the listener. [http.Server.Shutdown] may close a listener that is closed already, which is no error.
func (l *emptied) Close() error {
	l.once.Do(func() {
		l.closed = l.Listener.Close()
		close(l.empty)
	})
	return l.closed
}

// end has the server take the connections that wait, and closes the listener.
func (l *emptied) end() {
	l.ending.Store(true)
	timed, ok := l.Listener.(interface{ SetDeadline(time.Time) error })
	if !ok || timed.SetDeadline(time.Now().Add(moment)) != nil {
		l.Close()
	}
	<-l.empty
}
