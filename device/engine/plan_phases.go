package engine

import "time"

// Phase is a part of a compilation and how long it took.
type Phase struct {
	Name string
	Took time.Duration
}

// Phases lists what compiling the program consisted of; none for one that was loaded.
func (p *Program) Phases() []Phase { return p.phases }

// watch is a clock of phases.
type watch struct {
	since time.Time
	list  []Phase
}

// end notes that a phase has ended, and the next one begins.
func (w *watch) end(name string) {
	now := time.Now()
	w.list = append(w.list, Phase{name, now.Sub(w.since)})
	w.since = now
}

// share notes that two phases have ended that went on beside each other, and for how long each took on all
// goroutines: the time since the phase before is divided in that proportion.
func (w *watch) share(a string, inA int64, b string, inB int64) {
	now := time.Now()
	took := now.Sub(w.since)
	first := time.Duration(float64(took) * float64(inA) / float64(max(inA+inB, 1)))
	w.list = append(w.list, Phase{a, first}, Phase{b, took - first})
	w.since = now
}
