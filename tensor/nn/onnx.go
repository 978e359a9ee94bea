package nn

import (
	"maps"
	"slices"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/translate/importer/onnx"
)

// ONNX is a model read from an .onnx file, callable on tensors: its inputs
// without the weights, in the graph's order. Its parameters live on one device.
// Several goroutines may call it at once.
type ONNX struct {
	*imported
	model *onnx.Model
}

// Inputs returns the name, type and shape of each input; an open extent is -1.
func (m *ONNX) Inputs() []onnx.Input { return m.model.Inputs() }

// OutputNames returns the names of the outputs in order.
func (m *ONNX) OutputNames() []string { return m.model.OutputNames() }

func newONNX(m *onnx.Model, dev device.Device) *ONNX {
	var state []weight
	all := m.Parameters()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		state = append(state, weight{name: name, data: all[name], trainable: true})
	}
	return &ONNX{newImported(m.Forward, state, dev), m}
}

// LoadONNX reads a model, and the files beside it that hold its weights, and puts it on a device. Errors name the file,
// and the node or weight that cannot be read.
func LoadONNX(path string, dev device.Device) (*ONNX, error) {
	m, err := onnx.Load(path)
	if err != nil {
		return nil, err
	}
	return newONNX(m, dev), nil
}

// ReadONNX is [LoadONNX] for a file in memory; name stands for it in messages. Errors are those of [LoadONNX].
func ReadONNX(data []byte, name string, dev device.Device) (*ONNX, error) {
	m, err := onnx.Read(data, name)
	if err != nil {
		return nil, err
	}
	return newONNX(m, dev), nil
}
