package rows_test

import (
	"bytes"
	"fmt"

	"github.com/go-acap/acap/base/rows"
)

// Rows of bytes that stand for numbers from 0 to 255.
func ExampleMatrix() {
	file := bytes.NewReader([]byte{1, 2, 3, 4, 5, 6})
	m := rows.New("table.bin", "embedding", file, [2]int{3, 2}, 2, func(out []float32, data []byte) {
		for i, v := range data {
			out[i] = float32(v)
		}
	})
	out := make([]float32, 4)
	fmt.Println(m.Lookup([]int{2, 0}, out), out)
	fmt.Println(m.Lookup([]int{3, 0}, out))
	// Output:
	// <nil> [5 6 1 2]
	// table.bin: tensor "embedding" has no row 3, it has 3
}
