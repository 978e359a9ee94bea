package optim

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// Settings are what all optimisers have besides their own constants.
type Settings struct {
	// Schedule multiplies the learning rates, by the number of steps done; nil for 1.
	Schedule Schedule
	// Groups lists parameters with a learning rate and a weight decay of their own.
	Groups []Group
}

// Group gives some parameters a learning rate and a weight decay of their own.
type Group struct {
	Parameters      []*tensor.Tensor
	LR, WeightDecay float64
}

func (s *Settings) groupOf() map[*tensor.Tensor]int {
	of := map[*tensor.Tensor]int{}
	for i, g := range s.Groups {
		for _, p := range g.Parameters {
			of[p] = i
		}
	}
	return of
}

// history is what an optimiser keeps from step to step.
type history struct {
	count  int                         // of steps
	steps  []int                       // of each parameter
	slots  []map[string]*tensor.Tensor // the state of each parameter, by name
	memory lazy.Recycler
}

// barrier computes what tensors are about to become, and what else is wanted, in memory
// that earlier steps have left.
func (h *history) barrier(ctx context.Context, changes []change, with []*tensor.Tensor) error {
	var all []lazy.Value
	for _, c := range changes {
		h.memory.Replace(c.of)
		all = append(all, c.to)
	}
	for _, t := range with {
		all = append(all, t)
	}
	return h.memory.Sync(ctx, all...)
}

// State returns what a later run needs to go on, by name: "count", the number of steps,
// and for parameter 3 "3.step" and its tensors, such as "3.mean". The tensors are not
// copied, and the next step changes them.
func (h *history) State() map[string]*tensor.Tensor {
	state := map[string]*tensor.Tensor{"count": tensor.Of(int64(h.count))}
	for i, slots := range h.slots {
		state[fmt.Sprintf("%d.step", i)] = tensor.Of(int64(h.steps[i]))
		for name, t := range slots {
			state[fmt.Sprintf("%d.%s", i, name)] = t
		}
	}
	return state
}

// load goes on from what State returned, and takes the tensors over. Those of a parameter have the names in slots:
// others are of another optimiser.
func (h *history) load(state map[string]*tensor.Tensor, slots ...string) error {
	next := history{}
	for _, name := range slices.Sorted(maps.Keys(state)) {
		t := state[name]
		if t == nil {
			return fmt.Errorf("optim: state %q is nil", name)
		}
		if name == "count" {
			continue
		}
		number, slot, _ := strings.Cut(name, ".")
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(state) || slot == "" {
			return fmt.Errorf("optim: %q is no name of a state", name)
		}
		for len(next.slots) <= i {
			next.slots = append(next.slots, map[string]*tensor.Tensor{})
			next.steps = append(next.steps, -1)
		}
		if slot == "step" {
			if next.steps[i], err = whole(name, t); err != nil {
				return err
			}
			continue
		}
		if !slices.Contains(slots, slot) {
			return fmt.Errorf("optim: the state of another optimiser: it has %s, and this one keeps %s", name, cmp.Or(strings.Join(slots, ", "), "nothing"))
		}
		next.slots[i][slot] = t
	}
	for i, n := range next.steps {
		if n < 0 {
			return fmt.Errorf("optim: no state %d.step", i)
		}
	}
	if state["count"] == nil {
		return fmt.Errorf("optim: no state count")
	}
	count, err := whole("count", state["count"])
	if err != nil {
		return err
	}
	h.count, h.steps, h.slots = count, next.steps, next.slots
	return nil
}

func whole(name string, t *tensor.Tensor) (int, error) {
	if t.NumElements() != 1 || t.DType() != dtype.I64 || t.Item() < 0 {
		return 0, fmt.Errorf("optim: state %s is no count", name)
	}
	return int(t.Item()), nil
}

// numbers returns the float64 numbers of a state; there must be n.
func numbers(state map[string]*tensor.Tensor, name string, n int) ([]float64, error) {
	t := state[name]
	if t == nil || t.DType() != dtype.F64 || t.NumElements() != n {
		return nil, fmt.Errorf("optim: state %q is missing, or not %d numbers", name, n)
	}
	return t.Float64s(), nil
}

// scalar returns v without dimensions on p's device: f64 where p is f64, else f32.
// Such a tensor does not widen what it is combined with.
func scalar(v float64, p *tensor.Tensor) *tensor.Tensor {
	d := dtype.F32
	if p.DType() == dtype.F64 {
		d = dtype.F64
	}
	return tensor.FullLike(v, d).To(p.Device())
}
