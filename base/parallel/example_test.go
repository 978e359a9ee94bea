package parallel_test

import (
	"fmt"

	"github.com/go-acap/acap/base/parallel"
)

func ExampleFor() {
	squares := make([]int, 5)
	parallel.For(len(squares), func(i int) { squares[i] = i * i })
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}
