package llm

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// weights is where a model finds its weights, by the names that GGUF gives them. A folder of Hugging Face is read through
// the table of its architecture.
type weights interface {
	// shape is that of a weight, nil if there is none by the name.
	shape(name string) []int
	// tensor returns a weight on the host.
	tensor(name string) (*tensor.Tensor, error)
	// lookup writes rows of a matrix as f32.
	lookup(name string, rows []int, out []float32) error
	// close releases the files; weights that were returned stay.
	close() error
}

// floats returns the numbers of a buffer of floats as f32.
func floats(b *buf.Buffer) ([]float32, error) {
	switch b.DType {
	case dtype.F32:
		return buf.Slice[float32](b), nil
	case dtype.F16, dtype.BF16, dtype.F64:
		t := tensor.Call("_to_copy", tensor.FromBuffer(b), tensor.DType(dtype.F32))[0]
		return t.Float32s(), nil
	}
	return nil, fmt.Errorf("numbers of %s where floats are wanted", b.DType)
}
