package llm

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// weights is where a model finds its weights, by the names that GGUF gives them. A folder of Hugging Face is read through
// the table of its architecture.
type weights interface {
	// shape is that of a weight, nil if there is none by the name.
	shape(name string) []int
	// tensor returns a weight on the host, f32.
	tensor(name string) (*tensor.Tensor, error)
	// stored returns a weight on the host as the file has it, without a copy where that is possible.
	stored(name string) (weight, error)
	// held is the bytes that stored returns and the format, without reading them, and whether they are those of the file.
	held(name string) (bytes int64, format dtype.Format, mapped bool)
	// lookup returns what writes rows of a matrix.
	lookup(name string) (lookup, error)
	// close releases the files; weights that were returned stay.
	close() error
}

// lookup writes rows of a matrix as f32, one after another.
type lookup func(rows []int, out []float32) error

// weight is a weight as it is stored: floats, or bytes in blocks of a packed format. Products read it where it lies.
type weight struct {
	*tensor.Tensor
	format dtype.Format
	exact  bool // products may not round what they multiply by
}

// values are the numbers, f32. They are asked for anew in each pass: what a product reads is then part of the program of the
// pass, and in no memory.
func (w *weight) values() *tensor.Tensor {
	switch {
	case w.format != dtype.Plain:
		return tensor.Call("_unpack_blocks", w.Tensor, w.format.String(), !w.exact)[0]
	case w.DType() != dtype.F32:
		return tensor.Call("_to_copy", w.Tensor, tensor.DType(dtype.F32))[0]
	}
	return w.Tensor
}

// at are some of the weights along the first dimension.
func (w *weight) at(index *tensor.Tensor) *weight {
	return &weight{w.IndexSelect(0, index), w.format, w.exact}
}

// shape is that of the values.
func (w *weight) shape() []int {
	dims := slices.Clone(w.Shape())
	if last := len(dims) - 1; w.format != dtype.Plain {
		dims[last] = dims[last] / w.format.Bytes() * w.format.Block()
	}
	return dims
}
