package nn_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// rows are the rows of a matrix, or a vector as one row.
func rows(t *tensor.Tensor) [][]float64 {
	data := tensor.Data[float32](t)
	width := t.Size(t.Dim() - 1)
	var out [][]float64
	for at := 0; at < len(data); at += width {
		row := make([]float64, width)
		for i := range row {
			row[i] = float64(data[at+i])
		}
		out = append(out, row)
	}
	return out
}

// affine is W·x + b.
func affine(w [][]float64, b, x []float64) []float64 {
	out := make([]float64, len(w))
	for i, row := range w {
		out[i] = b[i]
		for k, v := range row {
			out[i] += v * x[k]
		}
	}
	return out
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// recurrentByHand walks one direction of one layer over one sample in f64, by the equations of PyTorch's documentation.
func recurrentByHand(kind string, w [4][][]float64, x [][]float64, backward bool) [][]float64 {
	hidden := len(w[1][0])
	h, c := make([]float64, hidden), make([]float64, hidden)
	y := make([][]float64, len(x))
	for step := range x {
		t := step
		if backward {
			t = len(x) - 1 - step
		}
		in, state := affine(w[0], w[2][0], x[t]), affine(w[1], w[3][0], h)
		next := make([]float64, hidden)
		for i := range next {
			gate := func(g int) float64 { return in[g*hidden+i] + state[g*hidden+i] }
			switch kind {
			case "rnn_tanh":
				next[i] = math.Tanh(gate(0))
			case "gru":
				reset, update := logistic(gate(0)), logistic(gate(1))
				n := math.Tanh(in[2*hidden+i] + reset*state[2*hidden+i])
				next[i] = (1-update)*n + update*h[i]
			case "lstm":
				c[i] = logistic(gate(1))*c[i] + logistic(gate(0))*math.Tanh(gate(2))
				next[i] = logistic(gate(3)) * math.Tanh(c[i])
			}
		}
		h = next
		y[t] = h
	}
	return y
}

// TestRecurrentSteps: layers over any number of steps, few or many, a loop's or not, give what their equations give in
// f64, in both directions and for the state after them.
func TestRecurrentSteps(t *testing.T) {
	const in, hidden, samples = 3, 4, 2
	for kind, make := range map[string]func(in, hidden int, options ...nn.RecurrentOption) *nn.Recurrent{"lstm": nn.NewLSTM, "gru": nn.NewGRU, "rnn_tanh": nn.NewRNN} {
		for _, steps := range []int{1, 7, 32, 34, 37, 40} {
			for _, dev := range []device.Device{acap.Device(), host.Device()} {
				layer := make(in, hidden, nn.Bidirectional())
				nn.To(layer, dev)
				x := tensor.Randn(samples, steps, in)
				y, after := layer.Run(x.To(dev), nil)
				got, last := rows(y), rows(after[0])
				params := nn.Parameters(layer)
				for sample := range samples {
					input := rows(x.Select(0, sample))
					for d := range 2 {
						var w [4][][]float64
						for i := range w {
							w[i] = rows(params[d*4+i])
						}
						want := recurrentByHand(kind, w, input, d == 1)
						end := want[steps-1]
						if d == 1 {
							end = want[0]
						}
						name := fmt.Sprint(kind, " of ", steps, " steps on ", dev.Name())
						for step := range steps {
							for i := range hidden {
								require.InDelta(t, want[step][i], got[sample*steps+step][d*hidden+i], 2e-6, name)
							}
						}
						require.InDeltaSlice(t, end, last[d*samples+sample], 2e-6, name)
					}
				}
			}
		}
	}
}

// TestRecurrentLoop: a layer is one call however many steps there are, and its program holds a loop over a few of them,
// whose size the number of steps does not change.
func TestRecurrentLoop(t *testing.T) {
	for name, layer := range map[string]*nn.Recurrent{"lstm": nn.NewLSTM(3, 4), "gru": nn.NewGRU(3, 4), "rnn": nn.NewRNN(3, 4, nn.Bidirectional())} {
		nn.Freeze(layer)
		nn.To(layer, acap.Device())
		directions := 1
		if layer.Bidirectional {
			directions = 2
		}
		var lines [2]int
		for i, steps := range []int{64, 640} {
			y := layer.Forward(tensor.Ones(1, steps, 3).To(acap.Device()))
			require.Equal(t, 1, strings.Count(string(lazy.GetMLIR(y)), ".input\""), name)
			text, err := lazy.MLIRAt(lazy.StageLinalg, y)
			require.NoError(t, err)
			require.Equal(t, directions, strings.Count(string(text), "scf.for"), name)
			lines[i] = strings.Count(string(text), "\n")
		}
		require.Equal(t, lines[0], lines[1], name)
	}
}

// TestRecurrentGradient: where gradients are wanted, many steps give the gradients of finite differences.
func TestRecurrentGradient(t *testing.T) {
	layer := nn.NewGRU(2, 3)
	nn.To(layer, acap.Device())
	x := tensor.Randn(1, 20, 2).To(acap.Device())
	loss := func() *tensor.Tensor { return layer.Forward(x).Square().Sum() }
	w := nn.Parameters(layer)[1]
	loss().Backward()
	grad := tensor.Data[float32](w.Gradient())
	before := tensor.Data[float32](w)
	const step = 1e-2
	for _, i := range []int{0, 7, 26} {
		var at [2]float64
		for k, by := range []float32{step, -step} {
			moved := append([]float32(nil), before...)
			moved[i] += by
			tensor.NoGrad(func() { w.CopyInPlace(tensor.FromSlice(moved, 9, 3).To(acap.Device())) })
			at[k] = loss().Item()
		}
		require.InDelta(t, (at[0]-at[1])/(2*step), grad[i], 2e-3*max(1, math.Abs(float64(grad[i]))))
	}
}

// TestRecurrentPacksOnce: the steps of a layer, each of which reads and writes at a place of its own, share the packed
// forms of its two matrices.
func TestRecurrentPacksOnce(t *testing.T) {
	if cpu.Detect().Level == cpu.Portable {
		t.Skip("portable products read weights where they are")
	}
	const width, gates = 128, 4
	layer := nn.NewLSTM(width, width)
	nn.To(layer, acap.Device())
	nn.Freeze(layer)
	const once = 2 * 4 * gates * width * width
	for _, steps := range []int{8, 20, 40} {
		e, err := lazy.Explain(layer.Forward(tensor.Randn(1, steps, width).To(acap.Device())))
		require.NoError(t, err)
		require.GreaterOrEqual(t, e.PackedOnce, int64(once), "%d steps", steps)
		// Panels end in padding, and matrix tiles read three parts of 16 bits.
		require.Less(t, e.PackedOnce, int64(2*once), "%d steps", steps)
	}
}
