package nn_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

func TestLoadArtifact(t *testing.T) {
	module, err := mlir.Parse("relu.mlir", []byte(`func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %0 = "aten.relu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "aten.sum"(%0) : (tensor<3xf32>) -> tensor<f32>
  return %0, %1 : tensor<3xf32>, tensor<f32>
}`))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "relu.acap")
	require.NoError(t, artifact.Write(context.Background(), path, module, artifact.Options{}))
	m, err := nn.LoadArtifact(path, acap.Device())
	require.NoError(t, err)
	defer m.Close()
	require.Empty(t, m.Notice)
	out, err := m.Forward(tensor.Of([]float32{-1, 2, 3}))
	require.NoError(t, err)
	require.Equal(t, acap.Device(), out[0].Device())
	require.Equal(t, []float32{0, 2, 3}, tensor.Data[float32](out[0]))
	require.Equal(t, 5.0, out[1].Item())
	_, err = m.Forward(tensor.Of([]float32{1, 2}))
	require.ErrorContains(t, err, "input 0 is f32[2]")
	_, err = m.Forward()
	require.Error(t, err)
	_, err = nn.LoadArtifact(path+".no", nil)
	require.Error(t, err)
}
