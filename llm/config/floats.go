package config

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// Floats returns the numbers of a buffer of floats as f32. Another element type is an error.
func Floats(b *buf.Buffer) ([]float32, error) {
	switch b.DType {
	case dtype.F32:
		return buf.Slice[float32](b), nil
	case dtype.F16, dtype.BF16, dtype.F64:
		t := tensor.Call("_to_copy", tensor.FromBuffer(b), tensor.DType(dtype.F32))[0]
		return t.Float32s(), nil
	}
	return nil, fmt.Errorf("numbers of %s where floats are wanted", b.DType)
}
