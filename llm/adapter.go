package llm

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/gguf"
	"github.com/go-acap/acap/tensor/safetensors"
)

// adapter is a LoRA adapter: a product of two narrow matrices beside the product with a weight.
type adapter struct {
	scale float64 // beside the scales that the adapter has for its pairs
	pairs map[string]network.LowRank
}

// adaptAll adds adapters with their scales, which are 1 if there are none.
func (m *Model) adaptAll(paths []string, scales []float64) error {
	if len(scales) > 0 && len(scales) != len(paths) {
		return fmt.Errorf("LoadOptions has %d AdapterScales for %d Adapters", len(scales), len(paths))
	}
	for i, path := range paths {
		scale := 1.0
		if len(scales) > 0 {
			scale = scales[i]
		}
		if err := m.adapt(path, scale); err != nil {
			return fmt.Errorf("adapter: %w", inputfile.Named(path, err))
		}
	}
	return nil
}

// adapt adds an adapter: a GGUF file of llama.cpp's, or a folder of PEFT's with adapter_config.json and adapter_model.safetensors.
func (m *Model) adapt(path string, scale float64) error {
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return fmt.Errorf("the scale is %g, want a number", scale)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	a := &adapter{scale, map[string]network.LowRank{}}
	if info.IsDir() {
		err = m.adaptFolder(a, path)
	} else {
		err = m.adaptGGUF(a, path)
	}
	if err != nil {
		return err
	}
	if len(a.pairs) == 0 {
		return errors.New("the adapter changes no weight of the model")
	}
	m.network.Adapt(a.pairs)
	return nil
}

// noProduct are ends of the names of weights that rows are not multiplied by as a whole.
var noProduct = []string{"_exps", "_norm", "token_embd", "ssm_conv1d", "shortconv.conv"}

// addPair takes a pair for a weight, with its scale.
func (m *Model) addPair(a *adapter, name string, down, up *tensor.Tensor, scale float64) error {
	if slices.ContainsFunc(noProduct, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return fmt.Errorf("an adapter of %s, which rows are not multiplied by as a whole, is not supported", name)
	}
	w := m.network.Weight(name + ".weight")
	if w == nil {
		return fmt.Errorf("the model has no weight %s.weight", name)
	}
	if len(w.ValueShape()) != 2 {
		return fmt.Errorf("an adapter of %s, which is no single matrix, is not supported", name)
	}
	if len(down.Shape()) != 2 || len(up.Shape()) != 2 || down.Size(0) != up.Size(1) || down.Size(1) != w.ValueShape()[1] || up.Size(0) != w.ValueShape()[0] {
		return fmt.Errorf("matrices of %v and %v do not fit a weight %s of %v", down.Shape(), up.Shape(), name, w.ValueShape())
	}
	a.pairs[name] = network.LowRank{Down: m.network.Place(down), Up: m.network.Place(up.MulScalar(scale * a.scale))}
	return nil
}

func (m *Model) adaptGGUF(a *adapter, path string) error {
	f, err := gguf.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if kind, given := f.Metadata["general.type"]; given && kind != "adapter" {
		return fmt.Errorf("general.type is %v, want adapter", kind)
	}
	if kind, _ := f.Metadata["adapter.type"].(string); kind != "lora" {
		return fmt.Errorf("adapter.type is %q, want lora", kind)
	}
	if name, _ := f.Metadata["general.architecture"].(string); name != m.Architecture {
		return fmt.Errorf("the adapter is for the architecture %q and the model of %q", name, m.Architecture)
	}
	if tokens := f.Numbers("adapter.alora.invocation_tokens"); len(tokens) > 0 {
		return fmt.Errorf("adapter.alora.invocation_tokens is %v: an adapter that begins behind these tokens is not supported", tokens)
	}
	if _, folder := m.network.Files.(*weights.Folder); folder && gguf.Interleaved(m.Architecture) {
		return fmt.Errorf("a GGUF file of the architecture %q has the rows of queries and keys in another order than a folder of Hugging Face, which "+
			"the model is: give the folder of PEFT's that the adapter was made from, or the model as GGUF", m.Architecture)
	}
	const alphaKey = "adapter.lora.alpha"
	alpha, ok := f.Metadata[alphaKey].(float64)
	if v, given := f.Metadata[alphaKey]; given && (!ok || math.IsNaN(alpha) || math.IsInf(alpha, 0)) {
		return fmt.Errorf("%s is %v, want a number of floating point that is finite", alphaKey, v)
	}
	w := weights.NewGGUF(f)
	const first, second = ".weight.lora_a", ".weight.lora_b"
	for _, info := range f.Tensors() {
		base, ok := strings.CutSuffix(info.Name, first)
		if !ok {
			if base, ok = strings.CutSuffix(info.Name, second); !ok || w.Shape(base+first) == nil {
				return fmt.Errorf("the tensor %q is no part of a pair of matrices, %s and %s", info.Name, first, second)
			}
			continue
		}
		if w.Shape(base+second) == nil {
			return fmt.Errorf("the tensor %q has no %s beside it", info.Name, second)
		}
		down, err := w.Tensor(info.Name)
		if err != nil {
			return err
		}
		up, err := w.Tensor(base + second)
		if err != nil {
			return err
		}
		scale := 1.0
		if alpha != 0 && len(down.Shape()) == 2 && down.Size(0) > 0 {
			scale = alpha / float64(down.Size(0))
		}
		if err := m.addPair(a, base, down, up, scale); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) adaptFolder(a *adapter, path string) error {
	config, err := readAdapterConfig(filepath.Join(path, "adapter_config.json"))
	if err != nil {
		return fmt.Errorf("adapter_config.json: %w", err)
	}
	f, err := safetensors.Open(filepath.Join(path, "adapter_model.safetensors"))
	if err != nil {
		return err
	}
	defer f.Close()
	folder, ok := m.network.Files.(*weights.Folder)
	if !ok {
		return errors.New("a folder of PEFT's is an adapter for a folder of Hugging Face, whose rows of queries and keys may have another order than those of GGUF")
	}
	kind, experts := architecture.Named(m.Architecture), 0
	if m.Experts != nil {
		experts = m.Experts.Count
	}
	read := func(name string) (*tensor.Tensor, error) {
		b, err := f.Tensor(name)
		if err != nil {
			return nil, err
		}
		return tensor.Call("_to_copy", tensor.FromBuffer(b), tensor.DType(dtype.F32))[0], nil
	}
	names := f.Names()
	for _, name := range names {
		base, ok := strings.CutSuffix(name, ".lora_A.weight")
		if !ok {
			if base, ok = strings.CutSuffix(name, ".lora_B.weight"); !ok {
				return fmt.Errorf("the tensor %q is no part of a plain adapter", name)
			}
			if !slices.Contains(names, base+".lora_A.weight") {
				return fmt.Errorf("the tensor %q has no lora_A beside it", name)
			}
			continue
		}
		module := strings.TrimPrefix(base, "base_model.model.")
		to := strings.TrimSuffix(weights.NameOf(module+".weight", kind, experts), ".weight")
		if to == "" {
			return fmt.Errorf("the tensor %q belongs to no weight that is known", name)
		}
		down, err := read(name)
		if err != nil {
			return err
		}
		up, err := read(base + ".lora_B.weight")
		if err != nil {
			return err
		}
		if up, err = folder.Beside(to+".weight", name, up); err != nil {
			return err
		}
		scale, err := config.scale(module, down.Size(0))
		if err != nil {
			return fmt.Errorf("adapter_config.json: %w", err)
		}
		if err := m.addPair(a, to, down, up, scale); err != nil {
			return err
		}
	}
	return nil
}
