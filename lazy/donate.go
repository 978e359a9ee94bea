package lazy

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// donations are values whose memory later results may take.
type donations struct {
	on    atomic.Bool
	mu    sync.Mutex
	spare []trace.Edge
}

// mostDonations bounds the values that wait to be taken; the oldest are left to the collector.
const mostDonations = 1 << 12

// Donate gives up values: results of later barriers may take their memory, once nothing that was recorded
// needs them. A value that is read after that is a [*RecycledError]. Memory that Go code was given
// stays as it is, and so does what was computed before the device's first Donate. A loop
// that replaces values by others of their size runs in the memory of two turns; optimisers do so by
// themselves, with a [Recycler]. A result that updates a part of a value which was given up before the barrier takes
// the value's memory at once, and the rest of the value is not copied. So a cache of keys and values grows in place.
// Operators in place do this by themselves for tensors of 64 KiB and more. A run that fails or is cancelled has lost
// what it was writing over.
func Donate(values ...Value) {
	for _, v := range values {
		r, w := traceOf(v)
		n, result := trace.Of(w)
		r.donations.add(trace.Edge{Node: n, Result: result})
	}
}

// add takes a value that is given up.
func (d *donations) add(e trace.Edge) {
	d.on.Store(true)
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.spare) >= mostDonations {
		d.spare = slices.Delete(d.spare, 0, 1)
	}
	d.spare = append(d.spare, e)
}

// has reports whether a value was donated.
func (d *donations) has(e trace.Edge) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Contains(d.spare, e)
}

// forget drops a value that has lost its memory.
func (d *donations) forget(e trace.Edge) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.spare, e); i >= 0 {
		d.spare = slices.Delete(d.spare, i, i+1)
	}
}

// take returns memory for a result, or nil.
func (d *donations) take(t ops.TensorType) *buf.Buffer {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := 0; i < len(d.spare); i++ {
		e := d.spare[i]
		b := e.Node.Data(e.Result)
		if b == nil || e.Node.Awaited() {
			continue
		}
		if !b.MayTake() { // Go code has it
			d.spare = slices.Delete(d.spare, i, i+1)
			i--
			continue
		}
		if taken := b.Take(t.DType, t.Shape); taken != nil {
			d.spare = slices.Delete(d.spare, i, i+1)
			return taken
		}
	}
	return nil
}
