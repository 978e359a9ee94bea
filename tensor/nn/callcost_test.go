package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/race"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestCallCost: a call of a small model allocates little beside its input and its result, however many nodes its file
// has.
func TestCallCost(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	var g graph
	g.input("h0", elemF32, 1, 16)
	names := []string{"h0", "h1", "h2", "h3", "h4", "h5", "h6"}
	for i, in := range names[:len(names)-1] {
		g.weight("w"+in, weightsOf(i+3), 16, 16)
		g.weight("b"+in, weightsOf(i+5), 16)
		g.node("Gemm", []string{in, "w" + in, "b" + in}, []string{"g" + in}, nil)
		g.node("Relu", []string{"g" + in}, []string{names[i+1]}, nil)
	}
	g.output("h6", elemF32, 1, 16)
	m, err := nn.ReadONNX(g.bytes(), "dense", freshDevice(t))
	require.NoError(t, err)
	x := make([]float32, 16)
	call := func() {
		y, err := m.Forward(tensor.FromSlice(x, 1, 16))
		if err != nil {
			t.Error(err)
		}
		tensor.Data[float32](y[0])
	}
	call()
	call()
	require.LessOrEqual(t, testing.AllocsPerRun(50, call), 40.0)
}
