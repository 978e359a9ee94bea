package data

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// Stack makes a batch of examples whose fields have the same types and shapes: field k is an array [N …] of theirs. No
// examples, a field of nil, and fields that differ are errors.
func Stack(list []Example) (Example, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("data: no examples to stack")
	}
	first := list[0]
	out := make(Example, len(first))
	for k, f := range first {
		if f == nil {
			return nil, fmt.Errorf("data: field %d is nil", k)
		}
		b, err := buf.NewChecked(f.DType, append([]int{len(list)}, f.Shape...))
		if err != nil {
			return nil, err
		}
		for i, e := range list {
			if len(e) != len(first) {
				return nil, fmt.Errorf("data: examples of %d and %d fields do not stack", len(first), len(e))
			}
			if e[k] == nil {
				return nil, fmt.Errorf("data: field %d is nil", k)
			}
			if e[k].DType != f.DType || !shape.Equal(e[k].Shape, f.Shape) {
				return nil, fmt.Errorf("data: field %d: %v%s and %v%s do not stack", k, f.DType, shape.String(f.Shape),
					e[k].DType, shape.String(e[k].Shape))
			}
			copy(b.Bytes()[i*len(f.Bytes()):], e[k].Bytes())
		}
		out[k] = b
	}
	return out, nil
}
