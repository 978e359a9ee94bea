package lora

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor/gguf"
)

// readGGUF reads the pairs of a GGUF file.
func (a *adapter) readGGUF(path string) error {
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
	if name, _ := f.Metadata["general.architecture"].(string); name != a.network.Architecture {
		return fmt.Errorf("the adapter is for the architecture %q and the model of %q", name, a.network.Architecture)
	}
	if tokens := f.Numbers("adapter.alora.invocation_tokens"); len(tokens) > 0 {
		return fmt.Errorf("adapter.alora.invocation_tokens is %v: an adapter that begins behind these tokens is not supported", tokens)
	}
	if _, folder := a.network.Files.(*weights.Folder); folder && gguf.Interleaved(a.network.Architecture) {
		return fmt.Errorf("a GGUF file of the architecture %q has the rows of queries and keys in another order than a folder of Hugging Face, which "+
			"the model is: give the folder of PEFT's that the adapter was made from, or the model as GGUF", a.network.Architecture)
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
		if err := a.add(base, down, up, scale); err != nil {
			return err
		}
	}
	return nil
}
