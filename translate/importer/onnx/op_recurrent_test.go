package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
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
	refuse(t, head+`RNN(x, w, r) activations=[1]`, "attribute activations is a list of whole numbers, want a list of texts")
	refuse(t, head+`RNN(x, v, v) hidden_size=1 direction="bidirectional" activations=["Tanh"]`, "1 activations for 2 directions")
}

// TestRecurrentShapes: shapes that contradict the shapes of the specification for the weights W, or hidden_size, are
// errors.
func TestRecurrentShapes(t *testing.T) {
	const head = "x = f32 2x3x1: 1 1 1 1 1 1\nw = f32 1x4x1: 1 1 1 1\nr = f32 1x4x1: 1 1 1 1\nwide = f32 1x4x2: 1 1 1 1 1 1 1 1\nhigh = f32 1x5x1: 1 1 1 1 1\n" +
		"b = f32 1x9: 1 1 1 1 1 1 1 1 1\none = f32 1x1x1: 1\np = f32 1x4: 1 1 1 1\n"
	const absent = `"", "", "", `
	refuseEach(t, head, map[string]string{
		"y = LSTM(x, w, r) hidden_size=2":               "hidden_size is 2, and weights W of [1 4 1] are for 1",
		"y = LSTM(x, w, r) hidden_size=-1":              "hidden_size is -1",
		"y = RNN(x, w, r) hidden_size=1":                "hidden_size is 1, and weights W of [1 4 1] are for 4",
		"y = LSTM(x, w, wide)":                          "input 2 has the shape [1 4 2], want [1 4 1]",
		"y = LSTM(x, w, high)":                          "input 2 has the shape [1 5 1], want [1 4 1]",
		"y = LSTM(x, w, r, b)":                          "input 3 has the shape [1 9], want [1 8]",
		`y = LSTM(x, w, r, "", "", one)`:                "input 5 has the shape [1 1 1], want [1 3 1]",
		`y = LSTM(x, w, r, ` + absent + `one)`:          "input 6 has the shape [1 1 1], want [1 3 1]",
		`y = LSTM(x, w, r, ` + absent + `one) layout=1`: "input 6 has the shape [1 1 1], want [2 1 1]",
		`y = LSTM(x, w, r, ` + absent + `"", p)`:        "input 7 has the shape [1 4], want [1 3]",
	})
}

// recurrentByHand walks one direction of an operator over a batch of one, in f64, by the equations of the operator's
// definition.
func recurrentByHand(op string, w, r, bw, br []float64, x [][]float64, hidden int, before, backward bool) [][]float64 {
	width := len(x[0])
	h, c := make([]float64, hidden), make([]float64, hidden)
	sigmoid := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	out := make([][]float64, len(x))
	for step := range x {
		t := step
		if backward {
			t = len(x) - 1 - step
		}
		in := func(gate, i int) float64 {
			sum := bw[gate*hidden+i]
			for k, v := range x[t] {
				sum += w[(gate*hidden+i)*width+k] * v
			}
			return sum
		}
		state := func(gate, i int, h []float64) float64 {
			sum := br[gate*hidden+i]
			for k, v := range h {
				sum += r[(gate*hidden+i)*hidden+k] * v
			}
			return sum
		}
		next, reset := make([]float64, hidden), make([]float64, hidden)
		for i := range next {
			if op == "GRU" { // of the gates z, r and h
				reset[i] = sigmoid(in(1, i)+state(1, i, h)) * h[i]
			}
		}
		for i := range next {
			both := func(gate int) float64 { return in(gate, i) + state(gate, i, h) }
			switch op {
			case "RNN":
				next[i] = math.Tanh(both(0))
			case "GRU":
				z, n := sigmoid(both(0)), 0.0
				if before {
					n = math.Tanh(in(2, i) + sigmoid(both(1))*state(2, i, h))
				} else {
					n = math.Tanh(in(2, i) + state(2, i, reset))
				}
				next[i] = (1-z)*n + z*h[i]
			case "LSTM": // of the gates i, o, f and c
				c[i] = sigmoid(both(2))*c[i] + sigmoid(both(0))*math.Tanh(both(3))
				next[i] = sigmoid(both(1)) * math.Tanh(c[i])
			}
		}
		h, out[t] = next, next
	}
	return out
}

// TestLongSequences: few and many steps, in each direction, give what the equations give, with the order of the gates
// of ONNX, and a cell that ATen has is one call.
func TestLongSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const hidden, width = 3, 2
	for _, op := range []string{"RNN", "GRU", "GRU before", "LSTM"} {
		for _, direction := range []string{"forward", "reverse", "bidirectional"} {
			for _, steps := range []int{2, 21} {
				op, before := strings.CutSuffix(op, " before")
				gates := map[string]int{"RNN": 1, "GRU": 3, "LSTM": 4}[op]
				directions := 1
				if direction == "bidirectional" {
					directions = 2
				}
				x, w := drawn(r, steps*width), drawn(r, directions*gates*hidden*width)
				rec, b := drawn(r, directions*gates*hidden*hidden), drawn(r, directions*2*gates*hidden)
				var rows [][]float64
				for at := range steps {
					rows = append(rows, x[at*width:(at+1)*width])
				}
				var y [][][]float64
				for d := range directions {
					part := func(list []float64) []float64 { return list[d*len(list)/directions : (d+1)*len(list)/directions] }
					biases := part(b)
					y = append(y, recurrentByHand(op, part(w), part(rec), biases[:gates*hidden], biases[gates*hidden:], rows, hidden, before, direction == "reverse" || d == 1))
				}
				var want, last []float64
				for at := range steps {
					for d := range directions {
						want = append(want, y[d][at]...)
					}
				}
				for d := range directions {
					if end := steps - 1; direction == "reverse" || d == 1 {
						last = append(last, y[d][0]...)
					} else {
						last = append(last, y[d][end]...)
					}
				}
				options := fmt.Sprintf(" hidden_size=%d direction=%q", hidden, direction)
				if before {
					options += " linear_before_reset=1"
				}
				check(t, line("x", "f32", []int{steps, 1, width}, x...)+line("w", "f32", []int{directions, gates * hidden, width}, w...)+
					line("r", "f32", []int{directions, gates * hidden, hidden}, rec...)+line("b", "f32", []int{directions, 2 * gates * hidden}, b...)+
					fmt.Sprintf("y, h = %s(x, w, r, b)%s\nwant ", op, options)+
					line("y", "f32", []int{steps, directions, 1, hidden}, want...)+"want "+line("h", "f32", []int{directions, 1, hidden}, last...))
			}
		}
	}
}
