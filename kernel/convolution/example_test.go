package convolution_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// A 1×1 convolution from 16 to 32 channels is a product for its pixels; a 3×3 convolution is none.
func ExampleAsContraction() {
	for _, filter := range []int{1, 3} {
		layer := kerneltest.Layer(16, 32, 7, filter, 1, 0, 1)
		product, ok := convolution.AsContraction(layer)
		fmt.Println(filter, ok)
		if ok {
			fmt.Println(product.M, "by", product.K, "times", product.K, "by", product.N)
		}
	}
	// Output:
	// 1 true
	// 49 by 16 times 16 by 32
	// 3 false
}
