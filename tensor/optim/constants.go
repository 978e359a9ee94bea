package optim

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// misuse panics with what is wrong with an optimiser or with what a step is given, and the caller's line.
func misuse(format string, args ...any) {
	trace.Raise(&tensor.ArgError{Op: "optim", Detail: fmt.Sprintf(format, args...)})
}

// constant is a number of an optimiser. It is 0 or more, and less than below.
type constant struct {
	name         string
	value, below float64
}

// finite is a constant without another bound than 0.
func finite(name string, value float64) constant { return constant{name, value, math.Inf(1)} }

// share is a constant that says which share of a mean remains in a step.
func share(name string, value float64) constant { return constant{name, value, 1} }

// check refuses numbers with which parameters would become infinite or NaN, or go up the loss.
func (c constant) check() {
	switch {
	case c.value >= 0 && c.value < c.below:
	case math.IsInf(c.below, 1):
		misuse("%s is %g, and has to be 0 or more and finite", c.name, c.value)
	default:
		misuse("%s is %g, and has to be 0 or more and less than %g", c.name, c.value, c.below)
	}
}

// checkAll is [constant.check] of the constants of an optimiser. An optimiser that has none of the numbers that maker
// gives was made without it.
func checkAll(maker string, given ...constant) {
	made := false
	for _, c := range given {
		c.check()
		made = made || c.value != 0
	}
	if !made {
		misuse("%s and the other constants are 0: %s gives those that are usual", given[0].name, maker)
	}
}
