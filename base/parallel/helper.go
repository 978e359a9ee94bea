package parallel

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a helper looks for more work before it ends. A compilation divides its work again and again, and a
// goroutine that is started on a processor at rest begins some 70 µs later: looking for some times that long costs little
// more than what it saves.
const patience = 200 * time.Microsecond

// patient is how many helpers look for work at once: no more than there are processors for, and few, as they
// take turns with each other.
var patient = min(runtime.NumCPU()-1, 4)

// helper is a goroutine that takes part in one loop after the other.
type helper struct{ next atomic.Pointer[func()] }

// idle are the helpers that look for work.
var idle struct {
	sync.Mutex
	list []*helper
}

// help calls f on another goroutine.
func help(f func()) {
	idle.Lock()
	defer idle.Unlock()
	last := len(idle.list) - 1
	if last < 0 {
		go new(helper).work(&f)
		return
	}
	idle.list[last].next.Store(&f)
	idle.list = slices.Delete(idle.list, last, last+1)
}

// work calls f and what comes after it.
func (h *helper) work(f *func()) {
	for ; f != nil; f = h.look() {
		(*f)()
		if !h.rest() {
			return
		}
	}
}

// rest lets the helper look for work, unless enough others do.
func (h *helper) rest() bool {
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) >= patient {
		return false
	}
	idle.list = append(idle.list, h)
	return true
}

// look waits for more work; nil means that none has come for long.
func (h *helper) look() *func() {
	const looks = 16 // between two looks at the clock
	for start := time.Now(); time.Since(start) < patience; runtime.Gosched() {
		for range looks {
			if f := h.next.Load(); f != nil {
				h.next.Store(nil)
				return f
			}
		}
	}
	idle.Lock()
	defer idle.Unlock()
	idle.list = slices.DeleteFunc(idle.list, func(other *helper) bool { return other == h })
	return h.next.Swap(nil) // what came at the last moment
}
