package llm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/tensor"
)

// load brings all weights to the device.
func (m *network) load() error {
	names, err := m.Members(m.files.shape)
	if err != nil {
		return err
	}
	for _, name := range names {
		w, err := m.files.stored(name)
		if err == nil && len(m.files.shape(name)) < 2 && (w.format != dtype.Plain || w.DType() != dtype.F32) {
			w.format = dtype.Plain
			w.Tensor, err = m.files.tensor(name)
		}
		if err != nil {
			return err
		}
		m.loaded[name] = &weight{m.place(w.Tensor), w.format, m.exact}
	}
	return nil
}

// place brings a weight to the device.
func (m *network) place(w *tensor.Tensor) *tensor.Tensor { return w.To(m.device) }

// frequency returns the angles by which one position turns pairs, as f32, and the scale of cosines and sines.
func (m *network) frequency(r *architecture.Rotary) ([]float32, float64) {
	turn, scale := r.Frequencies(m.Context)
	out := make([]float32, len(turn))
	for i, f := range turn {
		out[i] = float32(f)
	}
	return out, scale
}
