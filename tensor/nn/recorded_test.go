package nn_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// array is a tensor that testdata/torch/record.py wrote.
type array struct {
	Shape []int
	Data  []float64
	Whole bool
}

func (a *array) tensor(dev device.Device) *tensor.Tensor {
	if a.Whole {
		list := make([]int64, len(a.Data))
		for i, v := range a.Data {
			list[i] = int64(v)
		}
		return tensor.FromSlice(list).View(a.Shape).To(dev)
	}
	list := make([]float32, len(a.Data))
	for i, v := range a.Data {
		list[i] = float32(v)
	}
	return tensor.FromSlice(list).View(a.Shape).To(dev)
}

// equal compares with a tolerance of some roundings of f32, relative to the largest element:
// sums differ in their order.
func (a *array) equal(t *testing.T, got *tensor.Tensor, what string) {
	t.Helper()
	require.NotNil(t, got, what)
	require.Equal(t, a.Shape, append([]int{}, got.Shape()...), what)
	a.near(t, got.Float64s(), 2e-5, what)
}

func (a *array) near(t *testing.T, got []float64, tolerance float64, what string) {
	t.Helper()
	scale := 1.0
	for _, v := range a.Data {
		scale = math.Max(scale, math.Abs(v))
	}
	require.Len(t, got, len(a.Data), what)
	for i, v := range a.Data {
		require.InDelta(t, v, got[i], tolerance*scale, "%s, element %d", what, i)
	}
}

type recordedValue struct {
	Inputs                    []*array
	Output, Weights, Gradient *array
}

type recordedModule struct {
	Inputs          []*array
	State, Trained  map[string]*array
	Output, Weights *array
	Gradients       map[string]*array
	InputGradient   []*array `json:"input_gradients"`
	Losses          []float64
	Evaluated       *array
}

type recorded struct {
	Modules     map[string]*recordedModule
	Activations map[string]*recordedValue
	Losses      map[string]map[string]*recordedValue
}

func readRecorded(t *testing.T) (r recorded) {
	file, err := os.Open("testdata/torch/modules.json.gz")
	require.NoError(t, err)
	defer file.Close()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(z).Decode(&r))
	return r
}

// forward calls a model of any number of inputs.
func forward(m any, x []*tensor.Tensor) *tensor.Tensor {
	switch m := m.(type) {
	case interface {
		Forward(x, y *tensor.Tensor) *tensor.Tensor
	}:
		return m.Forward(x[0], x[1])
	case *nn.Transformer:
		if len(x) == 2 {
			return m.Run(x[0], x[1], nil, nil)
		}
	}
	return m.(nn.Module).Forward(x[0])
}

// models are the models of record.py.
var models = map[string]func() any{
	"linear":            func() any { return nn.NewLinear(4, 3) },
	"bilinear":          func() any { return nn.NewBilinear(4, 3, 2) },
	"conv1d":            func() any { return nn.NewConv1d(2, 4, 3).With(2, 1) },
	"conv2d":            func() any { return nn.NewConv2d(4, 6, 3).With(2, 1).WithDilation(2).WithGroups(2) },
	"conv3d":            func() any { return nn.NewConv3d(2, 3, 2) },
	"convtranspose1d":   func() any { return nn.NewConvTranspose1d(3, 2, 3).With(2, 0) },
	"convtranspose3d":   func() any { return nn.NewConvTranspose3d(2, 2, 2).With(2, 0) },
	"batchnorm1d":       func() any { return nn.NewBatchNorm1d(3) },
	"batchnorm2d":       func() any { return nn.NewBatchNorm2d(3) },
	"batchnorm3d":       func() any { return nn.NewBatchNorm3d(2) },
	"layernorm":         func() any { return nn.NewLayerNorm(3, 4) },
	"rmsnorm":           func() any { return nn.NewRMSNorm(4) },
	"groupnorm":         func() any { return nn.NewGroupNorm(2, 4) },
	"instancenorm":      func() any { return nn.NewInstanceNorm(3, true) },
	"embedding":         func() any { return nn.NewEmbedding(7, 3) },
	"embeddingbag sum":  func() any { return nn.NewEmbeddingBag(7, 3, nn.BagSum) },
	"embeddingbag mean": func() any { return nn.NewEmbeddingBag(7, 3, nn.BagMean) },
	"embeddingbag max":  func() any { return nn.NewEmbeddingBag(7, 3, nn.BagMax) },
	"rnn":               func() any { return nn.NewRNN(3, 4, nn.Layers(2)) },
	"gru":               func() any { return nn.NewGRU(3, 4, nn.Bidirectional(), nn.TimeFirst()) },
	"lstm":              func() any { return nn.NewLSTM(3, 4, nn.Layers(2), nn.Bidirectional()) },
	"attention":         func() any { return nn.NewMultiheadAttention(8, 2) },
	"encoder":           func() any { return nn.NewTransformerEncoder(2, 8, 2, 12) },
	"decoder":           func() any { return nn.NewTransformerDecoder(2, 8, 2, 12) },
	"prelu":             func() any { return nn.NewPReLU(3) },
	"convtranspose2d": func() any {
		c := nn.NewConvTranspose2d(4, 2, 3).With(2, 1).WithGroups(2)
		c.OutputPadding = []int{1, 1}
		return c
	},
	"encoder layer": func() any {
		return nn.NewTransformerEncoderLayer(8, 2, 12, nn.NormFirst(), nn.WithActivation(nn.GELU))
	},
	"cnn": func() any {
		return nn.Sequential(nn.NewConv2d(1, 4, 3).With(1, 1), nn.NewBatchNorm2d(4), nn.ReLU, nn.MaxPool2d(2, 2, 0),
			nn.NewConv2d(4, 4, 3).With(1, 1), nn.SiLU, nn.AvgPool2d(2, 2, 1), nn.AdaptiveAvgPool(2, 1), nn.Flatten, nn.NewLinear(8, 3))
	},
}

