package trace

import "github.com/go-acap/acap/ops"

// Watch notes the leaves that a recorded function makes, and its draws of random numbers.
type Watch struct {
	made  map[*Node]bool
	Draws []Draw // of random numbers, in order
}

// Draw is a seed and a counter that a call draws random numbers with.
type Draw struct{ Seed, Counter ops.Value }

// Made reports whether a leaf was made while the function was watched.
func (w *Watch) Made(n *Node) bool { return w.made[n] }

// Watched runs f and notes the leaves that this goroutine makes, and what it draws.
func Watched(f func()) *Watch {
	w := &Watch{made: map[*Node]bool{}}
	defer changeMode(func(m *mode) { m.watch = w })()
	f()
	return w
}

// NoteDraw adds a draw to the watch and to the recording of the calling goroutine.
func NoteDraw(seed, counter ops.Value) {
	m := currentMode()
	if m.watch != nil {
		m.watch.Draws = append(m.watch.Draws, Draw{Seed: seed, Counter: counter})
	}
	if m.recording != nil {
		m.recording.draw(seed, counter)
	}
}

// CurrentWatch returns the watch of the calling goroutine, or nil.
func CurrentWatch() *Watch { return currentMode().watch }

// NoGradient reports whether the calling goroutine records without gradients.
func NoGradient() bool { return currentMode().noGrad }
