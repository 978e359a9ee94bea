package torch_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/dialect/torch"
)

// A tensor with values is a type of torch-mlir's, and a subtype of what knows less of it.
func Example() {
	t := torch.VTensor(mlir.TensorType{Shape: []int{2, 3}, Elem: mlir.F32})
	fmt.Println(t, torch.Short(t))
	known, ok := torch.TensorOf(t)
	fmt.Println(known, ok)
	fmt.Println(torch.IsSubtype(t, torch.Type("optional<vtensor<[2,3],f32>>")))
	// Output:
	// !torch.vtensor<[2,3],f32> vtensor<[2,3],f32>
	// tensor<2x3xf32> true
	// true
}
