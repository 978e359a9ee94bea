package trace

import "sync"

// Guard notes the first thing that happened that should not have happened, also where the
// panic that follows is lost, as in package fmt.
type Guard struct {
	mu  sync.Mutex
	err error
}

// Note keeps the first error.
func (g *Guard) Note(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = err
	}
}

// Err returns the first error.
func (g *Guard) Err() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

// Guarded runs f while [CurrentGuard] returns g to this goroutine.
func Guarded(g *Guard, f func()) {
	defer changeMode(func(m *mode) { m.guard = g })()
	f()
}

// CurrentGuard returns the guard of the calling goroutine, or nil.
func CurrentGuard() *Guard { return currentMode().guard }
