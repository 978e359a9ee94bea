package sdy_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A sharding says along which axes of a mesh a dimension is divided.
func Example() {
	module, err := mlir.Parse("f.mlir", []byte(`
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
  return %x : tensor<8x8xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := mlir.Verify(module); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(module)
	// Output:
	// module {
	//   "sdy.mesh"() {mesh = #sdy.mesh<["x"=2, "y"=4]>, sym_name = "mesh"} : () -> ()
	//   func.func @f(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
	//     return %x : tensor<8x8xf32>
	//   }
	// }
}
