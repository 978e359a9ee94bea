package architecture

import (
	"fmt"
	"math"
	"slices"
)

// XIELU is the activation of Apertus, https://arxiv.org/abs/2411.13010: Positive*x*x + Beta*x above 0, elsewhere
// Negative*(exp(min(x, Epsilon)) - 1 - x) + Beta*x.
type XIELU struct {
	Positive, Negative, Beta, Epsilon float64
}

// SetXIELU reads the numbers of each layer: a list of them by name, one number for all layers, or none. Those of the
// slopes are in front of a softplus, as training has them. Another number of numbers is an error.
func (d *Description) SetXIELU(list func(name string) []float64) error {
	if d.Layers > mostLayers {
		return nil // which check refuses
	}
	at := func(name string, standard float64) ([]float64, error) {
		values := list(name)
		switch len(values) {
		case d.Layers:
			return values, nil
		case 0:
			if !math.IsNaN(standard) {
				return slices.Repeat([]float64{standard}, d.Layers), nil
			}
		case 1:
			return slices.Repeat(values, d.Layers), nil
		}
		return nil, fmt.Errorf("%s: the activation has %d numbers %s for %d layers", d.Architecture, len(values), name, d.Layers)
	}
	softplus := func(x float64) float64 { return math.Log1p(math.Exp(x)) }
	var numbers [4][]float64
	for i, n := range []struct {
		name     string
		standard float64
	}{{"alpha_p", math.NaN()}, {"alpha_n", math.NaN()}, {"beta", 0.5}, {"eps", -1e-6}} {
		var err error
		if numbers[i], err = at(n.name, n.standard); err != nil {
			return err
		}
	}
	d.XIELU = make([]XIELU, d.Layers)
	for i := range d.XIELU {
		beta := numbers[2][i]
		d.XIELU[i] = XIELU{softplus(numbers[0][i]), beta + softplus(numbers[1][i]), beta, numbers[3][i]}
	}
	return nil
}
