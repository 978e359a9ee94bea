package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/opinfo/reference"
)

// TestFunctions compares every sample with its reference.
func TestFunctions(t *testing.T) {
	for name := range reference.Functions {
		t.Run(name, func(t *testing.T) {
			op := ops.Lookup(name)
			require.NotNil(t, op)
			for _, s := range op.Samples() {
				require.NoError(t, reference.Compare(op, s, host.Device()), "%v", s)
			}
		})
	}
}
