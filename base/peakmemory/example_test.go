package peakmemory_test

import (
	"fmt"

	"github.com/go-acap/acap/base/peakmemory"
)

// What is written takes memory, which counts when it is free again.
func ExampleBytes() {
	data := make([]byte, 1<<20)
	for i := range data {
		data[i] = 1
	}
	peak, err := peakmemory.Bytes()
	fmt.Println(peak >= 1<<20 || peak == 0, err)
	// Output: true <nil>
}
