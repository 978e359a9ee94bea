package tensor_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	funcdialect "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

// The right half of a matrix, as one row.
func Example() {
	module := mlir.NewModule()
	f, b := funcdialect.New(module, "right", []mlir.Type{mlir.Tensor(dtype.F32, []int{4, 8})},
		[]mlir.Type{mlir.Tensor(dtype.F32, []int{16})})
	x := f.Regions[0].Blocks[0].Args[0]
	half := tensor.ExtractSlice(b, x, tensor.Slice{
		Offsets: tensor.Statics(0, 4), Sizes: tensor.Statics(4, 4)})
	funcdialect.Return(b, tensor.CollapseShape(b, half, [][]int{{0, 1}}))
	fmt.Println(mlir.Verify(module))
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   func.func @right(%arg0: tensor<4x8xf32>) -> tensor<16xf32> {
	//     %extracted_slice = tensor.extract_slice %arg0[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
	//     %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
	//     return %collapsed : tensor<16xf32>
	//   }
	// }
}
