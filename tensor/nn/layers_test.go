package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestStrings: a layer says what it is with its extents and options.
func TestStrings(t *testing.T) {
	for want, m := range map[string]fmt.Stringer{
		"Linear(3, 5)":      nn.NewLinear(3, 5),
		"Bilinear(2, 3, 5)": nn.NewBilinear(2, 3, 5),
		"Conv1d(4, 6, size=[3], stride=[2], padding=[1], dilation=[1], groups=2)":                  nn.NewConv1d(4, 6, 3).With(2, 1).WithGroups(2),
		"Conv2d(5, 5, size=[3 3], stride=[1 1], padding=[0 0], dilation=[2 2], groups=5)":          nn.NewDepthwiseConv2d(5, 3).WithDilation(2),
		"ConvTranspose2d(4, 6, size=[3 3], stride=[1 1], padding=[0 0], dilation=[1 1], groups=2)": nn.NewConvTranspose2d(4, 6, 3).WithGroups(2),
		"ConvTranspose1d(2, 3, size=[4], stride=[1], padding=[0], dilation=[1], groups=1)":         nn.NewConvTranspose1d(2, 3, 4),
		"Conv3d(1, 2, size=[2 2 2], stride=[1 1 1], padding=[0 0 0], dilation=[1 1 1], groups=1)":  nn.NewConv3d(1, 2, 2),
		"LayerNorm([2 3])": nn.NewLayerNorm(2, 3), "RMSNorm(7)": nn.NewRMSNorm(7), "GroupNorm(2, 6)": nn.NewGroupNorm(2, 6),
		"Embedding(9, 4)": nn.NewEmbedding(9, 4), "EmbeddingBag(8, 3)": nn.NewEmbeddingBag(8, 3, nn.BagMax),
		"Dropout(0.25)": nn.NewDropout(0.25), "MultiheadAttention(6, heads=3)": nn.NewMultiheadAttention(6, 3),
		"lstm(3, 5, layers=2, bidirectional=true)": nn.NewLSTM(3, 5, nn.Layers(2), nn.Bidirectional()),
		"gru(3, 5, layers=1, bidirectional=false)": nn.NewGRU(3, 5), "Func": nn.Func(func(x *tensor.Tensor) *tensor.Tensor { return x }),
		"max_pool3d(size=2, stride=3, padding=1)": nn.MaxPool3d(2, 3, 1).(fmt.Stringer),
		"avg_pool2d(size=3, stride=2, padding=0)": nn.AvgPool2d(3, 2, 0).(fmt.Stringer),
		"adaptive_avg_pool2d([2 3])":              nn.AdaptiveAvgPool(2, 3).(fmt.Stringer),
		"ELU(0.5)":                                nn.ELU(0.5).(fmt.Stringer), "LeakyReLU(0.2)": nn.LeakyReLU(0.2).(fmt.Stringer), "GLU(1)": nn.GLU(1).(fmt.Stringer),
		"Softmax(-1)": nn.Softmax(-1).(fmt.Stringer), "LogSoftmax(0)": nn.LogSoftmax(0).(fmt.Stringer),
		"Identity()": nn.Identity.(fmt.Stringer), "Flatten()": nn.Flatten.(fmt.Stringer),
	} {
		require.Equal(t, want, m.String())
	}
	net := nn.Sequential(nn.NewLinear(3, 5), nn.ReLU)
	require.Equal(t, nn.Summary(net), net.String())
}

