package reference_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/opinfo/reference"
)

// TestProbabilities: what can be drawn has a probability each, and all of them are 1 together.
func TestProbabilities(t *testing.T) {
	for name, d := range reference.Distributions {
		if d.Probabilities == nil {
			continue
		}
		sum := 0.0
		for _, p := range d.Probabilities {
			require.GreaterOrEqual(t, p, 0.0, name)
			sum += p
		}
		require.InDelta(t, 1, sum, 1e-8, name)
	}
}

// TestFunctions compares every sample with its reference on the array; the tests of package ops do on the host.
func TestFunctions(t *testing.T) {
	for name := range reference.Functions {
		t.Run(name, func(t *testing.T) {
			op := ops.Lookup(name)
			require.NotNil(t, op)
			for _, s := range op.Samples() {
				require.NoError(t, reference.Compare(op, s, acap.Device()), "%v", s)
			}
		})
	}
}
