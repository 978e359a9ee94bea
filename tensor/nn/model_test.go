package nn_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
)

// Net is a model of the tests.
type Net struct {
	Blocks  []*Block
	Out     *nn.Linear
	Scale   *tensor.Tensor `nn:"gain"`
	Unused  *nn.Linear
	Shared  *nn.Linear // the same as Out
	private *nn.Linear `nn:"-"`
}

// Block is a part of it.
type Block struct {
	FC      *nn.Linear
	BatchNo *nn.BatchNorm
	Drop    *nn.Dropout
}

func (b *Block) Forward(x *tensor.Tensor) *tensor.Tensor {
	return b.Drop.Forward(b.BatchNo.Forward(b.FC.Forward(x)).ReLU())
}

func (n *Net) Forward(x *tensor.Tensor) *tensor.Tensor {
	for _, b := range n.Blocks {
		x = b.Forward(x)
	}
	return n.Out.Forward(x).Mul(n.Scale)
}

func newNet() *Net {
	n := &Net{Scale: tensor.Ones(1).RequiresGrad(), Out: nn.NewLinear(4, 2), private: nn.NewLinear(1, 1)}
	for range 2 {
		n.Blocks = append(n.Blocks, &Block{nn.NewLinear(4, 4), nn.NewBatchNorm1d(4), nn.NewDropout(0.25)})
	}
	n.Shared = n.Out
	return n
}

func names(list []nn.NamedTensor) string {
	var b strings.Builder
	for _, n := range list {
		fmt.Fprintln(&b, n.Name)
	}
	return b.String()
}

func TestWalk(t *testing.T) {
	n := newNet()
	require.Equal(t, `blocks.0.fc.weight
blocks.0.fc.bias
blocks.0.batch_no.weight
blocks.0.batch_no.bias
blocks.1.fc.weight
blocks.1.fc.bias
blocks.1.batch_no.weight
blocks.1.batch_no.bias
out.weight
out.bias
gain
`, names(nn.NamedParameters(n)))
	require.Equal(t, "blocks.0.batch_no.running_mean\nblocks.0.batch_no.running_var\n"+
		"blocks.1.batch_no.running_mean\nblocks.1.batch_no.running_var\n", names(nn.NamedBuffers(n)))
	nn.Eval(n)
	require.False(t, n.Blocks[1].Drop.Training || n.Blocks[0].BatchNo.Training)
	nn.Train(n)
	require.True(t, n.Blocks[1].Drop.Training && n.Blocks[0].BatchNo.Training)
	text := nn.Summary(n)
	require.Contains(t, text, "blocks.1: Block\n    fc: Linear(4, 4)  weight[4 4], bias[4]")
	require.Contains(t, text, "running_mean[4] (fixed)")
	require.Contains(t, text, "67 elements in parameters, 16 in other tensors")
	nn.Freeze(n.Blocks[0])
	require.Len(t, nn.Parameters(n), 7)
	require.Nil(t, nn.Parameters(nil))
}

func TestStateDict(t *testing.T) {
	n, m := newNet(), newNet()
	params := nn.Parameters(m)
	nn.To(m, acap.Device())
	state := nn.StateDict(n)
	state["blocks.0.batch_no.num_batches_tracked"] = tensor.Of(int64(3))
	require.NoError(t, nn.LoadStateDict(m, state))
	require.Equal(t, params, nn.Parameters(m), "the same handles")
	x := tensor.Randn(3, 4)
	nn.Eval(n)
	nn.Eval(m)
	require.InDeltaSlice(t, n.Forward(x).Float32s(), m.Forward(x.To(acap.Device())).Float32s(), 1e-5)
	for _, change := range []func(s map[string]*tensor.Tensor){
		func(s map[string]*tensor.Tensor) { delete(s, "gain") },
		func(s map[string]*tensor.Tensor) { s["gain"] = tensor.Ones(2) },
		func(s map[string]*tensor.Tensor) { s["more"] = tensor.Ones(2) },
	} {
		s := nn.StateDict(newNet())
		change(s)
		before := m.Out.Weight.Float32s()
		require.Error(t, nn.LoadStateDict(m, s))
		require.Equal(t, before, m.Out.Weight.Float32s())
	}
}

