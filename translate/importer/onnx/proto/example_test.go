package proto_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// Types of elements have numbers in ONNX: 1 is float, 16 bfloat16.
func ExampleDTypeOf() {
	for _, number := range []int64{1, 16} {
		d, err := proto.DTypeOf(number)
		fmt.Println(proto.ElementName(number), d, err)
	}
	fmt.Println(proto.ElementOf(dtype.I64))
	// Output:
	// float f32 <nil>
	// bfloat16 bf16 <nil>
	// 7
}

// A file of PyTorch is no model of ONNX.
func ExampleRead() {
	_, err := proto.Read([]byte("PK\x03\x04"))
	fmt.Println(err)
	// Output: no ONNX model: it is a zip archive, such as .pt and .pt2 files of PyTorch are
}
