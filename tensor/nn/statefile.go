package nn

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/gguf"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/tensor/safetensors"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// ReadState reads tensors by name, on the host, for [LoadStateDict]: from a .safetensors file or an index of such files
// (.safetensors.index.json), which are mapped into memory, or from a folder with one of them under the name model, as
// Hugging Face's tools make it; from a .gguf file, whose quantized tensors become f32 and whose queries and keys get
// PyTorch's order of rows (see [gguf.File.State]); from an .npz archive; or from a .pt file (.pth, .bin, .ckpt), what
// torch.save wrote of a state dict or torch.jit.save of a model. Errors name the file, and the tensor that cannot be
// read.
func ReadState(path string) (map[string]*tensor.Tensor, error) {
	buffers, err := readBuffers(path)
	if err != nil {
		return nil, err
	}
	state := make(map[string]*tensor.Tensor, len(buffers))
	for name, b := range buffers {
		state[name] = tensor.FromBuffer(b)
	}
	return state, nil
}

func readBuffers(path string) (map[string]*buf.Buffer, error) {
	kind := stateKind(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		kind = ".safetensors"
	}
	switch kind {
	case ".safetensors", ".json":
		f, err := safetensors.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.All()
	case ".gguf":
		f, err := gguf.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.State()
	case ".npz":
		arrays, err := npy.ReadArchiveFile(path)
		state := map[string]*buf.Buffer{}
		for _, a := range arrays {
			state[a.Name] = a.Data
		}
		return state, err
	case ".pt", ".pth", ".ptl", ".pt2", ".bin", ".ckpt":
		m, err := torchscript.Load(path)
		if err != nil {
			return nil, err
		}
		return m.State()
	default:
		return nil, fmt.Errorf("%s: unknown kind of state %q; there are .safetensors, .gguf, .npz and .pt, .pth, .bin and .ckpt", path, kind)
	}
}

func stateKind(path string) string { return strings.ToLower(filepath.Ext(path)) }

// WriteState writes tensors by name to a .safetensors file or an .npz archive, which it creates or replaces whole.
// Another ending of the path is an error, and so is a type that the kind of file does not have. Values that are not
// computed yet are computed.
func WriteState(path string, state map[string]*tensor.Tensor) error {
	var names []string
	var buffers []*buf.Buffer
	for _, name := range slices.Sorted(maps.Keys(state)) {
		if state[name] == nil {
			return fmt.Errorf("%s: tensor %q is nil", path, name)
		}
		b, err := state[name].Buffer(context.Background())
		if err != nil {
			return fmt.Errorf("%s: tensor %q: %w", path, name, err)
		}
		names, buffers = append(names, name), append(buffers, b)
	}
	switch kind := stateKind(path); kind {
	case ".safetensors":
		list := make([]safetensors.Tensor, len(names))
		for i, name := range names {
			list[i] = safetensors.Tensor{Name: name, Data: buffers[i]}
		}
		return safetensors.WriteFile(path, list, map[string]string{"format": "pt"})
	case ".npz":
		list := make([]npy.Array, len(names))
		for i, name := range names {
			list[i] = npy.Array{Name: name, Data: buffers[i]}
		}
		return npy.WriteArchiveFile(path, list)
	default:
		return fmt.Errorf("%s: unknown kind of state %q; there are .safetensors and .npz", path, kind)
	}
}
