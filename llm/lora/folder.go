package lora

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/safetensors"
)

// readFolder reads the pairs of a folder of PEFT.
func (a *adapter) readFolder(path string) error {
	config, err := readConfig(filepath.Join(path, "adapter_config.json"))
	if err != nil {
		return fmt.Errorf("adapter_config.json: %w", err)
	}
	f, err := safetensors.Open(filepath.Join(path, "adapter_model.safetensors"))
	if err != nil {
		return err
	}
	defer f.Close()
	folder, ok := a.network.Files.(*weights.Folder)
	if !ok {
		return errors.New("a folder of PEFT's is an adapter for a folder of Hugging Face, whose rows of queries and keys may have another order than in GGUF files")
	}
	kind, experts := architecture.Named(a.network.Architecture), 0
	if a.network.Experts != nil {
		experts = a.network.Experts.Count
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
		if err := a.add(to, down, up, scale); err != nil {
			return err
		}
	}
	return nil
}
