package llm

import (
	"fmt"
	"math"
	"regexp"
	"slices"

	"github.com/go-acap/acap/tensor"
)

// XIELU is the activation of Apertus, https://arxiv.org/abs/2411.13010: Positive*x*x + Beta*x above 0, elsewhere
// Negative*(exp(min(x, Epsilon)) - 1 - x) + Beta*x.
type XIELU struct {
	Positive, Negative, Beta, Epsilon float64
}

// of computes the activation.
func (n XIELU) of(x *tensor.Tensor) *tensor.Tensor {
	positive := x.Mul(x).MulScalar(n.Positive)
	negative := x.ClampMax(n.Epsilon).Expm1().Sub(x).MulScalar(n.Negative)
	return x.GtScalar(0).Where(positive, negative).Add(x.MulScalar(n.Beta))
}

// xielu reads the numbers of each layer: a list of them by name, one number for all layers, or none. Those of the slopes are in
// front of a softplus, as training has them.
func (d *Description) xielu(list func(name string) []float64) error {
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

// ofXIELU matches the tensors of a folder with the numbers of an activation.
var ofXIELU = regexp.MustCompile(`\.mlp\.act_fn\.(?:alpha_p|alpha_n|beta|eps)$`)

// xielu reads the numbers of a folder.
func (w *folderWeights) xielu(d *Description) error {
	if d.Activation != "xielu" {
		return nil
	}
	var err error
	failed := d.xielu(func(name string) (list []float64) {
		for i := range d.Layers {
			tensor := fmt.Sprintf("model.layers.%d.mlp.act_fn.%s", i, name)
			if w.shapes[tensor] == nil {
				if len(list) > 0 {
					err = fmt.Errorf("there is no tensor %s, which another layer has", tensor)
				}
				return nil
			}
			b, e := w.file.Tensor(tensor)
			if e != nil {
				err = e
				return nil
			}
			values, e := floats(b)
			if e != nil || len(values) != 1 {
				err = fmt.Errorf("%s has %d numbers, not one of floats", tensor, len(values))
				return nil
			}
			list = append(list, float64(values[0]))
		}
		return list
	})
	if err != nil {
		return err
	}
	return failed
}
