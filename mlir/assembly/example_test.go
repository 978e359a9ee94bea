package assembly_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// A description gives an operation its parser, its printer and its verifier.
func ExampleRegister() {
	assembly.Register("bank", []assembly.Op{{
		Name:     "bank.transfer",
		Operands: "amount is float, to: index",
		Results:  "left: amount",
		Attrs:    "urgent: unit?",
		Format:   "$amount `to` $to (`urgent` $urgent^)? attr-dict `:` type($amount)",
	}})
	module, err := mlir.Parse("f.mlir", []byte(`func.func @f(%x: f32, %account: index) -> f32 {
  %0 = bank.transfer %x to %account urgent : f32
  return %0 : f32
}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(module)
	module, err = mlir.Parse("g.mlir", []byte(`func.func @g(%x: i32, %account: index) {
  %0 = bank.transfer %x to %account : i32
  return
}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mlir.Verify(module))
	// Output:
	// module {
	//   func.func @f(%x: f32, %account: index) -> f32 {
	//     %0 = bank.transfer %x to %account urgent : f32
	//     return %0 : f32
	//   }
	// }
	// g.mlir:2:8: error: 'bank.transfer' amount must be float, not i32
}
