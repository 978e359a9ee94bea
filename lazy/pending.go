package lazy

import (
	"context"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// budget bounds what may be pending. Recording compares the depth of each call with the
// depth at which somebody has to look; only then the trace is walked.
type budget struct {
	look  atomic.Int64 // the depth at which to look; 0 before the first call
	fresh atomic.Int64 // bytes that came to the device since the last look

	mu        sync.Mutex
	set       bool
	mostBytes int64 // that a trace may hold
	mostNodes int   // that may be pending in a trace
	deep      [8]weak.Pointer[trace.Node]
	next      int
}

// mostCalls bounds the calls of a program: longer traces are computed in pieces, at a barrier as well as
// where a trace has grown too large.
const mostCalls = 1 << 12

const (
	// firstLook is the depth at which a trace is walked for the first time; later ones
	// follow when it has become half as long again.
	firstLook = 1 << 10
	// leastLook is the least number of calls between two walks.
	leastLook = 64
	// noteEvery says how often the deepest calls are noted, a power of two: a note takes as long as several calls.
	noteEvery = 256
	// pendingShare is the part of [buf.Limit] that a trace and its compilation may take,
	// and compileBytes is about what compiling a call takes.
	pendingShare = 8
	compileBytes = 12 << 10
)

// MaxPending bounds the traces of all devices: the bytes of data that a trace holds, and the
// calls that wait in it. A trace that grows beyond a bound is cut where the fewest bytes
// cross, and what is before is computed. Zero is no bound. Without a call of MaxPending
// the bounds follow from the memory limit (see [MemoryLimit]), so that an endless loop without a
// barrier stays within it.
func MaxPending(bytes int64, nodes int) {
	for _, r := range Runtimes() {
		r.MaxPending(bytes, nodes)
	}
}

// MaxPending is [MaxPending] for one device.
func (r *Runtime) MaxPending(bytes int64, nodes int) {
	b := &r.pending
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set, b.mostBytes, b.mostNodes = true, bytes, nodes
	b.look.Store(0)
}

// MemoryLimit bounds the memory of a run and of what is pending, in bytes, as the environment
// variable ACAP_MEMORY does, and returns the bound before. Zero stands for what the
// variable says, or three quarters of the machine's memory. A program that would need more is refused
// before it runs with a [*device.MemoryError], which names the largest values and their lines.
func MemoryLimit(bytes int64) (before int64) { return buf.SetLimit(bytes) }

// limits returns the bounds; b.mu is held.
func (b *budget) limits() (bytes int64, nodes int) {
	if b.set {
		return b.mostBytes, b.mostNodes
	}
	share := buf.Limit() / pendingShare
	return share, int(min(max(share/compileBytes, firstLook), 1<<20))
}

// received counts data that recorded calls may come to hold.
func (b *budget) received(bytes int64) {
	now := b.fresh.Add(bytes)
	b.mu.Lock()
	most, _ := b.limits()
	b.mu.Unlock()
	if most > 0 && now > most/2 {
		b.fresh.Store(0)
		b.look.Store(0)
	}
}

// due reports whether a call that was recorded is one to note, or so deep that the trace has to be walked.
func (b *budget) due(n *trace.Node) bool {
	depth := n.Depth()
	return depth&(noteEvery-1) == 0 || int64(depth) >= b.look.Load()
}

// ran notes how many calls a barrier has computed. If they were most of a trace that would have been walked soon, the
// next trace is again walked first at firstLook.
func (b *budget) ran(calls int) {
	if look := b.look.Load(); look > firstLook && 2*int64(calls) >= look {
		b.look.Store(firstLook)
	}
}

// note remembers a deep call for [budget.pending].
func (b *budget) note(n *trace.Node) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.deep[b.next%len(b.deep)] = weak.Make(n)
	b.next++
}

// pending counts the pending calls of the traces that were noted.
func (b *budget) pending() int {
	b.mu.Lock()
	var roots []ops.Value
	for _, w := range b.deep {
		if n := w.Value(); n != nil && n.Pending() {
			roots = append(roots, n)
		}
	}
	b.mu.Unlock()
	if len(roots) == 0 {
		return 0
	}
	return trace.Collect(roots).Waiting()
}

// relieve walks the trace of a call and cuts the trace if it is too large. relieve then sets the depth at which to look
// again.
func (r *Runtime) relieve(n *trace.Node) error {
	b := &r.pending
	depth := n.Depth()
	if depth&(noteEvery-1) == 0 {
		b.note(n)
	}
	if int64(depth) < b.look.Load() {
		return nil
	}
	b.mu.Lock()
	bytes, nodes := b.limits()
	b.mu.Unlock()
	if depth < leastLook && b.look.Load() == 0 { // too short to cut
		b.look.Store(leastLook)
		return nil
	}
	g := trace.Collect([]ops.Value{n})
	count := len(g.Nodes)
	held := int64(0)
	if bytes > 0 {
		held = g.Bytes()
	}
	if count < 2 || (nodes <= 0 || count < nodes) && (bytes <= 0 || held <= bytes) {
		b.lookAfter(depth, count, nodes)
		return nil
	}
	r.stats.cuts.Add(1)
	var err error
	for _, values := range g.Pieces(min(mostCalls, count/2)) {
		if err = r.compute(context.Background(), values, nil); err != nil {
			break
		}
	}
	rest := trace.Collect([]ops.Value{n})
	rest.Deepen()
	b.lookAfter(n.Depth(), len(rest.Nodes), nodes)
	return err
}

// lookAfter sets the depth of the next walk, after a walk at a depth that found a number of calls: the trace is then
// half as deep again, or, if it goes on growing as it did, has reached the bound on calls.
func (b *budget) lookAfter(depth, calls, most int) {
	next := max(depth+depth/2, firstLook)
	if most > 0 {
		next = min(next, depth+max((most-calls)*depth/max(calls, 1), leastLook))
	}
	b.look.Store(int64(next))
}
