package onnx

import (
	"fmt"
	"math"
	"testing"
)

// TestActivations: a network of one number and one step gives each function of a weighted input.
func TestActivations(t *testing.T) {
	for name, f := range map[string]func(x float64) float64{
		"Relu": func(x float64) float64 { return math.Max(x, 0) }, "Tanh": math.Tanh,
		"Sigmoid": func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		"Affine":  func(x float64) float64 { return 1.5*x + 0.25 },
		"LeakyRelu": func(x float64) float64 {
			if x < 0 {
				return 1.5 * x
			}
			return x
		},
		"ThresholdedRelu": func(x float64) float64 {
			if x >= 1.5 {
				return x
			}
			return 0
		},
		"ScaledTanh":  func(x float64) float64 { return 1.5 * math.Tanh(0.25*x) },
		"HardSigmoid": func(x float64) float64 { return math.Max(0, math.Min(1, 1.5*x+0.25)) },
		"Elu": func(x float64) float64 {
			if x < 0 {
				return 1.5 * (math.Exp(x) - 1)
			}
			return x
		},
		"Softsign": func(x float64) float64 { return x / (1 + math.Abs(x)) },
		"Softplus": func(x float64) float64 { return math.Log1p(math.Exp(x)) },
	} {
		inputs := []float64{-2, -0.25, 0.125, 1.5, 2}
		var want []float64
		for _, x := range inputs {
			want = append(want, f(x))
		}
		check(t, line("x", "f32", []int{1, 5, 1}, inputs...)+"w = f32 1x1x1: 1\nr = f32 1x1x1: 0\n"+
			fmt.Sprintf("y = RNN(x, w, r) hidden_size=1 activations=[%q] activation_alpha=[1.5] activation_beta=[0.25]\nwant ", name)+
			line("y", "f32", []int{1, 1, 5, 1}, want...))
	}
	for name, want := range map[string]float64{"Affine": 0.75, "HardSigmoid": 0.65, "LeakyRelu": 0.75, "Elu": 0.75, "ThresholdedRelu": 0} { // without numbers of their own
		check(t, fmt.Sprintf("x = f32 1x1x1: 0.75\nw = f32 1x1x1: 1\nr = f32 1x1x1: 0\ny = RNN(x, w, r) hidden_size=1 activations=[%q]\nwant y = f32 1x1x1x1: %v", name, want))
	}
	const head = "x = f32 1x1x1: 1\nw = f32 1x1x1: 1\nr = f32 1x1x1: 0\nv = f32 2x1x1: 1 1\ny = "
	refuse(t, head+`RNN(x, w, r) hidden_size=1 activations=["Odd"]`, `activation "Odd" is not supported`)
	refuse(t, head+`RNN(x, v, v) hidden_size=1 direction="bidirectional" activations=["Tanh"]`, "1 activations for 2 directions")
}
