package tileexact_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/ops"
)

// ascending is an array whose lines are in order.
func ascending(dims ...int) ops.T {
	x := ops.T{DType: dtype.F32, Shape: dims, Values: make([]float64, shape.Size(dims))}
	for i := range x.Values {
		x.Values[i] = float64(i%dims[len(dims)-1])/16 - 1
	}
	return x
}

// TestSearch walks searches. The array knows only that they work line by line: one sorted line for all values, and a
// line for some.
func TestSearch(t *testing.T) { on(t, walkSearch) }

func walkSearch(t *testing.T, m *machine.Machine) {
	r := rand.New(rand.NewPCG(3, 4))
	for what, s := range map[string]ops.Sample{
		"one line": {ascending(40), ops.S(9, 7)},
		"lines":    {ascending(12, 33), ops.S(12, 5)},
	} {
		module, inputs, err := sampleModule(ops.MustLookup("searchsorted.Tensor"), s, r)
		require.NoError(t, err)
		require.Positive(t, run(t, what, m, module, inputs), what)
	}
}
