package bytecode_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	_ "github.com/go-acap/acap/mlir/dialect"
)

func ExampleWrite() {
	module, err := mlir.Parse("twice.mlir", []byte(`
func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sum = arith.addf %x, %x : tensor<4xf32>
  return %sum : tensor<4xf32>
}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := bytecode.Write(&file, module); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(bytecode.Is(file.Bytes()))
	again, err := bytecode.Read("twice.mlirbc", file.Bytes())
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := mlir.Print(os.Stdout, again, mlir.PrintOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// true
	// module {
	//   func.func @twice(%arg0: tensor<4xf32>) -> tensor<4xf32> {
	//     %0 = arith.addf %arg0, %arg0 : tensor<4xf32>
	//     return %0 : tensor<4xf32>
	//   }
	// }
}
