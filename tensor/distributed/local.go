package distributed

import (
	"fmt"
	"sync"
	"time"

	"github.com/go-acap/acap/trace"
)

// switchboard connects the ranks of one process.
type switchboard struct {
	mu     sync.Mutex
	boxes  map[route]chan parcel
	failed chan struct{} // closed with the first failure
	err    *RankError
}

type route struct {
	from, to int
	tag      uint64
}

// parcel is memory of the sender, who waits until it is copied.
type parcel struct {
	data  []byte
	taken chan error
}

// box is where a piece of a route is handed over.
func (s *switchboard) box(r route) chan parcel {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.boxes[r]
	if b == nil {
		b = make(chan parcel, 1)
		s.boxes[r] = b
	}
	return b
}

func (s *switchboard) drop(r route) {
	s.mu.Lock()
	delete(s.boxes, r)
	s.mu.Unlock()
}

func (s *switchboard) fail(rank int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = &RankError{Rank: rank, Detail: "failed", Err: err}
		close(s.failed)
	}
}

// local is one rank of a switchboard.
type local struct {
	*switchboard
	rank, size int
}

func (l *local) Rank() int       { return l.rank }
func (l *local) Size() int       { return l.size }
func (l *local) Abort(err error) { l.fail(l.rank, err) }
func (l *local) Close() error    { return nil }

// Exchange implements Transport: receivers copy from the senders' memory.
func (l *local) Exchange(send, receive []Piece, timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	sent := make([]chan error, len(send))
	for i, p := range send {
		sent[i] = make(chan error, 1)
		l.box(route{l.rank, p.Rank, p.Tag}) <- parcel{p.Data, sent[i]}
	}
	for _, p := range receive {
		r := route{p.Rank, l.rank, p.Tag}
		select {
		case got := <-l.box(r):
			l.drop(r)
			var err error
			if len(got.data) != len(p.Data) {
				err = &RankError{Rank: p.Rank, Detail: fmt.Sprintf("sends %d bytes, where rank %d takes %d",
					len(got.data), l.rank, len(p.Data))}
			}
			copy(p.Data, got.data)
			got.taken <- err
			if err != nil {
				return err
			}
		case <-l.failed:
			return l.err
		case <-timer.C:
			return late(p.Rank, timeout)
		}
	}
	for i, p := range send {
		select {
		case err := <-sent[i]:
			if err != nil {
				return err
			}
		case <-l.failed:
			return l.err
		case <-timer.C:
			return late(p.Rank, timeout)
		}
	}
	return nil
}

func late(rank int, timeout time.Duration) error {
	return &RankError{Rank: rank, Detail: fmt.Sprintf("has not answered for %v", timeout)}
}

// maxLocal bounds the ranks of a process, so that a wrong number does not fill the memory.
const maxLocal = 1 << 12

// Local returns the ranks of a group of n goroutines of this process. Fewer than 1 and more than 4096 are an error.
func Local(n int) ([]*Group, error) {
	groups, _, err := newLocal(n, func(t Transport) Transport { return t })
	return groups, err
}

// newLocal is Local with transports that are wrapped.
func newLocal(n int, wrap func(t Transport) Transport) ([]*Group, *switchboard, error) {
	if n < 1 || n > maxLocal {
		return nil, nil, fmt.Errorf("distributed: a group of %d ranks; a process has 1 to %d", n, maxLocal)
	}
	board := &switchboard{boxes: map[route]chan parcel{}, failed: make(chan struct{})}
	groups := make([]*Group, n)
	for i := range groups {
		groups[i] = newGroup(wrap(&local{board, i, n}))
	}
	return groups, board, nil
}

// Run runs f as n ranks, each a goroutine, and returns when all have returned: the first error,
// which ends what the others wait for. A panic of a rank is an error.
func Run(n int, f func(g *Group) error) error {
	return run(n, func(t Transport) Transport { return t }, f)
}

func run(n int, wrap func(t Transport) Transport, f func(g *Group) error) error {
	trace.Need("run", "the function", f)
	groups, board, err := newLocal(n, wrap)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for _, g := range groups {
		all.Go(func() { g.Run(f) })
	}
	all.Wait()
	for _, g := range groups {
		g.Close()
	}
	if board.err != nil {
		return board.err
	}
	return nil
}
