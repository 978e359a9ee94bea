package safetensors

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// typeOf returns the name of the type in which a dtype is written.
func typeOf(d dtype.DType) (string, error) {
	if name := d.Safetensors(); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("the format has no elements of type %v", d)
}

// readBools makes sure that every element is 0 or 1, on which kernels rely.
func readBools(b *buf.Buffer, data []byte) {
	for i, v := range data {
		b.Bytes()[i] = min(v, 1)
	}
}
