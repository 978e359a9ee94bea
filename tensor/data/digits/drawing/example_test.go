package drawing_test

import (
	"fmt"

	"github.com/go-acap/acap/tensor/data/digits/drawing"
)

func ExampleNew() {
	digits, err := drawing.New(1, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	example, err := digits.Example(7)
	fmt.Println(digits.Len(), example[0].Shape, example[1].DType, err)
	// Output: 100 [1 28 28] i64 <nil>
}
