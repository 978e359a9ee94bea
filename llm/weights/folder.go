package weights

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/safetensors"
)

// Folder is the weights of a folder of Hugging Face.
type Folder struct {
	file    *safetensors.File
	shapes  map[string][]int // of tensors in the files
	types   map[string]dtype.DType
	sources map[string]source
	groups  [2]int // heads of keys, and of the queries that share one of them
}

// OpenFolder returns the weights of a model. A weight that is missing, or that would not be computed with, is an error.
func OpenFolder(path string, d *architecture.Description, a *architecture.Kind) (*Folder, error) {
	f, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	experts := 0
	if d.Experts != nil {
		experts = d.Experts.Count
	}
	w := &Folder{file: f, groups: [2]int{d.KVHeads, d.Heads / d.KVHeads}, shapes: map[string][]int{}, types: map[string]dtype.DType{},
		sources: folderSources(f.Names(), a, experts)}
	for _, info := range f.Tensors() {
		w.shapes[info.Name], w.types[info.Name] = info.Shape, info.DType
	}
	if err := w.xielu(d); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := w.unread(d); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if err := w.whole(d, a.Wanted); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// Shape implements [Files].
func (w *Folder) Shape(name string) []int {
	s, ok := w.sources[name]
	if !ok {
		return nil
	}
	shape := slices.Clone(w.shapes[s.tensors[0]])
	if len(s.tensors) > 1 {
		shape = append([]int{len(s.tensors)}, shape...)
	}
	n := len(shape)
	switch {
	case s.change == transposed && n == 2, (s.change == swapped || s.change == alternating) && n == 3:
		shape[n-1], shape[n-2] = shape[n-2], shape[n-1]
	}
	return shape
}

// Tensor implements [Files].
func (w *Folder) Tensor(name string) (*tensor.Tensor, error) {
	s := w.sources[name]
	var list []*tensor.Tensor
	for i, part := range s.tensors {
		if part == "" {
			return nil, fmt.Errorf("%s has no part %d", name, i)
		}
		b, err := w.file.Tensor(part)
		if err != nil {
			return nil, err
		}
		t := tensor.FromBuffer(b)
		if b.DType != dtype.F32 {
			t = tensor.Call("_to_copy", t, tensor.DType(dtype.F32))[0]
		}
		list = append(list, t)
	}
	t := list[0]
	if len(list) > 1 {
		t = tensor.Stack(list)
	}
	switch s.change {
	case transposed:
		t = t.Transpose(0, 1).Contiguous()
	case swapped:
		t = t.Transpose(1, 2).Contiguous()
	case alternating: // the gates first, then the others
		if len(t.Shape()) == 3 {
			t = t.Transpose(1, 2)
		}
		n := t.Shape()
		pairs := t.Reshape(append([]int{n[0], n[1] / 2, 2}, n[2:]...))
		t = tensor.Cat([]*tensor.Tensor{pairs.Select(2, 0), pairs.Select(2, 1)}, tensor.Dim(1)).Contiguous()
	case negatedExp:
		t = t.Exp().Neg()
	case plusOne:
		t = t.AddScalar(1)
	case grouped:
		return w.regrouped(name, t)
	}
	return t, nil
}

// Beside brings the rows of a matrix, which a file has by a name, into the order that the rows of a weight have. An
// error names the matrix whose rows cannot be brought into this order.
func (w *Folder) Beside(of, name string, t *tensor.Tensor) (*tensor.Tensor, error) {
	if w.sources[of].change != grouped {
		return t, nil
	}
	return w.regrouped(name, t)
}

// regrouped brings the rows of queries, keys and values, which lie together head by head, into the order queries, keys,
// values.
func (w *Folder) regrouped(name string, t *tensor.Tensor) (*tensor.Tensor, error) {
	dims := t.Shape()
	heads, shared := w.groups[0], w.groups[1]
	if dims[0]%(heads*(shared+2)) != 0 {
		return nil, fmt.Errorf("%s has %d rows, which %d heads of keys that %d queries share do not divide", name, dims[0], heads, shared)
	}
	parts := t.Reshape([]int{heads, shared + 2, dims[0] / (heads * (shared + 2)), -1})
	return tensor.Cat([]*tensor.Tensor{parts.Narrow(1, 0, shared).Reshape([]int{-1}), parts.Select(1, shared).Reshape([]int{-1}),
		parts.Select(1, shared+1).Reshape([]int{-1})}, tensor.Dim(0)).Reshape(dims), nil
}

// Stored implements [Files].
func (w *Folder) Stored(name string) (Weight, error) {
	s := w.sources[name]
	if w.InPlace(name) {
		b, err := w.file.Stored(s.tensors[0])
		if err != nil {
			return Weight{}, err
		}
		return Weight{Tensor: tensor.FromBuffer(b)}, nil
	}
	t, err := w.Tensor(name)
	return Weight{Tensor: t}, err
}

// InPlace reports whether a weight is a tensor of the file as the file has it, in a type that products read.
func (w *Folder) InPlace(name string) bool {
	s := w.sources[name]
	if len(s.tensors) != 1 || s.tensors[0] == "" || s.change != asItIs {
		return false
	}
	d := w.types[s.tensors[0]]
	return d == dtype.F32 || d == dtype.F16 || d == dtype.BF16
}

// Held implements [Files].
func (w *Folder) Held(name string) (bytes int64, format dtype.Format, mapped bool) {
	d, mapped := dtype.F32, w.InPlace(name)
	if mapped {
		d = w.types[w.sources[name].tensors[0]]
	}
	return int64(shape.Size(w.Shape(name)) * d.Size()), dtype.Plain, mapped
}

// Lookup implements [Files].
func (w *Folder) Lookup(name string) (Lookup, error) {
	shape := w.Shape(name)
	if len(shape) != 2 {
		return nil, fmt.Errorf("there is no matrix %s", name)
	}
	if w.InPlace(name) {
		rows, err := w.file.Rows(w.sources[name].tensors[0])
		if err != nil {
			return nil, err
		}
		return rows.Lookup, nil
	}
	read := sync.OnceValues(func() ([]float32, error) {
		t, err := w.Tensor(name)
		if err != nil {
			return nil, err
		}
		return t.Float32s(), nil
	})
	return func(rows []int, out []float32) error {
		data, err := read()
		if err != nil {
			return err
		}
		for i, r := range rows {
			if r < 0 || r >= shape[0] {
				return fmt.Errorf("%s has no row %d, it has %d", name, r, shape[0])
			}
			copy(out[i*shape[1]:(i+1)*shape[1]], data[r*shape[1]:])
		}
		return nil
	}, nil
}

// Named is the shape of a tensor that the files have by a name, nil if there is none.
func (w *Folder) Named(name string) []int { return w.shapes[name] }

// NumbersOf are the elements of a tensor that the files have by a name.
func (w *Folder) NumbersOf(name string) ([]float32, error) {
	b, err := w.file.Tensor(name)
	if err != nil {
		return nil, err
	}
	t := tensor.FromBuffer(b)
	if b.DType != dtype.F32 {
		t = tensor.Call("_to_copy", t, tensor.DType(dtype.F32))[0]
	}
	return slices.Clone(t.Float32s()), nil
}

// Close implements [Files].
func (w *Folder) Close() error { return w.file.Close() }
