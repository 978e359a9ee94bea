package trace

import (
	"sync"
	"sync/atomic"
)

// mode is what a goroutine has set for the calls that it records.
type mode struct {
	noGrad bool
	placed bool  // calls are recorded at place, and not where they are made
	place  place // otherwise it has the scope only
	guard  *Guard
	watch  *Watch

	recording *Recording
	region    *region
}

// modes are the modes of goroutines that have set one. A mode holds from a call to
// its end, as in other languages the modes of threads do, so it is found by the
// goroutine and not carried by values: a function that records knows nothing of it.
// While no goroutine has a mode, recording only reads the count.
var modes struct {
	count atomic.Int32
	sync.RWMutex
	of map[uintptr]mode
}

// currentMode returns the mode of the calling goroutine.
func currentMode() mode {
	if modes.count.Load() == 0 {
		return mode{}
	}
	g := goroutine()
	modes.RLock()
	defer modes.RUnlock()
	return modes.of[g]
}

// changeMode changes the mode of the calling goroutine. The returned function
// restores what it was.
func changeMode(change func(m *mode)) (restore func()) {
	g := goroutine()
	before := currentMode()
	m := before
	change(&m)
	setMode(g, m)
	return func() { setMode(g, before) }
}

// Fresh runs f without the modes that the goroutine has set ([NoGrad] and others).
func Fresh(f func()) {
	if currentMode() != (mode{}) {
		defer changeMode(func(m *mode) { *m = mode{} })()
	}
	f()
}

func setMode(g uintptr, m mode) {
	modes.Lock()
	defer modes.Unlock()
	if m == (mode{}) {
		delete(modes.of, g)
	} else {
		if modes.of == nil {
			modes.of = map[uintptr]mode{}
		}
		modes.of[g] = m
	}
	modes.count.Store(int32(len(modes.of)))
}

// stage lets a goroutine record calls in the name of others.
type stage struct {
	goroutine     uintptr
	before, inner mode
}

func newStage() *stage {
	m := currentMode()
	return &stage{goroutine(), m, m}
}

// at has the calls that follow recorded at the place of n. Calls of a link keep the place where they are made.
func (s *stage) at(n *Node) {
	if n.site.link != nil {
		s.inner.placed, s.inner.place = s.before.placed, s.before.place
	} else {
		s.inner.placed, s.inner.place = true, n.site.place
	}
	setMode(s.goroutine, s.inner)
}

func (s *stage) leave() { setMode(s.goroutine, s.before) }

// note tells those who have set the mode of a call that has been recorded.
func (m *mode) note(n *Node) {
	if m.region != nil {
		n.enter(m.region)
	}
	if m.recording != nil {
		m.recording.note(n)
	}
}
