package device_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	_ "github.com/go-acap/acap/ops"
)

// Every device takes the same text.
func ExampleDevice() {
	const text = `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = aten.mul.Tensor %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`
	ctx := context.Background()
	for _, d := range []device.Device{host.Device(), acap.Device()} {
		module, err := mlir.Parse("square.mlir", []byte(text))
		if err != nil {
			fmt.Println(err)
			return
		}
		exe, err := d.Compile(ctx, module)
		if err != nil {
			fmt.Println(err)
			return
		}
		y, err := exe.Run(ctx, []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
		exe.Close()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(d.Name(), y[0].Float64(0), y[0].Float64(1), y[0].Float64(2))
	}
	// Output:
	// host 1 4 9
	// acap:npu1 1 4 9
}
