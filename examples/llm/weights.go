package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

func newModel(c Config, d device.Device, t dtype.DType) *Model {
	return &Model{Config: c, Weights: map[string]*tensor.Tensor{}, device: d, dtype: t}
}

// set gives the model a weight.
func (m *Model) set(name string, w *tensor.Tensor) {
	m.Weights[name] = w.To(m.device)
	if name == words {
		m.words = w
	}
}

// words is the name of the embeddings.
const words = "model.embed_tokens.weight"

// random returns a model with random weights of an element type.
func random(c Config, d device.Device, t dtype.DType) *Model {
	m := newModel(c, d, t)
	shapes := c.shapes()
	for _, name := range sorted(shapes) { // so that a seed gives the same model
		dims := shapes[name]
		w := tensor.Randn(dims...)
		switch {
		case strings.HasSuffix(name, "norm.weight"):
			w = tensor.Ones(dims...)
		case len(dims) == 2:
			w = w.MulScalar(1 / math.Sqrt(float64(dims[1])))
		}
		m.set(name, m.as(w, t))
	}
	return m
}

// empty returns a model whose weights have no values yet: enough to compile it.
func empty(c Config, d device.Device, t dtype.DType) *Model {
	m := newModel(c, d, t)
	for name, dims := range c.shapes() {
		m.set(name, tensor.FromBuffer(buf.New(t, dims)))
	}
	return m
}

// read returns a model with the weights of a file, converted to an element type.
func read(c Config, path string, d device.Device, t dtype.DType) (*Model, error) {
	state, err := nn.ReadState(path)
	if err != nil {
		return nil, err
	}
	m := newModel(c, d, t)
	shapes := c.shapes()
	for _, name := range sorted(shapes) {
		w := state[name]
		if w == nil {
			return nil, fmt.Errorf("%s has no %s", path, name)
		}
		if !shape.Equal(w.Shape(), shapes[name]) {
			return nil, fmt.Errorf("%s: %s has the shape %s, not %s", path, name, shape.String(w.Shape()),
				shape.String(shapes[name]))
		}
		m.set(name, m.as(w, t))
	}
	return m, nil
}

func sorted(shapes map[string][]int) []string {
	var names []string
	for n := range shapes {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}
