package tune

import (
	"math"
	"slices"

	"github.com/go-acap/acap/kernel/cpu"
)

// Choices are the forms that the decisions of a generator took, by index, in the order of the decisions. Decisions
// beyond the end of the list are the generator's own.
type Choices []byte

// near is the largest estimate, relative to the best one, of a form that is timed.
const near = 1.1

// decision is one decision of a generator.
type decision struct {
	taken int
	close []int // other forms whose estimates are near the estimate of the form taken
}

// recorder makes the decisions of a compilation and notes them. It is a [cpu.Chooser].
type recorder struct {
	choices   Choices
	decisions []decision
}

var _ cpu.Chooser = (*recorder)(nil)

func (r *recorder) Choose(best int, costs []float64) int {
	taken := best
	if n := len(r.decisions); n < len(r.choices) {
		if form := int(r.choices[n]); form < len(costs) && !math.IsInf(costs[form], 0) {
			taken = form
		}
	}
	d := decision{taken: taken}
	for form, cost := range costs {
		if form != taken && cost <= near*costs[best] {
			d.close = append(d.close, form)
		}
	}
	r.decisions = append(r.decisions, d)
	return taken
}

// taken returns the choices that were made.
func (r *recorder) taken() (list Choices) {
	for _, d := range r.decisions {
		list = append(list, byte(d.taken))
	}
	return list
}

// others returns the choices that differ from the choices made in one decision and are close to it.
func (r *recorder) others() (list []Choices) {
	made := r.taken()
	for i, d := range r.decisions {
		for _, form := range d.close {
			other := slices.Clone(made[:i+1])
			other[i] = byte(form)
			list = append(list, other)
		}
	}
	return list
}
