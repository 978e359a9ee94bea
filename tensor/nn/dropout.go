package nn

import (
	"fmt"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Dropout zeroes each element with probability P while Training is set, and scales the
// others by 1/(1-P). Each step draws from the random generator of the device.
type Dropout struct {
	P        float64
	Training bool
	hook
}

// NewDropout returns a layer in training. It panics if p is not a probability.
func NewDropout(p float64) *Dropout {
	if !(p >= 0 && p <= 1) {
		trace.Raise(&tensor.ArgError{Op: "dropout", Detail: fmt.Sprintf("p is %v, not a probability", p)})
	}
	return &Dropout{P: p, Training: true}
}

// Forward drops elements of x in training, and returns x otherwise.
func (d *Dropout) Forward(x *tensor.Tensor) *tensor.Tensor {
	if d.Training && d.P > 0 {
		x = x.Dropout(d.P, true)
	}
	return d.seen(x)
}

// String implements [fmt.Stringer].
func (d *Dropout) String() string { return fmt.Sprintf("Dropout(%v)", d.P) }
