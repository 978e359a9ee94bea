package tmtensor_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A scan folds along a dimension that its tensor has.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%x: tensor<4xi64>, %o: tensor<4xi64>, %a: tensor<i64>) -> tensor<4xi64> {
  %0:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<4xi64>) outs(%o, %a : tensor<4xi64>, tensor<i64>) {
  ^bb0(%p: i64, %q: i64):
    %s = arith.addi %p, %q : i64
    tm_tensor.yield %s : i64
  } -> tensor<4xi64>, tensor<i64>
  return %0#0 : tensor<4xi64>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:10: error: 'tm_tensor.scan' has no dimension 1 in tensor<4xi64>
}
