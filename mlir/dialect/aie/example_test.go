package aie_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A core has a place on the array of its device.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
aie.device(npu1) {
  %tile = aie.tile(1, 9)
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(mlir.Verify(module))
	// Output: f.mlir:3:11: error: 'aie.tile' is in column 1 and row 9 of an array of 4 columns and 6 rows
}
