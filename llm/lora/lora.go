package lora

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/llm/network"
	"github.com/go-acap/acap/tensor"
)

// adapter is a LoRA adapter: a product of two narrow matrices beside the product with a weight.
type adapter struct {
	network *network.Network // which the adapter is for
	scale   float64          // beside the scales that the adapter has for its pairs
	pairs   map[string]network.LowRank
}

// Adapt adds an adapter to a network: a GGUF file of llama.cpp's, or a folder of PEFT's with adapter_config.json and
// adapter_model.safetensors. The adapter's addition is multiplied by the scale, beside the adapter's own. An adapter of
// another model is an error, and so is one that changes no weight.
func Adapt(n *network.Network, path string, scale float64) error {
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return fmt.Errorf("the scale is %g, want a number", scale)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	a := &adapter{n, scale, map[string]network.LowRank{}}
	if info.IsDir() {
		err = a.readFolder(path)
	} else {
		err = a.readGGUF(path)
	}
	if err != nil {
		return err
	}
	if len(a.pairs) == 0 {
		return errors.New("the adapter changes no weight of the model")
	}
	n.Adapt(a.pairs)
	return nil
}

// noProduct are ends of the names of weights that rows are not multiplied by as a whole.
var noProduct = []string{"_exps", "_norm", "token_embd", "ssm_conv1d", "shortconv.conv"}

// add takes a pair for a weight, with its scale.
func (a *adapter) add(name string, down, up *tensor.Tensor, scale float64) error {
	if slices.ContainsFunc(noProduct, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return fmt.Errorf("an adapter of %s, which rows are not multiplied by as a whole, is not supported", name)
	}
	w := a.network.Weight(name + ".weight")
	if w == nil {
		return fmt.Errorf("the model has no weight %s.weight", name)
	}
	if len(w.ValueShape()) != 2 {
		return fmt.Errorf("an adapter of %s, which is no single matrix, is not supported", name)
	}
	if len(down.Shape()) != 2 || len(up.Shape()) != 2 || down.Size(0) != up.Size(1) || down.Size(1) != w.ValueShape()[1] || up.Size(0) != w.ValueShape()[0] {
		return fmt.Errorf("matrices of %v and %v do not fit a weight %s of %v", down.Shape(), up.Shape(), name, w.ValueShape())
	}
	a.pairs[name] = network.LowRank{Down: a.network.Place(down), Up: a.network.Place(up.MulScalar(scale * a.scale))}
	return nil
}
