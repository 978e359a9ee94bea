package reference_test

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

func ExampleRun() {
	module, err := mlir.Parse("twice.mlir", []byte(`func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		panic(err)
	}
	f := module.Regions[0].Blocks[0].Ops[0]
	y, err := reference.Run(f, []*buf.Buffer{buf.From([]float32{1, -2}, 2)})
	if err != nil {
		panic(err)
	}
	fmt.Println(buf.Slice[float32](y[0]))
	// Output: [2 -4]
}
