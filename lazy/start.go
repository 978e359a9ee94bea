package lazy

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Flight is a computation that [Start] has started.
type Flight struct {
	done   chan struct{}
	err    error
	number int64 // later flights have higher ones
}

// Start begins to compute values and returns at once, while the caller goes on recording.
// Who reads one of the values, or computes something that needs it, waits for it. If the
// computation fails or ctx is cancelled the values stay pending, and whoever needs them
// computes them again and gets the error.
func Start(ctx context.Context, values ...Value) *Flight {
	f := &Flight{done: make(chan struct{}), number: flightNumber.Add(1)}
	var runtimes []*Runtime
	var lists [][]ops.Value
	for _, v := range values {
		r, w := traceOf(v)
		i := 0
		for i < len(runtimes) && runtimes[i] != r {
			i++
		}
		if i == len(runtimes) {
			runtimes, lists = append(runtimes, r), append(lists, nil)
		}
		lists[i] = append(lists[i], w)
	}
	for i, r := range runtimes {
		r.flights.add(f, lists[i])
	}
	go func() {
		defer close(f.done)
		for i, r := range runtimes {
			if err := r.computeIn(ctx, lists[i], nil, f); err != nil && f.err == nil {
				f.err = err
			}
			r.flights.remove(f, lists[i])
		}
	}()
	return f
}

// Wait waits for the end and returns the error of the computation.
func (f *Flight) Wait() error {
	<-f.done
	return f.err
}

// Done returns a channel that is closed at the end.
func (f *Flight) Done() <-chan struct{} { return f.done }

var flightNumber atomic.Int64

// flights are the computations of a runtime that go on without anybody waiting.
type flights struct {
	count atomic.Int32
	mu    sync.Mutex
	of    map[*trace.Node]*Flight
}

func (fs *flights) add(f *Flight, values []ops.Value) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.of == nil {
		fs.of = map[*trace.Node]*Flight{}
	}
	for _, v := range values {
		if n, _ := trace.Of(v); n.Pending() && fs.of[n] == nil {
			fs.of[n] = f
		}
	}
	fs.count.Store(int32(len(fs.of)))
}

func (fs *flights) remove(f *Flight, values []ops.Value) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for _, v := range values {
		if n, _ := trace.Of(v); fs.of[n] == f {
			delete(fs.of, n)
		}
	}
	fs.count.Store(int32(len(fs.of)))
}

// await waits for a flight that computes part of a graph, if there is one, and reports
// whether it did. A flight waits for earlier ones only, so that no two wait for each other.
func (fs *flights) await(ctx context.Context, g *trace.Graph, mine *Flight) (waited bool, err error) {
	if fs.count.Load() == 0 {
		return false, nil
	}
	fs.mu.Lock()
	var other *Flight
	for _, n := range g.Nodes {
		if f := fs.of[n]; f != nil && f != mine && (mine == nil || f.number < mine.number) {
			other = f
			break
		}
	}
	fs.mu.Unlock()
	if other == nil {
		return false, nil
	}
	select {
	case <-other.done:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}
