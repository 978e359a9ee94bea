package llm

import (
	"fmt"
	"math"
	"slices"
)

// poolings are the ways to make one vector of the rows of a text, by the names in the settings of sentence-transformers.
var poolings = map[string]string{"cls": "cls", "cls_token": "cls", "mean": "mean", "mean_tokens": "mean", "max": "max", "max_tokens": "max",
	"mean_sqrt_len_tokens": "root", "weightedmean": "weighted", "weightedmean_tokens": "weighted", "lasttoken": "last"}

// pooled makes one vector of rows of a width: of the first row ("cls"), of the last ("last"), their mean, their maximum,
// their sum by the root of their number ("root"), or their mean weighted by 1, 2, 3 … ("weighted").
func pooled(rows []float32, width int, kind string) []float32 {
	n := len(rows) / width
	switch kind {
	case "cls":
		return slices.Clone(rows[:width])
	case "last":
		return slices.Clone(rows[(n-1)*width:])
	case "max":
		out := slices.Clone(rows[:width])
		for i, v := range rows {
			out[i%width] = max(out[i%width], v)
		}
		return out
	}
	sum := make([]float64, width)
	for i, v := range rows {
		w := 1.0
		if kind == "weighted" {
			w = float64(i/width + 1)
		}
		sum[i%width] += float64(w * float64(v))
	}
	by := map[string]float64{"mean": float64(n), "root": math.Sqrt(float64(n)), "weighted": float64(n) * float64(n+1) / 2}[kind]
	out := make([]float32, width)
	for i, v := range sum {
		out[i] = float32(v / by)
	}
	return out
}

// dense is a product with a matrix and a function behind it, which sentence-transformers has behind the pooling.
type dense struct {
	outputs  int
	weight   []float32 // a row for each output
	bias     []float32 // nil for none
	function string    // of the package torch.nn.modules
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

// pool makes one vector of length 1 of the rows of a text.
func (m *Model) pool(rows []float32) []float32 {
	kind := m.Pooling
	if kind == "" || kind == "none" {
		kind = "last"
		if m.Encoder {
			kind = "mean"
		}
	}
	v := pooled(rows, m.Width, kind)
	for _, d := range m.sentences.layers {
		v = d.of(v)
	}
	normalize(v)
	return v
}

// EmbeddingWidth is the number of elements of what [Model.Embed] returns for a text.
func (m *Model) EmbeddingWidth() int {
	if n := len(m.sentences.layers); n > 0 {
		return m.sentences.layers[n-1].outputs
	}
	return m.Width
}

// check says what is wrong with the shapes of a dense layer that takes a vector of a width.
func (d *dense) check(width int) error {
	if len(d.weight) != d.outputs*width || d.bias != nil && len(d.bias) != d.outputs {
		return fmt.Errorf("linear.weight has %d elements and linear.bias %d, for a vector of %d and %d outputs", len(d.weight), len(d.bias), width, d.outputs)
	}
	return nil
}
