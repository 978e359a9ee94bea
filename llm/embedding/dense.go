package embedding

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/config"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor/safetensors"
)

// dense is a product with a matrix and a function behind it, which sentence-transformers has behind the pooling.
type dense struct {
	name     string // in a GGUF file
	outputs  int
	weight   []float32 // a row for each output
	bias     []float32 // nil for none
	function string    // of the package torch.nn.modules
	norm     []float32 // weights of a norm behind the function; nil for none
}

// denseFunctions are the functions behind the product.
var denseFunctions = map[string]func(float64) float64{
	"torch.nn.modules.linear.Identity":    func(v float64) float64 { return v },
	"torch.nn.modules.activation.Tanh":    math.Tanh,
	"torch.nn.modules.activation.ReLU":    func(v float64) float64 { return max(v, 0) },
	"torch.nn.modules.activation.Sigmoid": func(v float64) float64 { return 1 / (1 + math.Exp(-v)) },
	"torch.nn.modules.activation.GELU":    func(v float64) float64 { return v / 2 * (1 + math.Erf(v/math.Sqrt2)) },
}

// of computes the outputs for a vector.
func (d *dense) of(x []float32) []float32 {
	f := denseFunctions[d.function]
	out := make([]float32, d.outputs)
	for i := range out {
		sum := 0.0
		if d.bias != nil {
			sum = float64(d.bias[i])
		}
		for k, v := range x {
			sum += float64(float64(d.weight[i*len(x)+k]) * float64(v))
		}
		out[i] = float32(f(sum))
	}
	return out
}

// normed norms outputs, and multiplies them by the weights of the norm.
func (d *dense) normed(v []float32, epsilon float64) {
	mean, square := 0.0, 0.0
	for _, x := range v {
		mean += float64(x) / float64(len(v))
	}
	for _, x := range v {
		square += (float64(x) - mean) * (float64(x) - mean) / float64(len(v))
	}
	for i, x := range v {
		v[i] = float32((float64(x) - mean) / math.Sqrt(square+epsilon) * float64(d.norm[i]))
	}
}

// check says what is wrong with the shapes of a dense layer that takes a vector of a width.
func (d *dense) check(width int) error {
	if len(d.weight) != d.outputs*width || d.bias != nil && len(d.bias) != d.outputs {
		return fmt.Errorf("linear.weight has %d elements and linear.bias %d, for a vector of %d and %d outputs", len(d.weight), len(d.bias), width, d.outputs)
	}
	return nil
}

// scoresOf are the layers behind the pooled rows that score pairs of texts, as llama.cpp has them: one with a function
// and a norm, which a model may leave out, and one with one output, or of a model that generates with two, for "yes"
// and "no".
func scoresOf(w *weights.GGUF, d *architecture.Description) (list []*dense, err error) {
	function := "torch.nn.modules.activation.Tanh"
	if d.Architecture == "modern-bert" {
		function = "torch.nn.modules.activation.GELU"
	}
	width := d.Width
	for _, layer := range []dense{{name: "cls", function: function}, {name: "cls.output", function: "torch.nn.modules.linear.Identity"}} {
		if layer.name == "cls" && w.Shape("cls.weight") == nil {
			continue
		}
		if layer.weight, err = numbersOf(w, layer.name+".weight"); err != nil {
			return nil, err
		}
		if w.Shape(layer.name+".bias") != nil {
			if layer.bias, err = numbersOf(w, layer.name+".bias"); err != nil {
				return nil, err
			}
		}
		layer.outputs = len(layer.weight) / width
		if err := layer.check(width); err != nil {
			return nil, fmt.Errorf("%s: %w", layer.name, err)
		}
		if norm := "cls.norm.weight"; layer.name == "cls" && w.Shape(norm) != nil {
			if layer.norm, err = numbersOf(w, norm); err == nil && len(layer.norm) != layer.outputs {
				err = fmt.Errorf("%s has %d elements, want %d", norm, len(layer.norm), layer.outputs)
			}
			if err != nil {
				return nil, err
			}
		}
		list, width = append(list, &layer), layer.outputs
	}
	wanted := 1
	if !d.Encoder {
		wanted = 2
	}
	if width != wanted {
		return nil, fmt.Errorf("cls.output.weight has %d outputs; a score of two texts is made of %d", width, wanted)
	}
	return list, nil
}

// numbersOf are the numbers of a weight.
func numbersOf(w *weights.GGUF, name string) ([]float32, error) {
	t, err := w.Tensor(name)
	if err != nil {
		return nil, err
	}
	return t.Float32s(), nil
}

// denseOf are the layers behind the pooling that a GGUF file has.
func denseOf(w *weights.GGUF, width int) (list []*dense, err error) {
	for _, name := range []string{"dense_2", "dense_3"} {
		if w.Shape(name+".weight") == nil {
			continue
		}
		t, err := w.Tensor(name + ".weight")
		if err != nil {
			return nil, err
		}
		d := &dense{outputs: t.Size(0), weight: t.Float32s(), function: "torch.nn.modules.linear.Identity"}
		if err := d.check(width); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list, width = append(list, d), d.outputs
	}
	return list, nil
}

// readDense reads the layer in a folder, which takes a vector of a width.
func readDense(path string, c config.Object, width int) (*dense, error) {
	d := &dense{function: "torch.nn.modules.activation.Tanh"}
	inputs, bias := width, true
	c.Get(&inputs, "in_features")
	c.Get(&d.outputs, "out_features")
	c.Get(&bias, "bias")
	c.Get(&d.function, "activation_function")
	if denseFunctions[d.function] == nil {
		return nil, fmt.Errorf("the function %q is not known", d.function)
	}
	if inputs != width || d.outputs < 1 {
		return nil, fmt.Errorf("in_features is %d and out_features %d, for a vector of %d", inputs, d.outputs, width)
	}
	f, err := safetensors.Open(filepath.Join(path, "model.safetensors"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("weights of a Dense are read from model.safetensors, which sentence-transformers writes: %w", err)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	values := func(name string) ([]float32, error) {
		b, err := f.Tensor(name)
		if err != nil {
			return nil, err
		}
		v, err := config.Floats(b)
		return slices.Clone(v), err
	}
	if d.weight, err = values("linear.weight"); err != nil {
		return nil, err
	}
	if bias {
		if d.bias, err = values("linear.bias"); err != nil {
			return nil, err
		}
	}
	return d, d.check(width)
}
