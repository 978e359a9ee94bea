package reference_test

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/opinfo/reference"
)

func Example() {
	x := buf.From([]float32{0, 1, 1, 1}, 2, 2)
	r := reference.Functions["all.dims"](reference.Args{x, []int{1}})
	fmt.Println(r[0].DType, r[0].Shape, r[0].Values)
	fmt.Println(reference.Distributions["exponential"].Mean)
	// Output:
	// bool [2] [0 1]
	// 0.6666666666666666
}
