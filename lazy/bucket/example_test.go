package bucket_test

import (
	"fmt"

	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy/bucket"
	"github.com/go-acap/acap/mlir"
)

// A mean of 5 rows is computed by a program for 8: the number that the sum is divided by is an input of the program,
// and so is the number of rows that count.
func Example() {
	program := func(rows, divisor int) *mlir.Operation {
		module, err := mlir.Parse("mean.mlir", fmt.Appendf(nil, `func.func @main(%%a: tensor<%[1]dx3xf32>) -> tensor<3xf32> {
  %%0 = "aten.sum.dim_IntList"(%%a) {dim = array<i64: 0>} : (tensor<%[1]dx3xf32>) -> tensor<3xf32>
  %%1 = "aten.div.Scalar"(%%0) {other = %[2]d : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return %%1 : tensor<3xf32>
}`, rows, divisor))
		if err != nil {
			panic(err)
		}
		return module
	}
	retyped := func(rows int) *mlir.Operation {
		module, err := bucket.Retype(program(5, 5), map[bucket.Dim]int{{Argument: 0, Dim: 0}: rows}, bucket.Guess{Counts: true})
		if err != nil {
			panic(err)
		}
		if err := compiler.Lower(module); err != nil {
			panic(err)
		}
		return module
	}
	ofEight, err := bucket.New(retyped(8), retyped(1031)) // the bucket and a witness
	if err != nil {
		panic(err)
	}
	module := program(5, 5)
	if err := compiler.Lower(module); err != nil {
		panic(err)
	}
	exact, err := bucket.Read(module)
	if err != nil {
		panic(err)
	}
	numbers, err := ofEight.Fit(exact)
	if err != nil {
		panic(err)
	}
	for _, n := range numbers {
		fmt.Println(n.DType, n.Float64(0))
	}
	// Output:
	// i64 5
	// f64 5
}
