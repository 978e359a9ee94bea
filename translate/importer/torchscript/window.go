package torchscript

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// maxWindow bounds the elements of a window.
const maxWindow = 1 << 24

// window makes a function that gives a window of a signal: its length, whether it is periodic, and parameters
// that have defaults. at is the weight of an element, whose place in the period lies from 0 to 1.
func window(defaults []float64, at func(place float64, parameters []float64) float64) substitute {
	return func(ev *evaluator, pos script.Position, args arguments) (value, bool) {
		length, ok := args.at(0).(int)
		if !ok || len(args.positional) > 2+len(defaults) {
			return nil, false
		}
		if length < 0 || length > maxWindow {
			failAt(pos, "a window of %d elements", length)
		}
		periodic := true
		if v, given := args.get(1, "periodic"); given {
			if periodic, ok = v.(bool); !ok {
				return nil, false
			}
		}
		parameters := append([]float64(nil), defaults...)
		for i := range parameters {
			if v, given := args.get(2+i, ""); given {
				n, ok := number(v)
				if !ok {
					return nil, false
				}
				parameters[i] = float(n)
			}
		}
		d := dtype.F32
		if v, _ := args.get(-1, "dtype"); v != nil {
			code, _ := v.(int)
			if d = dtype.FromTorchCode(code); !d.IsFloat() {
				failAt(pos, "a window of %v", d)
			}
		}
		ev.charge(pos, length/itemsPerStep)
		period := float64(length)
		if !periodic {
			period--
		}
		b := buf.New(d, []int{length})
		for i := range length {
			v := 1.0
			if length > 1 {
				v = at(float64(i)/period, parameters)
			}
			b.SetFloat64(i, v)
		}
		return &tensor{parameter: &Parameter{Data: b}}, true
	}
}

// windows are the functions of windows by their names.
func windows() map[string]substitute {
	wave := func(place float64) float64 { return math.Cos(2 * math.Pi * place) }
	return map[string]substitute{
		"hann_window": window(nil, func(p float64, _ []float64) float64 { return 0.5 - float64(0.5*wave(p)) }),
		"hamming_window": window([]float64{0.54, 0.46}, func(p float64, parameters []float64) float64 {
			return parameters[0] - float64(parameters[1]*wave(p))
		}),
		"blackman_window": window(nil, func(p float64, _ []float64) float64 {
			return 0.42 - float64(0.5*wave(p)) + float64(0.08*wave(2*p))
		}),
		"bartlett_window": window(nil, func(p float64, _ []float64) float64 { return 1 - math.Abs(float64(2*p)-1) }),
		"kaiser_window": window([]float64{12}, func(p float64, parameters []float64) float64 {
			place := float64(2*p) - 1
			return bessel(parameters[0]*math.Sqrt(max(0, 1-float64(place*place)))) / bessel(parameters[0])
		}),
	}
}

// bessel is the modified Bessel function of the first kind and order 0, by its power series.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-17; k++ {
		term = float64(term * (x * x / (4 * k * k)))
		sum += term
	}
	return sum
}
