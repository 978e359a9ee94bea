package distributed

import (
	"sync"
	"time"
)

// Link is what connects ranks: how long a message takes that has no length, and how many bytes
// a second a rank sends, and at the same time receives.
type Link struct {
	Latency   time.Duration
	Bandwidth float64 // without limit if 0
}

// RunOver is [Run] over links that are simulated, so that a program shows on one machine how it waits
// on many. Errors are those of [Run].
func RunOver(n int, link Link, f func(g *Group) error) error {
	return run(n, func(t Transport) Transport { return &linked{Transport: t, link: link} }, f)
}

// linked makes a rank wait for as long as its exchanges take on a link.
type linked struct {
	Transport
	link Link
	port sync.Mutex // held while bytes of an exchange pass
}

// Exchange implements Transport. Latencies of exchanges pass at the same time, their bytes do not.
func (l *linked) Exchange(send, receive []Piece, timeout time.Duration) error {
	if l.link.Bandwidth > 0 {
		seconds := float64(max(length(send), length(receive))) / l.link.Bandwidth
		l.port.Lock()
		time.Sleep(time.Duration(seconds * float64(time.Second)))
		l.port.Unlock()
	}
	time.Sleep(l.link.Latency)
	return l.Transport.Exchange(send, receive, timeout)
}

func length(pieces []Piece) int {
	n := 0
	for _, p := range pieces {
		n += len(p.Data)
	}
	return n
}