// TestModulesRecorded compares layers with PyTorch's: outputs, gradients, twenty steps of
// training, each one program, and outputs after that.
func TestModulesRecorded(t *testing.T) {
	r := readRecorded(t)
	require.Len(t, models, len(r.Modules))
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		for name, want := range r.Modules {
			if testing.Short() && len(want.State) > 8 && dev != host.Device() {
				continue // large models take seconds to compile, and the host compiles no whole ones
			}
			t.Run(dev.Name()+"/"+name, func(t *testing.T) { want.check(t, dev, models[name]()) })
		}
	}
}

func (r *recordedModule) check(t *testing.T, dev device.Device, m any) {
	params := nn.Parameters(m) // before the model moves and is loaded
	nn.To(m, dev)
	state := map[string]*tensor.Tensor{}
	for name, a := range r.State {
		state[name] = a.tensor(host.Device())
	}
	require.NoError(t, nn.LoadStateDict(m, state))
	var x, inputs []*tensor.Tensor
	for _, a := range r.Inputs {
		v := a.tensor(dev)
		if !a.Whole {
			v.RequiresGrad()
			inputs = append(inputs, v)
		}
		x = append(x, v)
	}
	y := forward(m, x)
	r.Output.equal(t, y, "output")
	weights := r.Weights.tensor(dev)
	loss := y.Mul(weights).Sum()
	named := nn.NamedParameters(m)
	grads := tensor.Grad([]*tensor.Tensor{loss}, append(inputs, nn.Parameters(m)...), nil)
	k := 0
	for _, a := range r.InputGradient {
		if a != nil {
			a.equal(t, grads[k], "gradient of an input")
			k++
		}
	}
	require.Len(t, named, len(r.Gradients))
	for i, p := range named {
		require.Contains(t, r.Gradients, p.Name)
		r.Gradients[p.Name].equal(t, grads[len(inputs)+i], p.Name)
	}

	for i := range x {
		x[i] = r.Inputs[i].tensor(dev)
	}
	opt := &optim.SGD{LR: 0.02, Momentum: 0.9}
	compiled := 0
	for step, want := range r.Losses {
		loss := nn.MSELoss()(forward(m, x), weights)
		require.NoError(t, optim.Minimize(context.Background(), opt, params, loss))
		require.InDelta(t, want, loss.Item(), 2e-5*(1+want), "step %d", step)
		n := lazy.For(dev).Metrics().CompiledPrograms
		if step > 0 && dev != host.Device() { // where each call is a program, which other tests may have had
			require.Equal(t, compiled, n, "step %d is the same program", step)
		}
		compiled = n
	}
	own := nn.StateDict(m)
	for name, a := range r.Trained {
		require.False(t, own[name].Pending(), name)
		a.near(t, own[name].Float64s(), 1e-4, name)
	}
	nn.Eval(m)
	r.Evaluated.near(t, forward(m, x).Float64s(), 2e-4, "evaluated")
	nn.Freeze(m)
	require.Empty(t, nn.Parameters(m))
	r.Evaluated.near(t, forward(m, x).Float64s(), 2e-4, "frozen")
}

