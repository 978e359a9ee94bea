package host_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

const double = `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.add.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`

func compile(text string) (device.Executable, error) {
	module, err := mlir.Parse("double.mlir", []byte(text))
	if err != nil {
		return nil, err
	}
	return host.Device().Compile(context.Background(), module)
}

func TestHost(t *testing.T) {
	require.Equal(t, "host", host.Device().Name())
	require.True(t, host.Device().Eager())
	exe, err := compile(double)
	require.NoError(t, err)
	defer exe.Close()
	require.Empty(t, exe.Fallbacks())
	x := buf.From([]float32{1, 2, 3}, 3)
	y, err := exe.Run(context.Background(), []*buf.Buffer{x})
	require.NoError(t, err)
	require.Equal(t, []float32{2, 4, 6}, buf.Slice[float32](y[0]))
	require.Equal(t, []float32{1, 2, 3}, buf.Slice[float32](x), "inputs are not modified")
	text, err := exe.Text("linalg")
	require.NoError(t, err)
	require.Contains(t, text, "linalg.")
}

func TestNoMain(t *testing.T) {
	exe, err := compile(`module {}`)
	require.Error(t, err)
	require.Nil(t, exe, "no typed nil beside an error")
}

func Example() {
	exe, err := compile(double)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer exe.Close()
	y, err := exe.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
	fmt.Println(buf.Slice[float32](y[0]), err)
	// Output: [2 4 6] <nil>
}

// TestPrinted: a device prints as its name.
func TestPrinted(t *testing.T) {
	require.Equal(t, "host", fmt.Sprint(host.Device()))
}
