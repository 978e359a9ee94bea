package tensor_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// A recorded call is a node and a handle, whatever the operator.
func TestRecordingAllocates(t *testing.T) {
	x, y := tensor.Ones(4, 4).To(acap.Device()), tensor.Ones(4, 4).To(acap.Device())
	z := tensor.Ones(4, 4).To(acap.Device())
	for name, call := range map[string]func(){
		"pointwise":     func() { x.Add(y) },
		"number":        func() { x.MulScalar(2.5) },
		"comparison":    func() { x.Gt(y) },
		"product":       func() { x.MatMul(y) },
		"three tensors": func() { x.AddMM(x, y) },
		"reduction":     func() { x.Sum() },
		"composite":     func() { x.Softmax(1) },
		"view":          func() { x.Transpose(0, 1) },
		"in place":      func() { z.AddInPlace(y) },
		"number there":  func() { z.MulScalarInPlace(2.5) },
	} {
		require.LessOrEqual(t, testing.AllocsPerRun(100, call), 2.0, name)
	}
}

// A cached program allocates its results beside the recorded call: a buffer, its memory,
// and the place in the node.
func TestBarrierAllocates(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector drops memory that is kept for later")
	}
	x, y := tensor.Ones(4).To(acap.Device()), tensor.Ones(4).To(acap.Device())
	ctx := context.Background()
	require.LessOrEqual(t, testing.AllocsPerRun(1000, func() {
		if err := tensor.Sync(ctx, x.Add(y)); err != nil {
			t.Fatal(err)
		}
	}), 5.0)
}