// An optimiser may get the parameters before the model moves and is loaded, and the steps
// change what the model computes.
func TestParametersBeforeMove(t *testing.T) {
	n := newNet()
	params := nn.Parameters(n)
	opt := optim.NewAdam(0.05)
	nn.To(n, acap.Device())
	require.NoError(t, nn.LoadStateDict(n, nn.StateDict(newNet())))
	x, y := tensor.Randn(16, 4).To(acap.Device()), tensor.Randn(16, 2).To(acap.Device())
	var first, last float64
	for i := range 40 {
		loss := nn.MSELoss()(n.Forward(x), y)
		loss.Backward()
		require.NoError(t, opt.Step(context.Background(), params, optim.Gradients(params), loss))
		if last = loss.Item(); i == 0 {
			first = last
		}
	}
	require.Less(t, last, first)
	require.Panics(t, func() { n.Forward(tensor.Randn(1, 4).To(acap.Device())) }, "a batch of one in training")
}

func TestWatch(t *testing.T) {
	net := nn.Sequential(nn.NewLinear(3, 4), nn.ReLU, nn.NewLinear(4, 2))
	var seen []string
	stop := nn.Watch(net, func(name string, y *tensor.Tensor) { seen = append(seen, fmt.Sprint(name, y.Shape())) })
	net.Forward(tensor.Ones(5, 3))
	require.Equal(t, []string{"0[5 4]", "2[5 2]", "[5 2]"}, seen)
	stop()
	net.Forward(tensor.Ones(5, 3))
	require.Len(t, seen, 3)
}

// Several goroutines may call a model that is not trained.
func TestConcurrentInference(t *testing.T) {
	n := newNet()
	nn.Eval(n)
	nn.To(n, acap.Device())
	x := tensor.Randn(3, 4).To(acap.Device())
	want := n.Forward(x).Float32s()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			require.Equal(t, want, n.Forward(x).Float32s())
			require.Len(t, nn.Parameters(n), 11)
			nn.Summary(n)
		})
	}
	wg.Wait()
}

// A model from a file learns when its parameters are asked for.
func TestFineTuning(t *testing.T) {
	file := digits.Model()
	dev := acap.Device()
	m, err := nn.ReadTorchScript(bytes.NewReader(file), int64(len(file)), "digits.pt", dev)
	require.NoError(t, err)
	require.Empty(t, nn.Parameters(m))
	x := tensor.Rand(8, 1, 28, 28).To(dev)
	labels := tensor.Of([]int64{1, 2, 3, 4, 5, 6, 7, 8}).To(dev)
	params := m.Parameters()
	require.NotEmpty(t, params)
	require.Len(t, nn.NamedParameters(m), len(params))
	opt := optim.NewAdam(1e-3)
	var first, last float64
	for i := range 15 {
		y, err := m.Forward(x)
		require.NoError(t, err)
		loss := nn.CrossEntropyLoss()(y[0], labels)
		require.NoError(t, optim.Minimize(context.Background(), opt, params, loss))
		if last = loss.Item(); i == 0 {
			first = last
		}
	}
	require.Less(t, last, first/2)
	require.NotEmpty(t, nn.StateDict(m))
	nn.Freeze(m)
	y, err := m.Forward(x)
	require.NoError(t, err)
	require.InDelta(t, nn.CrossEntropyLoss()(y[0], labels).Item(), last, last)
	require.False(t, y[0].NeedsGrad())
}

