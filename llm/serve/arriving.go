package serve

import (
	"io"
	"net/http"
	"time"
)

// mostArriving is how long a server that is shutting down waits for the rest of a request.
const mostArriving = time.Second

// arriving is the body of a request of which not all has been read. A server that is shutting down sets it a deadline;
// without one a client that sends half of a request would hold the server for as long as it may wait.
type arriving struct {
	io.ReadCloser
	s          *Server
	connection *http.ResponseController
}

// arriving returns the body of a request that has been admitted. The caller calls left when it reads no more.
func (s *Server) arriving(w http.ResponseWriter, body io.ReadCloser) *arriving {
	a := &arriving{body, s, http.NewResponseController(w)}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies[a] = true
	if s.draining {
		a.hurry()
	}
	return a
}

func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err == io.EOF {
		a.arrived()
	}
	return n, err
}

// hurry sets the deadline. A server of tests may have none.
func (a *arriving) hurry() { _ = a.connection.SetReadDeadline(time.Now().Add(mostArriving)) }

// left forgets a body. The deadline of one that has not come as a whole stays: net/http reads the rest in front of the
// next request.
func (a *arriving) left() {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	delete(a.s.bodies, a)
}

// arrived takes the deadline away: net/http goes on reading to see whether the client is there.
func (a *arriving) arrived() {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if a.s.bodies[a] && a.s.draining {
		_ = a.connection.SetReadDeadline(time.Time{})
	}
	delete(a.s.bodies, a)
}
