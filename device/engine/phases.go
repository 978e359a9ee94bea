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