// TestRefusedLayers: the first number of layers, groups or heads that is refused, and the last that is not.
func TestRefusedLayers(t *testing.T) {
	x3, x4 := tensor.Ones(2, 3, 4), tensor.Ones(2, 4, 3, 3)
	for _, c := range []struct {
		good, bad func()
		want      string
	}{
		{func() { nn.NewConv2d(4, 6, 3).WithGroups(2) }, func() { nn.NewConv2d(4, 6, 3).WithGroups(3) }, "3 groups do not divide 4 and 6 channels"},
		{func() { nn.NewConv2d(4, 6, 3).WithGroups(1) }, func() { nn.NewConv2d(4, 6, 3).WithGroups(0) }, "0 groups do not divide 4 and 6 channels"},
		{func() { nn.NewConv1d(4, 4, 3).WithGroups(4) }, func() { nn.NewConv1d(4, 6, 3).WithGroups(4) }, "4 groups do not divide 4 and 6 channels"},
		{func() { nn.NewGroupNorm(1, 6) }, func() { nn.NewGroupNorm(0, 6) }, "0 groups do not divide 6 channels"},
		{func() { nn.NewGroupNorm(3, 6) }, func() { nn.NewGroupNorm(4, 6) }, "4 groups do not divide 6 channels"},
		{func() { nn.NewMultiheadAttention(6, 1) }, func() { nn.NewMultiheadAttention(6, 0) }, "0 heads do not divide 6 features"},
		{func() { nn.NewMultiheadAttention(6, 6) }, func() { nn.NewMultiheadAttention(6, 4) }, "4 heads do not divide 6 features"},
		{func() { nn.NewLSTM(1, 1, nn.Layers(1)) }, func() { nn.NewLSTM(1, 1, nn.Layers(0)) }, "0 layers; there are 1 to 16384"},
		{func() { nn.NewRNN(1, 1, nn.Layers(2)) }, func() { nn.NewRNN(1, 1, nn.Layers(1<<14+1)) }, "16385 layers; there are 1 to 16384"},
		{func() { nn.NewTransformerEncoder(1, 2, 1, 2) }, func() { nn.NewTransformerDecoder(0, 2, 1, 2) }, "0 layers; there are 1 to 16384"},
		{func() { nn.NewGRU(1, 1) }, func() { nn.NewGRU(0, 1) }, "layers of 1 numbers on 0"},
		{func() { nn.NewGRU(1, 1) }, func() { nn.NewGRU(1, 0) }, "layers of 0 numbers on 1"},
		{func() { nn.NewGRU(4, 2).Forward(x3) }, func() { nn.NewGRU(4, 2).Forward(x4) }, "gru: an input of 4 dimensions, not 3"},
		{func() { nn.NewGRU(4, 2).Run(x3, []*tensor.Tensor{tensor.Zeros(1, 2, 2)}) },
			func() { nn.NewLSTM(4, 2).Run(x3, []*tensor.Tensor{tensor.Zeros(1, 2, 2)}) }, "lstm: a state of 1 tensors, not 2"},
		{func() { nn.NewDropout(0) }, func() { nn.NewDropout(-0.01) }, "p is -0.01, not a probability"},
		{func() { nn.NewDropout(1) }, func() { nn.NewDropout(1.01) }, "p is 1.01, not a probability"},
		{func() { nn.AdaptiveAvgPool(1) }, func() { nn.AdaptiveAvgPool() }, "0 extents, not one to three"},
		{func() { nn.AdaptiveMaxPool(1, 1, 1) }, func() { nn.AdaptiveMaxPool(1, 1, 1, 1) }, "4 extents, not one to three"},
		{func() { nn.NewBatchNorm2d(4).Forward(x4) }, func() { nn.NewBatchNorm2d(3).Forward(x3) }, "3 dimensions for a layer of 4"},
		{func() { nn.NewBatchNorm1d(2).Forward(tensor.Ones(2, 2)) }, func() { nn.NewBatchNorm1d(2).Forward(tensor.Ones(1, 2)) }, "more than one value a channel is needed in training"},
		{func() { nn.NewBatchNorm1d(3).Forward(x3) }, func() { nn.NewBatchNorm1d(4).Forward(x4) }, "4 dimensions for a layer of 3"},
		{func() { nn.Sequential() }, func() { nn.Sequential(nn.ReLU, nil) }, "module 1 is nil"},
		{func() { nn.NewLSTM(1, 1) }, func() { nn.NewLSTM(1, 1, nil) }, "lstm: an option is nil"},
		{func() { nn.InitTruncatedNormal(tensor.Zeros(2), 0, 1, -1, 1) }, func() { nn.InitTruncatedNormal(tensor.Zeros(2), 0, 1, 1, 1) }, "deviation 1 in [1, 1]"},
		{func() { nn.InitTruncatedNormal(tensor.Zeros(2), 0, 0.5, -1, 1) }, func() { nn.InitTruncatedNormal(tensor.Zeros(2), 0, 0, -1, 1) }, "deviation 0 in [-1, 1]"},
		{func() { nn.InitNormal(tensor.Zeros(2), 0, 0) }, func() { nn.InitNormal(tensor.Zeros(2), 0, -1) }, "deviation -1 is not 0 or more"},
		{func() { nn.To(nn.NewLinear(1, 1), host.Device()) }, func() { nn.To(nn.NewLinear(1, 1), nil) }, "layers_test.go"},
		{func() { nn.NewTransformerEncoderLayer(4, 2, 3).Forward(x3) }, func() { nn.NewTransformerDecoderLayer(4, 2, 3).Forward(x3) }, "a decoder's layer needs a memory, and an encoder's takes none"},
		{func() { nn.NewTransformerDecoderLayer(4, 2, 3).Run(x3, x3, nil, nil) }, func() { nn.NewTransformerEncoderLayer(4, 2, 3).Run(x3, x3, nil, nil) }, "a decoder's layer needs a memory, and an encoder's takes none"},
	} {
		require.NoError(t, tensor.Try(c.good), c.want)
		err := tensor.Try(c.bad)
		require.ErrorContains(t, err, c.want)
		require.ErrorContains(t, err, "layers_test.go:")
	}
}

