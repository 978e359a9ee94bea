package expand_test

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/expand"
	"github.com/go-acap/acap/translate/passes/lowering"
)

func ExampleACAP() {
	module, err := mlir.Parse("sums.mlir", []byte(`func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.cumsum"(%x) {dim = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`))
	if err != nil {
		panic(err)
	}
	if err := lowering.ToLinalg(module); err != nil {
		panic(err)
	}
	fmt.Println("a scan:", strings.Contains(module.String(), "acap.scan"))
	if err := expand.ACAP(module); err != nil {
		panic(err)
	}
	fmt.Println("a loop:", strings.Contains(module.String(), "scf.for"), "and no scan:", !strings.Contains(module.String(), "acap.scan"))
	// Output:
	// a scan: true
	// a loop: true and no scan: true
}
