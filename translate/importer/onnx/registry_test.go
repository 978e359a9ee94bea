package onnx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRegisteredTwice: a name of a domain stands for one operator, and the same name of another domain for another.
func TestRegisteredTwice(t *testing.T) {
	require.PanicsWithValue(t, "BUG: onnx: { Neg} is registered twice", func() { register("Neg", func(*node) {}) })
	require.PanicsWithValue(t, "BUG: onnx: {com.microsoft MoE} is registered twice", func() { registerIn(microsoft, "MoE", func(*node) {}) })
}