// TestFirstWeights: weights are drawn uniform within one over the root of the number of inputs of a
// unit, weights of an attention within √(6/(4·dim)), and have the documented extents.
func TestFirstWeights(t *testing.T) {
	tensor.Seed(3)
	root := func(n float64) float64 { return 1 / math.Sqrt(n) }
	for name, c := range map[string]struct {
		t     *tensor.Tensor
		dims  []int
		bound float64
	}{
		"linear":          {nn.NewLinear(16, 90).Weight, []int{90, 16}, root(16)},
		"linear bias":     {nn.NewLinear(16, 900).Bias, []int{900}, root(16)},
		"bilinear":        {nn.NewBilinear(9, 8, 20).Weight, []int{20, 9, 8}, root(9)},
		"bilinear bias":   {nn.NewBilinear(9, 8, 900).Bias, []int{900}, root(9)},
		"conv":            {nn.NewConv2d(6, 8, 3).WithGroups(2).Weight, []int{8, 3, 3, 3}, root(27)},
		"conv bias":       {nn.NewConv1d(6, 900, 3).Bias, []int{900}, root(18)},
		"depthwise":       {nn.NewDepthwiseConv2d(60, 3).Weight, []int{60, 1, 3, 3}, root(9)},
		"transposed":      {nn.NewConvTranspose2d(8, 6, 3).WithGroups(2).Weight, []int{8, 3, 3, 3}, root(27)},
		"transposed bias": {nn.NewConvTranspose3d(3, 900, 2).Bias, []int{900}, root(7200)},
		"attention":       {nn.NewMultiheadAttention(24, 3).InWeight, []int{72, 24}, math.Sqrt(6. / 96)},
		"attention out":   {nn.NewMultiheadAttention(24, 3).Out.Weight, []int{24, 24}, root(24)},
		"lstm":            {nn.Parameters(nn.NewLSTM(5, 16))[0], []int{64, 5}, root(16)},
		"gru":             {nn.Parameters(nn.NewGRU(5, 16))[1], []int{48, 16}, root(16)},
		"rnn second":      {nn.Parameters(nn.NewRNN(5, 16, nn.Layers(2), nn.Bidirectional()))[8], []int{16, 32}, root(16)},
	} {
		require.Equal(t, c.dims, c.t.Shape(), name)
		require.True(t, c.t.IsParameter(), name)
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range c.t.Float64s() {
			low, high = min(low, v), max(high, v)
		}
		require.True(t, -c.bound <= low && low < -0.95*c.bound && 0.95*c.bound < high && high <= c.bound, "%s: from %v to %v, within %v", name, low, high, c.bound)
	}
	for name, c := range map[string]struct {
		t    *tensor.Tensor
		want float64
	}{
		"attention bias": {nn.NewMultiheadAttention(4, 2).InBias, 0}, "attention out": {nn.NewMultiheadAttention(4, 2).Out.Bias, 0},
		"layer norm": {nn.NewLayerNorm(2).Weight, 1}, "layer norm bias": {nn.NewLayerNorm(2).Bias, 0}, "rms norm": {nn.NewRMSNorm(3).Weight, 1},
		"group norm": {nn.NewGroupNorm(1, 2).Weight, 1}, "group norm bias": {nn.NewGroupNorm(1, 2).Bias, 0},
		"instance norm": {nn.NewInstanceNorm(2, true).Weight, 1}, "instance norm bias": {nn.NewInstanceNorm(2, true).Bias, 0},
		"batch norm": {nn.NewBatchNorm1d(2).Weight, 1}, "batch norm bias": {nn.NewBatchNorm1d(2).Bias, 0},
		"batch norm mean": {nn.NewBatchNorm1d(2).Mean, 0}, "batch norm variance": {nn.NewBatchNorm1d(2).Var, 1}, "prelu": {nn.NewPReLU(3).Weight, 0.25},
		"start": {nn.NewLSTM(2, 3, nn.Layers(2), nn.Bidirectional()).Start(5)[1], 0},
	} {
		for _, v := range c.t.Float64s() {
			require.Equal(t, c.want, v, name)
		}
	}
	require.Equal(t, []int{4, 5, 3}, nn.NewLSTM(2, 3, nn.Layers(2), nn.Bidirectional()).Start(5)[1].Shape())
	require.Nil(t, nn.NewInstanceNorm(2, false).Weight)
	require.Nil(t, nn.NewConv2d(4, 4, 1).NoBias().WithGroups(2).Bias)
	require.NotNil(t, nn.NewConv2d(4, 4, 1).WithGroups(2).Bias)
	require.Nil(t, nn.NewLinear(1, 1).NoBias().Bias)
	require.InDelta(t, 1/math.Sqrt(1.02)*math.Sqrt2, nn.GainLeakyReLU(math.Sqrt(0.02)), 1e-12)
}

