package optim

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/tensor"
)

// State returns what a later run needs to go on, for checkpoints: float64 numbers.
func (l *LBFGS) State() map[string]*tensor.Tensor {
	n := len(l.direction)
	return map[string]*tensor.Tensor{
		"numbers":   tensor.Of([]float64{float64(l.iterations), l.length, l.scale, float64(n), float64(len(l.moves))}),
		"direction": tensor.FromSlice(l.direction, n),
		"last":      tensor.FromSlice(l.last, n),
		"moves":     tensor.FromSlice(slices.Concat(l.moves...), len(l.moves), n),
		"changes":   tensor.FromSlice(slices.Concat(l.changes...), len(l.changes), n),
	}
}

// LoadState goes on from what State returned. A tensor that is missing or has another size is an error and changes
// nothing, and so is a state with more gradients than Memory.
func (l *LBFGS) LoadState(state map[string]*tensor.Tensor) error {
	v, err := numbers(state, "numbers", 5)
	if err != nil {
		return err
	}
	n, kept := int(v[3]), int(v[4])
	if v[0] < 0 || n < 0 || kept < 0 || kept > l.Memory {
		return fmt.Errorf("optim: %d gradients of %d elements, after %v iterations, are no state of an LBFGS that keeps %d",
			kept, n, v[0], l.Memory)
	}
	lists := map[string][]float64{}
	for _, name := range []string{"direction", "last", "moves", "changes"} {
		size := n
		if name == "moves" || name == "changes" {
			size *= kept
		}
		if lists[name], err = numbers(state, name, size); err != nil {
			return err
		}
	}
	l.iterations, l.length, l.scale = int(v[0]), v[1], v[2]
	l.direction, l.last = lists["direction"], lists["last"]
	l.moves, l.changes = rows(lists["moves"], n), rows(lists["changes"], n)
	return nil
}

// rows divides a list into lists of n elements.
func rows(list []float64, n int) (all [][]float64) {
	if n == 0 {
		return nil
	}
	return slices.Collect(slices.Chunk(list, n))
}
