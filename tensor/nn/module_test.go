package nn_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestModuleToFile: a recorded program with its frozen weights becomes a file that computes the same from other inputs.
// What is not frozen is an argument, in the order of first use.
func TestModuleToFile(t *testing.T) {
	dev := acap.Device()
	weight := tensor.Of([][]float32{{1, 2}, {3, 4}}).To(dev)
	weight.Freeze()
	record := func(x, y *tensor.Tensor) *tensor.Tensor { return x.MatMul(weight).Sub(y).MulScalar(2) }
	of := func(v ...float32) *tensor.Tensor { return tensor.Of(v).View([]int{1, 2}).To(dev) }
	var first *tensor.Tensor
	for i := range 3 { // the number 2 is an input of the second program that differs in it alone
		first = record(of(1, 1), of(1, 0)).AddScalar(float64(i))
		if i < 2 {
			require.NoError(t, lazy.Sync(context.Background(), first))
		}
	}
	module, err := lazy.Module(first, first.Neg())
	require.NoError(t, err)
	require.Equal(t, 2, len(module.Func("main").Body().Args))
	require.True(t, first.Pending(), "nothing runs")
	path := filepath.Join(t.TempDir(), "m.acap")
	require.NoError(t, artifact.Write(context.Background(), path, module, artifact.Options{}))
	model, err := nn.LoadArtifact(path, dev)
	require.NoError(t, err)
	defer model.Close()
	got, err := model.Forward(of(1, 10), of(1, 0))
	require.NoError(t, err)
	require.Equal(t, []float32{62, 86}, got[0].Float32s()) // 2 ([1 10] W - [1 0]) + 2
	require.Equal(t, []float32{-62, -86}, got[1].Float32s())
	require.Equal(t, []float32{8, 14}, first.Float32s())

	_, err = lazy.Module(first)
	require.EqualError(t, err, "lazy: no program: value 0 has been computed; ask for its module before it is read")
	_, err = lazy.Module()
	require.Error(t, err)
}
