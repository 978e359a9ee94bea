package bundle_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A bundle goes to a file and comes back: the program, its inputs, and what is known of them.
func Example() {
	program, err := mlir.Parse("double.mlir", []byte(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "aten.add.Tensor"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "bundle")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "double.acap")
	b := bundle.Bundle{Program: program, Inputs: []*buf.Buffer{buf.From([]float32{1, 2}, 2)}, About: bundle.About{Device: "host", Note: "by hand"}}
	if err := b.Write(path); err != nil {
		panic(err)
	}
	read, err := bundle.Read(path)
	if err != nil {
		panic(err)
	}
	fmt.Println(read.About.Device, read.About.Note, read.About.Inputs)
	fmt.Println(buf.Slice[float32](read.Inputs[0]), read.Program.Func("main").Body().Ops[0].Name)
	// Output:
	// host by hand [{f32 [2]}]
	// [1 2] aten.add.Tensor
}