// Dropout in recurrent layers and attention draws, and stops outside of training.
func TestDropoutWithin(t *testing.T) {
	lstm := nn.NewLSTM(3, 4, nn.Layers(2), nn.DropoutBetween(0.5))
	layer := nn.NewTransformerEncoderLayer(4, 2, 8, nn.WithDropout(0.5), nn.Causal())
	for m, x := range map[nn.Module]*tensor.Tensor{lstm: tensor.Randn(2, 5, 3), layer: tensor.Randn(2, 5, 4)} {
		nn.To(m, acap.Device())
		x = x.To(acap.Device())
		require.NotEqual(t, m.Forward(x).Float32s(), m.Forward(x).Float32s())
		m.Forward(x).Sum().Backward()
		nn.Eval(m)
		require.Equal(t, m.Forward(x).Float32s(), m.Forward(x).Float32s())
	}
	y, state := lstm.Run(tensor.Randn(2, 5, 3).To(acap.Device()), nil)
	require.Equal(t, []int{2, 5, 4}, y.Shape())
	require.Len(t, state, 2)
	require.Equal(t, []int{2, 2, 4}, state[1].Shape())
	nn.Train(lstm)
	_, same := lstm.Run(tensor.Zeros(2, 5, 3).To(acap.Device()), state)
	require.Equal(t, []int{2, 2, 4}, same[0].Shape())
}

// With causal attention, what comes later changes nothing before, with dropout or without.
func TestCausal(t *testing.T) {
	layer := nn.NewTransformerEncoderLayer(4, 2, 8, nn.Causal())
	x := tensor.Randn(1, 6, 4)
	changed := x.Clone()
	changed.Select(1, 5).FillScalarInPlace(3)
	a, b := layer.Forward(x).Float32s(), layer.Forward(changed).Float32s()
	require.InDeltaSlice(t, a[:20], b[:20], 1e-6)
	require.NotEqual(t, a[20:], b[20:])
	mask := tensor.Ones(6, 6).Tril().GtScalar(0)
	free := layer.Attention.Attend(x, x, x, mask, false).Float32s()
	require.InDeltaSlice(t, layer.Attention.Attend(x, x, x, nil, true).Float32s(), free, 1e-6)
	layer.Attention.Dropout = 1e-9 // the other road
	require.InDeltaSlice(t, free, layer.Attention.Attend(x, x, x, mask, false).Float32s(), 1e-5)
	require.InDeltaSlice(t, free, layer.Attention.Attend(x, x, x, nil, true).Float32s(), 1e-5)
}

