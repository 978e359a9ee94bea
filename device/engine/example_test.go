package engine_test

import (
	"context"
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

func ExampleCompile() {
	m, err := mlir.Parse("scale.mlir", []byte(`
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = arith.addf %x, %y : tensor<4xf32>
  %p = arith.mulf %s, %x : tensor<4xf32>
  return %p : tensor<4xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := engine.Compile(m.Func("main"), engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	out, err := p.Run(context.Background(), []*buf.Buffer{buf.From([]float32{1, 2, 3, 4}, 4), buf.From([]float32{1, 1, 1, 1}, 4)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(buf.Slice[float32](out[0]))
	for _, k := range p.Kernels() {
		fmt.Println(k.Name, k.Kind, k.Ops, k.Work, "operations,", k.BytesIn, "bytes in,", k.BytesOut, "out")
	}
	// Output:
	// [2 6 12 20]
	// k0_pointwise pointwise [arith.addf arith.mulf] 8 operations, 32 bytes in, 16 out
}
