package network

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/weights"
)

// load brings all weights to the device.
func (m *Network) load() error {
	names, err := m.Members(m.Files.Shape)
	if err != nil {
		return err
	}
	for _, name := range names {
		w, err := m.Files.Stored(name)
		if err == nil && len(m.Files.Shape(name)) < 2 && (w.Format != dtype.Plain || w.DType() != dtype.F32) {
			w.Format = dtype.Plain
			w.Tensor, err = m.Files.Tensor(name)
		}
		if err != nil {
			return err
		}
		m.loaded[name] = &weights.Weight{Tensor: m.Place(w.Tensor), Format: w.Format, Exact: m.exact}
	}
	return nil
}

// frequency returns the angles by which one position turns pairs, as f32, and the scale of cosines and sines.
func (m *Network) frequency(r *architecture.Rotary) ([]float32, float64) {
	turn, scale := r.Frequencies(m.Context)
	out := make([]float32, len(turn))
	for i, f := range turn {
		out[i] = float32(f)
	}
	return out, scale
}
