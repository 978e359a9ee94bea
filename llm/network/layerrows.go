package network

import (
	"math"

	"github.com/go-acap/acap/tensor"
)

// layerRows are what each layer has of each token beside the rows, [rows, layers, width]: embeddings of its own, and
// what is made of the rows in front of the first layer.
func (m *Network) layerRows(x *tensor.Tensor, s *pass) *tensor.Tensor {
	dims := []int{s.rows(), m.Layers, m.LayerWidth}
	made := m.project(x, "per_layer_model_proj").MulScalar(1 / math.Sqrt(float64(m.Width))).Reshape(dims)
	return m.norm(made, "per_layer_proj_norm").Add(s.beside.Reshape(dims)).MulScalar(math.Sqrt(0.5))
}

// withLayerRows adds what a layer makes of its rows beside.
func (m *Network) withLayerRows(x, beside *tensor.Tensor, i int) *tensor.Tensor {
	if beside == nil {
		return x
	}
	y := m.activate(m.project(x, in(i, "inp_gate")), i).Mul(beside.Select(1, i))
	return x.Add(m.norm(m.project(y, in(i, "proj")), in(i, "post_norm")))
}

// embedLayers looks up the embeddings of the layers, on the host.
func (m *Network) embedLayers(tokens []int, out []float32) error {
	if m.layerTokens == nil {
		return nil
	}
	scale := float32(math.Sqrt(float64(m.LayerWidth)))
	err := m.layerTokens(tokens, out)
	for i := range out {
		out[i] *= scale
	}
	return err
}
