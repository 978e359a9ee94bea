package lazy

import (
	"context"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/trace"
)

// Value is what barriers and printers take: a tensor. Trace returns the runtime
// it lives on and its current value in that runtime's trace.
type Value interface {
	Trace() (*Runtime, ops.Value)
}

// Sync computes the values, in one program per device. It is the explicit,
// cancellable form of a barrier.
func Sync(ctx context.Context, values ...Value) error {
	var order []*Runtime
	byRuntime := map[*Runtime][]ops.Value{}
	for _, v := range values {
		r, w := v.Trace()
		if byRuntime[r] == nil {
			order = append(order, r)
		}
		byRuntime[r] = append(byRuntime[r], w)
	}
	for _, r := range order {
		if err := r.compute(ctx, byRuntime[r]); err != nil {
			return err
		}
	}
	return nil
}

// Compute makes sure that one value of this runtime has data.
func (r *Runtime) Compute(ctx context.Context, v ops.Value) error {
	if Data(v) != nil {
		return nil
	}
	return r.compute(ctx, []ops.Value{v})
}

// Inputs returns the data of the leaves of the program that computes values, in
// the order of its arguments.
func Inputs(values ...Value) []*buf.Buffer {
	_, roots, err := together(values)
	if err != nil {
		return nil
	}
	g := trace.Collect(pendingRoots(roots, nil))
	inputs := make([]*buf.Buffer, len(g.Leaves))
	for i, e := range g.Leaves {
		inputs[i] = e.Node.Data(e.Result)
	}
	return inputs
}
