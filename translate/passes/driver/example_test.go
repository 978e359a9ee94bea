package driver_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/translate/passes/driver"
)

// Each part of a file is a module of its own.
func ExampleRun() {
	out, err := driver.Run("two.mlir", `func.func @a(%x: tensor<2xf32>) -> tensor<2xf32> {
  %unused = "aten.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}
// -----
func.func @b() {
  return
}
`, driver.Options{Passes: "dce", Split: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(out)
	// Output:
	// module {
	//   func.func @a(%x: tensor<2xf32>) -> tensor<2xf32> {
	//     return %x : tensor<2xf32>
	//   }
	// }
	// // -----
	// module {
	//   func.func @b() {
	//     return
	//   }
	// }
}
