package index_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// An index becomes an integer, and a float by way of one.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%a: index, %b: index) -> i1 {
  %0 = index.cmp slt(%a, %b)
  %1 = index.castu %a : index to f32
  return %0 : i1
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:4:8: error: 'index.castu' output must be index | int, not f32
}
