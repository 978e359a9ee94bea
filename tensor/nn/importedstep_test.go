package nn_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestImportedStep: a step of an imported model, whose state is fed back, is compiled once and gives to the bit what
// its calls give; then a call allocates the handles of its results.
func TestImportedStep(t *testing.T) {
	ctx := context.Background()
	dev := freshDevice(t)
	var g graph
	g.input("state", elemF32, 1, 16)
	g.input("x", elemF32, 1, 16)
	g.weight("w", weightsOf(3), 16, 16)
	g.node("MatMul", []string{"state", "w"}, []string{"turned"}, nil)
	g.node("Add", []string{"turned", "x"}, []string{"sum"}, nil)
	g.node("Tanh", []string{"sum"}, []string{"next"}, nil)
	g.node("ReduceMean", []string{"next"}, []string{"mean"}, nil)
	g.output("next", elemF32, 1, 16)
	g.output("mean", elemF32, 1, 1)
	m, err := nn.ReadONNX(g.bytes(), "step", dev)
	require.NoError(t, err)
	recorded := 0
	step := lazy.Compile(func(args ...*tensor.Tensor) []*tensor.Tensor {
		recorded++
		out, err := m.Forward(args...)
		require.NoError(t, err)
		return out
	}).Donate(1)
	x := tensor.Arange(16).ToDtype(tensor.Ones(1).DType()).MulScalar(0.1).Reshape([]int{1, 16}).To(dev)
	state, plain := tensor.Zeros(1, 16).To(dev), tensor.Zeros(1, 16).To(dev)
	for range 20 {
		out, err := step.Call(ctx, state, x)
		require.NoError(t, err)
		want, err := m.Forward(plain, x)
		require.NoError(t, err)
		require.Equal(t, want[1].Float32s(), out[1].Float32s())
		state, plain = out[0], want[0]
	}
	require.Equal(t, 1, recorded)
	if race.Enabled {
		return // the race detector allocates
	}
	require.LessOrEqual(t, testing.AllocsPerRun(20, func() {
		out, err := step.Call(ctx, state, x)
		if err != nil {
			t.Fatal(err)
		}
		state = out[0]
	}), 9.0)
}
