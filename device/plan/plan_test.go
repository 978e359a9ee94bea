package plan_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/wire"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/plan"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A program is compiled, stored, loaded and run.
func Example() {
	module, err := mlir.Parse("square.mlir", []byte(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.mul.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`))
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	exe, err := compiler.Compile(ctx, module)
	if err != nil {
		panic(err)
	}
	p, err := exe.Plan()
	if err != nil {
		panic(err)
	}
	exe.Close()
	data := p.Encode()

	if p, err = plan.Decode(data); err != nil {
		panic(err)
	}
	if exe, err = compiler.Load(ctx, p); err != nil {
		panic(err)
	}
	defer exe.Close()
	y, err := exe.Run(ctx, []*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
	fmt.Println(buf.Slice[float32](y[0]), err)
	// Output: [1 4 9] <nil>
}

// A location keeps what its text leaves out, and nests only so deep.
func TestLocation(t *testing.T) {
	inner := mlir.Location{File: "g.go", Line: 3, Col: 4, Serial: 7, Operator: "index.Tensor"}
	want := mlir.Location{Name: "layer", Callers: []mlir.Location{inner}, Fused: []mlir.Location{inner, {}}}
	code := func(l *mlir.Location) func(*wire.Coder) {
		return func(c *wire.Coder) { plan.Location(c, l) }
	}
	var got mlir.Location
	require.NoError(t, wire.Read(wire.Write(code(&want)), code(&got)))
	require.Equal(t, want, got)
	deep := inner
	for range 200 {
		deep = mlir.Location{Name: "on the way", Callers: []mlir.Location{deep}}
	}
	require.NoError(t, wire.Read(wire.Write(code(&deep)), code(&got)))
	require.Equal(t, "on the way", got.Callers[0].Callers[0].Name)
}
