package plan

import "time"

// Phase is a part of a compilation and how long it took.
type Phase struct {
	Name string
	Took time.Duration
}

// Watch is a clock of phases.
type Watch struct {
	Since time.Time
	List  []Phase
}

// End notes that a phase has ended, and the next one begins.
func (w *Watch) End(name string) {
	now := time.Now()
	w.List = append(w.List, Phase{name, now.Sub(w.Since)})
	w.Since = now
}

// share notes that two phases have ended that went on beside each other, and for how long each took on all
// goroutines: the time since the phase before is divided in that proportion.
func (w *Watch) share(a string, inA int64, b string, inB int64) {
	now := time.Now()
	took := now.Sub(w.Since)
	first := time.Duration(float64(took) * float64(inA) / float64(max(inA+inB, 1)))
	w.List = append(w.List, Phase{a, first}, Phase{b, took - first})
	w.Since = now
}
