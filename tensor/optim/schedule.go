package optim

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Schedule gives the factor of the learning rate after a number of steps: a function of
// the optimiser's count, so that a run that was stopped goes on where it was.
type Schedule func(step int) float64

// Every advances a schedule once in n steps, such as the steps of an epoch.
func Every(n int, s Schedule) Schedule {
	positive("every", n)
	return func(step int) float64 { return s(step / n) }
}

// StepDecay multiplies by gamma every n steps.
func StepDecay(n int, gamma float64) Schedule {
	return Every(n, Exponential(gamma))
}

// MultiStep multiplies by gamma at each of the given steps, in ascending order. Steps in another order panic with a
// [*tensor.ArgError].
func MultiStep(gamma float64, at ...int) Schedule {
	if !slices.IsSorted(at) {
		trace.Raise(&tensor.ArgError{Op: "multi-step", Detail: fmt.Sprintf("steps %v are not in ascending order", at)})
	}
	return func(step int) float64 {
		n, _ := slices.BinarySearch(at, step+1)
		return math.Pow(gamma, float64(n))
	}
}

// Exponential multiplies by gamma at each step.
func Exponential(gamma float64) Schedule {
	return func(step int) float64 { return math.Pow(gamma, float64(step)) }
}

// Cosine falls from 1 to last along half a cosine within n steps, and stays there
// (Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2017,
// without restarts).
func Cosine(n int, last float64) Schedule {
	positive("cosine", n)
	return func(step int) float64 { return along(1, last, float64(min(step, n))/float64(n)) }
}

// Linear goes from first to last within n steps, and stays there: a warm-up, for
// instance.
func Linear(n int, first, last float64) Schedule {
	positive("linear", n)
	return func(step int) float64 { return first + (last-first)*float64(min(step, n))/float64(n) }
}

// Then follows a schedule for n steps and another, from its beginning, after that.
func (s Schedule) Then(n int, next Schedule) Schedule {
	return func(step int) float64 {
		if step < n {
			return s(step)
		}
		return next(step - n)
	}
}

// OneCycle rises from 1/25 to 1 within the first 30 % of n steps, and falls to 1/250,000,
// both along half a cosine (Smith and Topin, "Super-Convergence", 2018, in the form and
// with the constants of PyTorch). The learning rate of the optimiser is the highest.
func OneCycle(n int) Schedule {
	positive("one-cycle", n)
	const share, first, final = 0.3, 1. / 25, 1. / 25 / 1e4
	peak, end := share*float64(n)-1, float64(n-1)
	return func(step int) float64 {
		at := math.Min(float64(step), end)
		if at <= peak {
			return along(first, 1, at/peak)
		}
		return along(1, final, (at-peak)/(end-peak))
	}
}

// along goes from one number to another along half a cosine.
func along(from, to, share float64) float64 {
	return to + (from-to)*(1+math.Cos(math.Pi*share))/2
}

func positive(name string, n int) {
	if n < 1 {
		trace.Raise(&tensor.ArgError{Op: name, Detail: fmt.Sprintf("%d steps", n)})
	}
}

// Plateau multiplies the learning rate by Factor when a number that should fall, such as
// the loss of an evaluation, has not fallen for more than Patience observations: set a
// schedule to its method Schedule and tell it each by Observe.
type Plateau struct {
	Factor    float64
	Patience  int
	Threshold float64 // relative fall that counts
	Cooldown  int     // observations after a change that do not count

	Scale     float64 // of the learning rate
	Best      float64
	Bad, Rest int
}

// NewPlateau returns a plateau with a threshold of 1e-4. A factor that is negative or not below 1, and a negative
// patience, panic with a [*tensor.ArgError], here and where the plateau is used.
func NewPlateau(factor float64, patience int) *Plateau {
	p := &Plateau{Factor: factor, Patience: patience, Threshold: 1e-4, Scale: 1, Best: math.Inf(1)}
	p.check()
	return p
}

// check refuses a plateau with which learning rates would grow or, since it was made without NewPlateau, be 0.
func (p *Plateau) check() {
	if !(p.Factor >= 0 && p.Factor < 1) || p.Patience < 0 {
		trace.Raise(&tensor.ArgError{Op: "plateau", Detail: fmt.Sprintf("a factor of %g after %d observations: want a factor of 0 or more and less than 1, and a patience of 0 or more", p.Factor, p.Patience)})
	}
	if p.Factor > 0 && p.Scale == 0 && p.Best == 0 {
		trace.Raise(&tensor.ArgError{Op: "plateau", Detail: "Scale and Best are 0: NewPlateau gives those that are usual"})
	}
}

// Observe tells the number.
func (p *Plateau) Observe(v float64) {
	p.check()
	if v < p.Best*(1-p.Threshold) {
		p.Best, p.Bad = v, 0
	} else {
		p.Bad++
	}
	if p.Rest > 0 {
		p.Rest--
		p.Bad = 0
	}
	if p.Bad > p.Patience {
		p.Scale *= p.Factor
		p.Rest, p.Bad = p.Cooldown, 0
	}
}

// Schedule is the [Schedule].
func (p *Plateau) Schedule(int) float64 {
	p.check()
	return p.Scale
}

// State returns what a later run needs to go on, for checkpoints.
func (p *Plateau) State() map[string]*tensor.Tensor {
	return map[string]*tensor.Tensor{"plateau": tensor.Of([]float64{p.Scale, p.Best, float64(p.Bad), float64(p.Rest)})}
}

// LoadState goes on from what State returned. A state without the plateau's four numbers is an error and changes
// nothing.
func (p *Plateau) LoadState(state map[string]*tensor.Tensor) error {
	v, err := numbers(state, "plateau", 4)
	if err == nil {
		p.Scale, p.Best, p.Bad, p.Rest = v[0], v[1], int(v[2]), int(v[3])
	}
	return err
}
