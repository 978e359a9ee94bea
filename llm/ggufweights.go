package llm

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/gguf"
)

// ggufWeights are those of a GGUF file.
type ggufWeights struct {
	file  *gguf.File
	infos map[string]gguf.Info
}

func newGGUFWeights(f *gguf.File) *ggufWeights {
	w := &ggufWeights{f, map[string]gguf.Info{}}
	for _, info := range f.Tensors() {
		w.infos[info.Name] = info
	}
	return w
}

func (w *ggufWeights) shape(name string) []int {
	if info, ok := w.infos[name]; ok {
		return info.Shape
	}
	return nil
}

func (w *ggufWeights) tensor(name string) (*tensor.Tensor, error) {
	b, err := w.file.Tensor(name)
	if err != nil {
		return nil, err
	}
	if b.DType == dtype.F32 {
		return tensor.FromBuffer(b), nil
	}
	return tensor.Call("_to_copy", tensor.FromBuffer(b), tensor.DType(dtype.F32))[0], nil
}

func (w *ggufWeights) stored(name string) (weight, error) {
	b, format, err := w.file.Stored(name)
	if err != nil {
		return weight{}, err
	}
	return weight{Tensor: tensor.FromBuffer(b), format: format}, nil
}

func (w *ggufWeights) held(name string) (bytes int64, format dtype.Format, mapped bool) {
	info := w.infos[name]
	format, _ = dtype.FormatNamed(strings.ToLower(info.Type))
	return info.Bytes, format, true
}

func (w *ggufWeights) lookup(name string, rows []int, out []float32) error {
	return w.file.Lookup(name, rows, out)
}

func (w *ggufWeights) close() error { return w.file.Close() }