func (r *recordedValue) check(t *testing.T, dev device.Device, f func(x []*tensor.Tensor) *tensor.Tensor) {
	var x []*tensor.Tensor
	for _, a := range r.Inputs {
		x = append(x, a.tensor(dev))
	}
	x[0].RequiresGrad()
	y := f(x)
	r.Output.equal(t, y, "output")
	g := tensor.Grad([]*tensor.Tensor{y.Mul(r.Weights.tensor(dev)).Sum()}, x[:1], nil)
	r.Gradient.equal(t, g[0], "gradient")
}

func TestActivationsRecorded(t *testing.T) {
	activations := map[string]nn.Module{
		"ReLU": nn.ReLU, "ReLU6": nn.ReLU6, "GELU": nn.GELU, "SiLU": nn.SiLU, "Mish": nn.Mish, "Sigmoid": nn.Sigmoid,
		"LogSigmoid": nn.LogSigmoid, "Tanh": nn.Tanh, "Hardswish": nn.Hardswish, "Hardsigmoid": nn.Hardsigmoid, "SELU": nn.SELU,
		"Softplus": nn.Softplus, "GELUTanh": nn.GELUTanh, "LeakyReLU": nn.LeakyReLU(0.2), "ELU": nn.ELU(0.7),
		"Softmax": nn.Softmax(1), "LogSoftmax": nn.LogSoftmax(0), "GLU": nn.GLU(1),
		"MaxPool1d": nn.MaxPool1d(2, 1, 1), "AvgPool1d": nn.AvgPool1d(2, 1, 1), "AdaptiveMaxPool": nn.AdaptiveMaxPool(3),
	}
	r := readRecorded(t)
	require.Len(t, activations, len(r.Activations))
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		for name, want := range r.Activations {
			t.Run(dev.Name()+"/"+name, func(t *testing.T) {
				want.check(t, dev, func(x []*tensor.Tensor) *tensor.Tensor { return activations[name].Forward(x[0]) })
			})
		}
	}
}

func TestLossesRecorded(t *testing.T) {
	classes := tensor.Of([]float32{1, 2, 3, 4, 5})
	two := map[string]func(o ...nn.LossOption) nn.Loss{
		"CrossEntropyLoss": nn.CrossEntropyLoss, "CrossEntropyLoss shares": nn.CrossEntropyLoss,
		"NLLLoss": nn.NLLLoss, "MSELoss": nn.MSELoss, "L1Loss": nn.L1Loss, "SmoothL1Loss": nn.SmoothL1Loss,
		"HuberLoss": nn.HuberLoss, "BCELoss": nn.BCELoss, "BCEWithLogitsLoss": nn.BCEWithLogitsLoss,
		"KLDivLoss": nn.KLDivLoss, "KLDivLoss log": nn.KLDivLoss, "HingeEmbeddingLoss": nn.HingeEmbeddingLoss,
		"SoftMarginLoss": nn.SoftMarginLoss, "MultiMarginLoss": nn.MultiMarginLoss, "CrossEntropyLoss smooth": nn.CrossEntropyLoss,
	}
	three := map[string]func(a, b, c *tensor.Tensor, o ...nn.LossOption) *tensor.Tensor{
		"CosineEmbeddingLoss": nn.CosineEmbeddingLoss, "MarginRankingLoss": nn.MarginRankingLoss,
		"TripletMarginLoss": nn.TripletMarginLoss,
	}
	r := readRecorded(t)
	require.Len(t, r.Losses, len(two)+len(three))
	reductions := map[string]nn.Reduction{"none": nn.None, "mean": nn.Mean, "sum": nn.Sum}
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		options := map[string][]nn.LossOption{
			"SmoothL1Loss": {nn.Beta(0.5)}, "HuberLoss": {nn.Delta(0.5)}, "KLDivLoss log": {nn.LogTarget()},
			"CosineEmbeddingLoss": {nn.Margin(0.1)}, "MarginRankingLoss": {nn.Margin(0.1)},
			"CrossEntropyLoss smooth": {nn.LabelSmoothing(0.1), nn.IgnoreIndex(4), nn.Weights(classes.To(dev))},
		}
		for name, all := range r.Losses {
			for reduction, want := range all {
				t.Run(strings.Join([]string{dev.Name(), name, reduction}, "/"), func(t *testing.T) {
					o := append([]nn.LossOption{nn.Reduce(reductions[reduction])}, options[name]...)
					want.check(t, dev, func(x []*tensor.Tensor) *tensor.Tensor {
						if f := two[name]; f != nil {
							return f(o...).Forward(x[0], x[1])
						}
						return three[name](x[0], x[1], x[2], o...)
					})
				})
			}
		}
	}
}