// TestPools compares pools of every rank with loops over windows.
func TestPools(t *testing.T) {
	tensor.Seed(13)
	for _, c := range []struct {
		rank, size, stride, padding int
		max, mean                   nn.Module
	}{
		{1, 3, 2, 1, nn.MaxPool1d(3, 2, 1), nn.AvgPool1d(3, 2, 1)},
		{2, 2, 3, 1, nn.MaxPool2d(2, 3, 1), nn.AvgPool2d(2, 3, 1)},
		{3, 3, 2, 1, nn.MaxPool3d(3, 2, 1), nn.AvgPool3d(3, 2, 1)},
	} {
		const extent = 5
		dims := []int{1, 1}
		for range c.rank {
			dims = append(dims, extent)
		}
		x := tensor.Randn(dims...)
		values := x.Float64s()
		places := (extent+2*c.padding-c.size)/c.stride + 1
		var most, means []float64
		for at := range power(places, c.rank) {
			largest, sum := math.Inf(-1), 0.0
			for tap := range power(c.size, c.rank) {
				offset, inside := 0, true
				for d := c.rank - 1; d >= 0; d-- {
					i := at/power(places, d)%places*c.stride + tap/power(c.size, d)%c.size - c.padding
					inside = inside && 0 <= i && i < extent
					offset += i * power(extent, d)
				}
				if inside {
					largest, sum = max(largest, values[offset]), sum+values[offset]
				}
			}
			most, means = append(most, largest), append(means, sum/float64(power(c.size, c.rank)))
		}
		require.Equal(t, most, c.max.Forward(x).Float64s())
		require.InDeltaSlice(t, means, c.mean.Forward(x).Float64s(), 1e-6)
	}
	x := tensor.Of([]float32{1, 2, 4, 6, 16}).View([]int{1, 1, 5})
	require.Equal(t, []float64{1.5, 4, 11}, nn.AdaptiveAvgPool(3).Forward(x).Float64s()) // of [0 2), [1 4), [3 5)
	require.Equal(t, []float64{2, 6, 16}, nn.AdaptiveMaxPool(3).Forward(x).Float64s())
}

func power(v, n int) int {
	p := 1
	for range n {
		p *= v
	}
	return p
}
