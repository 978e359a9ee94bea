package dialect_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// With the dialects the parser reads their custom forms, and the verifier knows the types of their operations.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mlir.Verify(module))
	module, err = mlir.Parse("g.mlir", []byte(`func.func @g(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = math.exp %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mlir.Verify(module))
	// Output:
	// <nil>
	// g.mlir:2:8: error: 'math.exp' works on floats, not on tensor<4xi32>
}
