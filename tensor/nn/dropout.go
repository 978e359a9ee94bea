package nn

import (
	"fmt"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// Dropout zeroes each element with probability P while Training is set, and scales the
// others by 1/(1-P). Each step draws from the random generator of the device.
type Dropout struct {
	P        float64
	Training bool
}

// NewDropout returns a layer in training. It panics if p is not a probability.
func NewDropout(p float64) *Dropout {
	if !(p >= 0 && p <= 1) {
		panic(&tensor.ArgError{Op: "dropout", Detail: fmt.Sprintf("p is %v, not a probability", p)})
	}
	return &Dropout{P: p, Training: true}
}

// Forward implements [Module].
func (d *Dropout) Forward(x *tensor.Tensor) *tensor.Tensor { return x.Dropout(d.P, d.Training) }

// Parameters implements [Module].
func (d *Dropout) Parameters() []*tensor.Tensor { return nil }

// To implements [Module].
func (d *Dropout) To(device.Device) Module { return d }
