package weights

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// Files is where a model finds its weights, by the names that GGUF gives them. A folder of Hugging Face is read through
// the table of its architecture.
type Files interface {
	// Shape returns the shape of a weight, nil if no weight has the name.
	Shape(name string) []int
	// Tensor returns a weight on the host, f32.
	Tensor(name string) (*tensor.Tensor, error)
	// Stored returns a weight on the host as the file has it, without a copy where that is possible.
	Stored(name string) (Weight, error)
	// Held returns the number of bytes that Stored returns and the format, without reading the bytes, and whether they
	// lie in the file.
	Held(name string) (bytes int64, format dtype.Format, mapped bool)
	// Lookup returns what writes rows of a matrix.
	Lookup(name string) (Lookup, error)
	// Close releases the files; weights that were returned stay.
	Close() error
}

// Lookup writes rows of a matrix as f32, one after another.
type Lookup func(rows []int, out []float32) error

// Weight is a weight as it is stored: floats, or bytes in blocks of a packed format. Products read it where it lies.
type Weight struct {
	*tensor.Tensor
	Format dtype.Format
	Exact  bool // products may not round what they multiply by
}

// Values are the numbers, f32. They are asked for anew in each pass: what a product reads is then part of the program
// of the pass, and in no memory.
func (w *Weight) Values() *tensor.Tensor {
	switch {
	case w.Format != dtype.Plain:
		return tensor.Call("_unpack_blocks", w.Tensor, w.Format.String(), !w.Exact)[0]
	case w.DType() != dtype.F32:
		return tensor.Call("_to_copy", w.Tensor, tensor.DType(dtype.F32))[0]
	}
	return w.Tensor
}

// Indexed are some of the weights along the first dimension.
func (w *Weight) Indexed(index *tensor.Tensor) *Weight {
	return &Weight{w.IndexSelect(0, index), w.Format, w.Exact}
}

// ValueShape is the shape of the values; the tensor of a packed format has bytes.
func (w *Weight) ValueShape() []int {
	dims := slices.Clone(w.Shape())
	if last := len(dims) - 1; w.Format != dtype.Plain {
		dims[last] = dims[last] / w.Format.Bytes() * w.Format.Block()
	}
	return dims
}
