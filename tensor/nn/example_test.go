package nn_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// The model negates or takes magnitudes, by a rate that is an input.
func ExampleLoadONNX() {
	model, err := nn.LoadONNX("testdata/onnx/branch.onnx", acap.Device())
	if err != nil {
		log.Fatal(err)
	}
	for _, in := range model.Inputs() {
		fmt.Println(in.Name, in.DType)
	}
	y, err := model.Forward(tensor.Of([]float32{1, -2, 3}), tensor.Of(int64(8000)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(y[0].Float32s())
	// Output:
	// x f32
	// sr i64
	// [1 2 3]
}

// A compiled model has the program that runs: its kernels, its machine code, its memory.
func ExampleArtifact_Executable() {
	module, err := mlir.Parse("relu.mlir", []byte(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.relu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "relu.acap")
	if err := artifact.Write(context.Background(), path, module, artifact.Options{}); err != nil {
		log.Fatal(err)
	}
	model, err := nn.LoadArtifact(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	text, err := model.Executable().Text("kernel")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text)
	// Output:
	// // group @main
	// // k0_pointwise: linalg.generic@relu.mlir:2:8
	// nest "k0_pointwise" outer=[3] inner=[] {
	//   port f32 out len=3 offset=0 outer=[1] inner=[]
	//   port f32 in len=3 offset=0 outer=[1] inner=[]
	//   stage {
	//     %0 = const f32 0
	//     %1 = load f32 port=1
	//     %2 = max f32 %1 %0
	//     store f32 %2 port=0
	//   }
	// }
}
