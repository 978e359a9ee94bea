package passes_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// eachSample calls f with a module for every sample of every operator whose result
// types are known.
func eachSample(t *testing.T, f func(t *testing.T, module *mlir.Operation)) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, op := range ops.All() {
		if op.Samples == nil {
			continue
		}
		t.Run(op.Name(), func(t *testing.T) {
			for _, s := range op.Samples() {
				call, err := op.Functional().NewCall(s.Args(r)...)
				if errors.Is(err, ops.ErrDataDependent) {
					continue
				}
				require.NoError(t, err)
				module, _ := call.Program()
				f(t, module)
			}
		})
	}
}

// Test2019Samples: every sample reads back from the text of 2019 as the same call.
func Test2019Samples(t *testing.T) {
	eachSample(t, func(t *testing.T, module *mlir.Operation) {
		want := module.String()
		require.NoError(t, mlir.Verify(module), want)
		require.NoError(t, acap2019.To(module), want)
		old := module.Text(mlir.PrintOptions{Spelling: mlir.ACAP2019})
		again, err := mlir.Parse("old.mlir", []byte(old))
		require.NoError(t, err, old)
		require.NoError(t, mlir.Verify(again), old)
		require.NoError(t, acap2019.From(again), old)
		require.NoError(t, mlir.Verify(again))
		require.Equal(t, want, again.String(), old)
	})
}

// TestTorchSamples: every sample reads back from torch-mlir's dialect as the same call.
func TestTorchSamples(t *testing.T) {
	complex := 0
	eachSample(t, func(t *testing.T, module *mlir.Operation) {
		want := module.String()
		if err := torchmlir.To(module); err != nil {
			require.ErrorContains(t, err, "has no form in the torch dialect")
			complex++
			return
		}
		text := module.Text(mlir.PrintOptions{Pretty: true})
		again, err := mlir.Parse("torch.mlir", []byte(text))
		require.NoError(t, err, text)
		require.NoError(t, mlir.Verify(again), text)
		require.NoError(t, torchmlir.From(again), text)
		require.NoError(t, mlir.Verify(again), text)
		require.Equal(t, want, again.String(), text)
	})
	require.Less(t, complex, 20, "only complex numbers have no form")
}
