package distributed

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/optim"
	"github.com/go-acap/acap/trace"
)

// Parallel is an optimiser whose ranks each have the gradients of their part of a batch: it steps
// with their mean, so that parameters stay equal on all ranks. Its fields are not changed
// after the first step.
type Parallel struct {
	// Optimizer makes the steps.
	Optimizer optim.Optimizer

	// BucketBytes is how many bytes of gradients are sent together, at most, unless one is
	// larger: 25 MiB at first, as PyTorch has it.
	BucketBytes int

	// Wire is the type in which F32 gradients are sent, such as [dtype.BF16] for half the bytes;
	// [dtype.Invalid] sends them as they are.
	Wire dtype.DType

	// Shard divides the optimiser's state among the ranks (stage 1 of Rajbhandari et al., "ZeRO:
	// Memory Optimizations Toward Training Trillion Parameter Models", 2020): each rank steps
	// with its share of the parameters and sends them to the others.
	Shard bool

	group    *Group
	owner    []int // of each parameter, if Shard
	begun    bool
	gathered bool // the next step has its gradients from Gather
}

// Data gives all ranks the parameters of rank 0 and returns an optimiser for them. It fails where ranks have other
// parameters, or cannot reach each other. Losses are means over a rank's examples, and ranks have as many examples each
// ([Group.Loader]): the mean of their gradients is then the gradient of the whole batch.
func Data(ctx context.Context, params []*tensor.Tensor, opt optim.Optimizer, group *Group) (*Parallel, error) {
	trace.Need("data", "the optimiser", opt)
	trace.Need("data", "the group", group)
	p := &Parallel{Optimizer: opt, BucketBytes: 25 << 20, group: group}
	return p, p.share(ctx, params, func(int) int { return 0 })
}

// share gives all ranks the values that the owners of tensors have.
func (p *Parallel) share(ctx context.Context, params []*tensor.Tensor, owner func(i int) int) error {
	var values []*tensor.Tensor
	var all []lazy.Value
	tensor.NoGrad(func() {
		for i, t := range params {
			values = append(values, p.group.Broadcast(t, owner(i)))
			all = append(all, values[i])
		}
	})
	if err := lazy.Sync(ctx, all...); err != nil {
		return err
	}
	for i, t := range params {
		t.Assign(values[i])
	}
	return nil
}

// Scaled implements [optim.Scaling]: what is differentiated is the loss that the optimiser wants. The mean of gradients
// is unscaled by the optimiser, so that all ranks make the same steps or none.
func (p *Parallel) Scaled(loss *tensor.Tensor) *tensor.Tensor { return optim.Scaled(p.Optimizer, loss) }

// Skips implements [optim.Skipping]: all ranks leave the same steps out.
func (p *Parallel) Skips() int { return optim.Skips(p.Optimizer) }

// Gather implements [optim.Gathering]: it returns the means of the ranks' gradients, unscaled if the optimiser is a
// scaler. All ranks call it with the same parameters, and with gradients that are nil for the same parameters.
func (p *Parallel) Gather(params, grads []*tensor.Tensor) ([]*tensor.Tensor, error) {
	if p.gathered {
		return nil, errors.New("distributed: gradients have been gathered since the last step")
	}
	if !p.begun {
		if err := p.group.Same(signature(params, grads)); err != nil {
			return nil, err
		}
		p.begun = true
	}
	if _, scaling := p.Optimizer.(optim.Scaling); scaling && p.Shard {
		return nil, errors.New("distributed: Shard with a scaler: a rank sees its own gradients alone, and cannot know whether others skip the step")
	}
	p.gathered = true
	return optim.Gather(p.Optimizer, params, p.Mean(grads))
}

// Step implements [optim.Optimizer]. grads are the rank's own, or what [Parallel.Gather] has made of them. All ranks
// call it with the same parameters, and with gradients that are nil for the same parameters.
func (p *Parallel) Step(ctx context.Context, params, grads []*tensor.Tensor, with ...*tensor.Tensor) (err error) {
	if !p.gathered {
		if grads, err = p.Gather(params, grads); err != nil {
			return err
		}
	}
	p.gathered = false
	if !p.Shard {
		return p.Optimizer.Step(ctx, params, grads, with...)
	}
	if p.owner == nil {
		p.owner = owners(params, p.group.Size())
	}
	own := false
	for i := range grads {
		if p.owner[i] != p.group.Rank() {
			with, grads[i] = append(with, present(grads[i])...), nil
		}
		own = own || grads[i] != nil
	}
	if own {
		if err := p.Optimizer.Step(ctx, params, grads, with...); err != nil {
			return err
		}
	} else if err := tensor.Sync(ctx, with...); err != nil {
		return err
	}
	return p.share(ctx, params, func(i int) int { return p.owner[i] })
}

func present(t *tensor.Tensor) []*tensor.Tensor {
	if t == nil {
		return nil
	}
	return []*tensor.Tensor{t}
}

// signature describes what the ranks must have alike.
func signature(params, grads []*tensor.Tensor) string {
	var b strings.Builder
	for i, t := range params {
		fmt.Fprintln(&b, t.DType(), t.Shape(), grads[i] != nil)
	}
	return b.String()
}

// owners gives each parameter, the largest first, to the rank that has the fewest bytes.
func owners(params []*tensor.Tensor, ranks int) []int {
	owner, load := make([]int, len(params)), make([]int, ranks)
	for _, i := range bySize(params) {
		least := 0
		for r := range load {
			if load[r] < load[least] {
				least = r
			}
		}
		owner[i] = least
		load[least] += bytesOf(params[i])
	}
	return owner
}

// State returns the state of the optimiser, complete on all ranks, which all call it, so that any
// number of ranks can go on from it. The optimiser must have State, as the optimisers of package optim have. It panics
// with an [*tensor.ArgError] if it has none, and with a [*RankError] if ranks fail.
func (p *Parallel) State() map[string]*tensor.Tensor {
	o, ok := p.Optimizer.(interface {
		State() map[string]*tensor.Tensor
	})
	if !ok {
		trace.Raise(&tensor.ArgError{Op: "state", Detail: fmt.Sprintf("%T has no state to export", p.Optimizer)})
	}
	state := o.State()
	if !p.Shard || p.owner == nil {
		return state
	}
	mine := map[string]*tensor.Tensor{}
	for name, t := range state {
		if i, ok := parameterOf(name); !ok || i >= len(p.owner) || p.owner[i] == p.group.Rank() {
			mine[name] = t
		}
	}
	all, err := p.group.union(mine)
	if err != nil {
		panic(err)
	}
	return all
}

// LoadState goes on from what [Parallel.State] returned on any number of ranks. An optimiser without a state is an
// error, and otherwise errors are those of the optimiser.
func (p *Parallel) LoadState(state map[string]*tensor.Tensor) error {
	o, ok := p.Optimizer.(interface {
		LoadState(state map[string]*tensor.Tensor) error
	})
	if !ok {
		return fmt.Errorf("distributed: %T takes no state", p.Optimizer)
	}
	return o.LoadState(state)
}

// parameterOf is the number of the parameter that a name of a state begins with.
func parameterOf(name string) (int, bool) {
	number, _, _ := strings.Cut(name, ".")
	i, err := strconv.Atoi(number)
	return i, err == nil && i >= 0
}
