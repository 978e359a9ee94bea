package optim

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// LBFGS steps along directions that it makes of the last gradients (Nocedal and Wright,
// "Numerical Optimization", 2006, algorithm 7.5), without a line search. It takes the
// loss as a function, as a step computes it several times. Directions are computed on the
// host; each evaluation is one program. Make one with [NewLBFGS].
type LBFGS struct {
	LR                float64
	Iterations        int     // at most, in a step
	Evaluations       int     // of the loss, at most, in a step
	GradientTolerance float64 // largest element of a gradient that is left alone
	ChangeTolerance   float64 // change of parameters or loss that ends a step
	Memory            int     // of gradients

	iterations      int
	direction, last []float64 // the last direction, and gradient
	length          float64   // of the last move along the direction
	moves, changes  [][]float64
	scale           float64 // of directions, where there are moves
}

// NewLBFGS returns the optimiser with 20 iterations and 25 evaluations in a step, a
// memory of 100 gradients, and tolerances of 1e-7 and 1e-9.
func NewLBFGS(rate float64) *LBFGS {
	return &LBFGS{LR: rate, Iterations: 20, Evaluations: 25, GradientTolerance: 1e-7, ChangeTolerance: 1e-9,
		Memory: 100}
}

// Step moves the parameters to where the loss is less, and returns the loss that it had
// before. If an evaluation fails, parameters and state are what they were.
func (l *LBFGS) Step(ctx context.Context, params []*tensor.Tensor, evaluate func() *tensor.Tensor) (before float64, err error) {
	trace.Need("lbfgs", "the evaluation", evaluate)
	finite("the learning rate", l.LR).check()
	if l.Iterations < 1 || l.Evaluations < 1 || l.Memory < 1 {
		misuse("%d iterations, %d evaluations and a memory of %d gradients: each is 1 or more, and NewLBFGS gives those that are usual",
			l.Iterations, l.Evaluations, l.Memory)
	}
	start := make([]*tensor.Tensor, len(params))
	for i, p := range params {
		start[i] = p.Detach().Clone()
	}
	saved := *l
	defer func() {
		if err != nil {
			*l = saved
			for i, p := range params {
				p.Assign(start[i])
			}
		}
	}()
	loss, g, err := l.gradient(ctx, params, evaluate, start...)
	if err != nil {
		return 0, err
	}
	before = loss
	evaluations := 1
	for n := 1; n <= l.Iterations && floats.Norm(g, math.Inf(1)) > l.GradientTolerance; n++ {
		l.direct(g)
		l.last = g
		l.length = l.LR
		if l.iterations++; l.iterations == 1 {
			l.length *= math.Min(1, 1/floats.Norm(g, 1))
		}
		if floats.Dot(g, l.direction) > -l.ChangeTolerance {
			break
		}
		l.move(params)
		if n == l.Iterations {
			break
		}
		previous := loss
		if loss, g, err = l.gradient(ctx, params, evaluate); err != nil {
			return before, err
		}
		if evaluations++; evaluations >= l.Evaluations ||
			l.length*floats.Norm(l.direction, math.Inf(1)) <= l.ChangeTolerance ||
			math.Abs(loss-previous) < l.ChangeTolerance {
			break
		}
	}
	return before, nil
}

// gradient returns the loss and its gradient, all parameters in one list.
func (l *LBFGS) gradient(ctx context.Context, params []*tensor.Tensor, evaluate func() *tensor.Tensor,
	with ...*tensor.Tensor) (float64, []float64, error) {
	loss := evaluate()
	grads := tensor.Grad([]*tensor.Tensor{loss}, params, nil)
	all := append(with, loss)
	for i, g := range grads {
		if g != nil {
			grads[i] = computed(g)
			all = append(all, grads[i])
		}
	}
	if err := tensor.Sync(ctx, all...); err != nil {
		return 0, nil, err
	}
	var flat []float64
	for i, g := range grads {
		if g == nil {
			flat = append(flat, make([]float64, computed(params[i]).NumElements())...)
		} else {
			flat = append(flat, g.Float64s()...)
		}
	}
	return loss.Item(), flat, nil
}

// direct finds the next direction for a gradient.
func (l *LBFGS) direct(g []float64) {
	d := make([]float64, len(g))
	floats.AddScaled(d, -1, g)
	if l.iterations > 0 {
		y, s := make([]float64, len(g)), make([]float64, len(g))
		floats.SubTo(y, g, l.last)
		floats.AddScaled(s, l.length, l.direction)
		if ys := floats.Dot(y, s); ys > 1e-10 {
			// Copies, as a step that fails goes back to the lists before.
			l.moves = append(l.moves[:len(l.moves):len(l.moves)], s)
			l.changes = append(l.changes[:len(l.changes):len(l.changes)], y)
			if len(l.moves) > l.Memory {
				l.moves, l.changes = l.moves[1:], l.changes[1:]
			}
			l.scale = ys / floats.Dot(y, y)
		}
	}
	along := make([]float64, len(l.moves))
	for i := len(l.moves) - 1; i >= 0; i-- {
		s, y := l.moves[i], l.changes[i]
		along[i] = floats.Dot(s, d) / floats.Dot(y, s)
		floats.AddScaled(d, -along[i], y)
	}
	if len(l.moves) > 0 {
		floats.Scale(l.scale, d)
	}
	for i, s := range l.moves {
		y := l.changes[i]
		floats.AddScaled(d, along[i]-floats.Dot(y, d)/floats.Dot(y, s), s)
	}
	l.direction = d
}

// move changes the parameters along the direction.
func (l *LBFGS) move(params []*tensor.Tensor) {
	at := 0
	for _, p := range params {
		numbers := computed(p.Detach())
		x := numbers.Float64s()
		for i := range x {
			x[i] += l.length * l.direction[at+i]
		}
		at += len(x)
		next := as(numbers, tensor.FromSlice(x)).View(numbers.Shape())
		p.Assign(kept(p, next).To(p.Device()))
	}
}
