package mlprogram_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A global that is not mutable is not stored to.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
ml_program.global private @seed(dense<1> : tensor<i64>) : tensor<i64>
func.func @f(%x: tensor<i64>) {
  ml_program.global_store @seed = %x : tensor<i64>
  return
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:4:3: error: 'ml_program.global_store' the global does not change
}
