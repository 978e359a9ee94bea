package builtin_test

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
)

// A module need not be written out: its operations may stand in the file as they are.
func Example() {
	module, err := mlir.Parse("half.mlir", []byte(`%0 = builtin.unrealized_conversion_cast to i32`))
	fmt.Println(err)
	fmt.Print(module)
	// Output:
	// <nil>
	// module {
	//   %0 = unrealized_conversion_cast to i32
	// }
}