func TestInit(t *testing.T) {
	tensor.Seed(5)
	moments := func(x *tensor.Tensor) (mean, deviation, low, high float64) {
		list := x.Float64s()
		low, high = math.Inf(1), math.Inf(-1)
		for _, v := range list {
			mean += v / float64(len(list))
			low, high = min(low, v), max(high, v)
		}
		for _, v := range list {
			deviation += (v - mean) * (v - mean) / float64(len(list))
		}
		return mean, math.Sqrt(deviation), low, high
	}
	w := tensor.Zeros(200, 100).To(acap.Device()).RequiresGrad()
	for name, c := range map[string]struct {
		init      func()
		deviation float64
	}{
		"xavier uniform":  {func() { nn.InitXavierUniform(w, 2) }, 2 * math.Sqrt(2./300)},
		"xavier normal":   {func() { nn.InitXavierNormal(w, 1) }, math.Sqrt(2. / 300)},
		"kaiming uniform": {func() { nn.InitKaimingUniform(w, nn.FanIn, nn.GainReLU) }, math.Sqrt(2. / 100)},
		"kaiming normal":  {func() { nn.InitKaimingNormal(w, nn.FanOut, nn.GainReLU) }, math.Sqrt(2. / 200)},
		"normal":          {func() { nn.InitNormal(w, 0, 3) }, 3},
		"orthogonal":      {func() { nn.InitOrthogonal(w, 1) }, math.Sqrt(1. / 200)},
		"constant":        {func() { nn.InitConstant(w, 0) }, 0},
	} {
		c.init()
		mean, deviation, _, _ := moments(w)
		require.True(t, w.IsParameter(), name)
		require.InDelta(t, 0, mean, 0.05*c.deviation+1e-9, name)
		require.InDelta(t, c.deviation, deviation, 0.03*c.deviation, name)
	}
	require.InDeltaSlice(t, []float64{math.Sqrt(2), 5. / 3, 0.75, math.Sqrt(2), 1, math.Sqrt(1.6)}, []float64{nn.GainReLU,
		nn.GainTanh, nn.GainSELU, nn.GainLeakyReLU(0), nn.GainLeakyReLU(1), nn.GainLeakyReLU(0.5)}, 1e-15, "as torch.nn.init.calculate_gain has them")
	nn.InitTruncatedNormal(w, 1, 2, 0, 2)
	mean, _, low, high := moments(w)
	require.InDelta(t, 1, mean, 0.02)
	require.True(t, low >= 0 && high <= 2 && low < 0.01 && high > 1.99)
	nn.InitUniform(w, -3, 1)
	_, deviation, low, high := moments(w)
	require.InDelta(t, 4/math.Sqrt(12), deviation, 0.03)
	require.True(t, low >= -3 && high < 1)
	q := nn.InitOrthogonal(tensor.Zeros(3, 2, 4), 2)
	m := q.View([]int{3, 8})
	require.InDeltaSlice(t, []float64{4, 0, 0, 0, 4, 0, 0, 0, 4}, m.MatMul(m.Transpose(0, 1)).Float64s(), 1e-4)
	require.Equal(t, []float64{1, 0, 0, 0, 1, 0}, nn.InitEye(tensor.Ones(2, 3)).Float64s())
	x := tensor.Randn(1, 2, 5, 5)
	conv := nn.NewConv2d(2, 2, 3).With(1, 1).NoBias()
	nn.InitDirac(conv.Weight)
	require.Equal(t, x.Float32s(), conv.Forward(x).Float32s())
	var wrong *tensor.ShapeError
	for _, f := range []func(){func() { nn.InitEye(tensor.Ones(2)) }, func() { nn.InitDirac(tensor.Ones(2, 2)) },
		func() { nn.InitXavierNormal(tensor.Ones(2), 1) }, func() { nn.InitOrthogonal(tensor.Ones(2), 1) }} {
		require.ErrorAs(t, tensor.Try(f), &wrong)
	}
}

// Running statistics are part of the step's program, also where nothing asks for them.
func TestStatisticsAreComputedWithTheOutput(t *testing.T) {
	dev := acap.Device()
	b := nn.NewBatchNorm1d(2)
	nn.To(b, dev)
	x := tensor.Of([][]float32{{1, 2}, {3, 6}, {5, 10}}).To(dev)
	y := b.Forward(x)
	require.True(t, b.Mean.Pending())
	require.NoError(t, tensor.Sync(context.Background(), y.Sum()))
	require.False(t, b.Mean.Pending())
	require.InDeltaSlice(t, []float64{0.3, 0.6}, b.Mean.Float64s(), 1e-6)
	require.InDeltaSlice(t, []float64{1.3, 2.5}, b.Var.Float64s(), 1e-6)
	require.False(t, b.Mean.NeedsGrad())
	before := b.Mean.Float64s()
	nn.Eval(b)
	b.Forward(x).Float32s()
	require.Equal(t, before, b.Mean.Float64s())
	require.Panics(t, func() { b.Forward(tensor.Ones(2, 2, 2, 2).To(dev)) })
}

