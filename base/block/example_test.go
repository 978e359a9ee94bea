package block_test

import (
	"fmt"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/dtype"
)

// A block of Q8_0 has a scale of f16 and 32 signed bytes. The scale is 0.5 here.
func ExampleDecode() {
	data := make([]byte, dtype.Q8_0.Bytes())
	copy(data, []byte{0x00, 0x38, 2, 0xFC, 1})
	values := make([]float32, dtype.Q8_0.Block())
	block.Decode(dtype.Q8_0, values, data)
	fmt.Println(len(values), values[:4])
	// Output: 32 [1 -2 0.5 0]
}