// Gradients of gradients go through layers.
func TestSecondOrderOfLayers(t *testing.T) {
	for name, m := range map[string]nn.Module{
		"linear": nn.Sequential(nn.NewLinear(3, 4), nn.Tanh, nn.NewLinear(4, 1)),
		"conv":   nn.Sequential(nn.NewConv1d(1, 2, 2), nn.SiLU, nn.AvgPool1d(2, 1, 0)),
		"norm":   nn.Sequential(nn.NewLayerNorm(3), nn.Sigmoid),
	} {
		x := tensor.Of([]float64{0.3, -0.5, 0.9}).View([]int{1, 1, 3}).RequiresGrad()
		nn.Apply(m, func(string, any) {})
		double(m)
		first := func(x *tensor.Tensor, o ...tensor.GradOption) *tensor.Tensor {
			y := m.Forward(x)
			return tensor.Grad([]*tensor.Tensor{y.Mul(y).Sum()}, []*tensor.Tensor{x}, nil, o...)[0]
		}
		g := first(x, tensor.CreateGraph)
		second := tensor.Grad([]*tensor.Tensor{g.Mul(g).Sum()}, []*tensor.Tensor{x}, nil)[0].Float64s()
		for i := range 3 {
			const h = 1e-5
			value := func(d float64) float64 {
				at := []float64{0.3, -0.5, 0.9}
				at[i] += d
				g := first(tensor.Of(at).View([]int{1, 1, 3}).RequiresGrad())
				return g.Mul(g).Sum().Item()
			}
			require.InDelta(t, (value(h)-value(-h))/(2*h), second[i], 1e-6, name)
		}
	}
}

// double makes the tensors of a chain f64.
func double(m nn.Module) {
	f64 := func(t **tensor.Tensor) {
		if *t != nil {
			*t = tensor.FromSlice((*t).Float64s()).View((*t).Shape()).RequiresGrad()
		}
	}
	for _, l := range m.(*nn.Sequence).Modules() {
		switch l := l.(type) {
		case *nn.Linear:
			f64(&l.Weight)
			f64(&l.Bias)
		case *nn.Conv:
			f64(&l.Weight)
			f64(&l.Bias)
		case *nn.LayerNorm:
			f64(&l.Weight)
			f64(&l.Bias)
		}
	}
}

// A struct with layers as fields is a model.
func ExampleParameters() {
	type Classifier struct {
		Conv *nn.Conv
		Norm *nn.BatchNorm
		Out  *nn.Linear
	}
	m := &Classifier{nn.NewConv2d(1, 8, 3), nn.NewBatchNorm2d(8), nn.NewLinear(8, 10)}
	for _, p := range nn.NamedParameters(m) {
		fmt.Println(p.Name, p.Tensor.Shape())
	}
	nn.To(m, host.Device())
	// Output:
	// conv.weight [8 1 3 3]
	// conv.bias [8]
	// norm.weight [8]
	// norm.bias [8]
	// out.weight [10 8]
	// out.bias [10]
}

func ExampleSummary() {
	fmt.Print(nn.Summary(nn.Sequential(nn.NewConv2d(1, 4, 3).With(2, 1), nn.NewBatchNorm2d(4), nn.ReLU, nn.Flatten, nn.NewLinear(64, 10))))
	// Output:
	// Sequential
	//   0: Conv2d(1, 4, size=[3 3], stride=[2 2], padding=[1 1], dilation=[1 1], groups=1)  weight[4 1 3 3], bias[4]
	//   1: BatchNorm2d(4)  weight[4], bias[4], running_mean[4] (fixed), running_var[4] (fixed)
	//   2: ReLU()
	//   3: Flatten()
	//   4: Linear(64, 10)  weight[10 64], bias[10]
	// 698 elements in parameters, 8 in other tensors
}

// TestLossesOfOneShape: a loss of [N 1] and [N] would be one of N·N pairs.
func TestLossesOfOneShape(t *testing.T) {
	for name, loss := range map[string]nn.Loss{"mse_loss": nn.MSELoss(), "l1_loss": nn.L1Loss(), "smooth_l1_loss": nn.SmoothL1Loss(),
		"huber_loss": nn.HuberLoss(), "binary_cross_entropy": nn.BCELoss(), "binary_cross_entropy_with_logits": nn.BCEWithLogitsLoss()} {
		var e *tensor.ShapeError
		require.ErrorAs(t, tensor.Try(func() { loss(tensor.Zeros(4, 1), tensor.Zeros(4)) }), &e, name)
		require.Contains(t, e.Error(), "model_test.go:", name)
		require.Contains(t, e.Error(), name+": ")
		require.NoError(t, tensor.Try(func() { loss(tensor.Zeros(4), tensor.Zeros(4)) }), name)
	}
}
