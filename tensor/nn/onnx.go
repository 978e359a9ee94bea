package nn

import (
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir/importer/onnx"
)

// ONNX is a model read from an .onnx file, callable on tensors: its inputs
// without the weights, in the graph's order. Its parameters live on one device.
// Several goroutines may call it at once.
type ONNX struct{ *imported }

// LoadONNX reads a model, and the files beside it that hold its weights, and puts
// it on a device.
func LoadONNX(path string, dev device.Device) (*ONNX, error) {
	m, err := onnx.Load(path)
	if err != nil {
		return nil, err
	}
	return &ONNX{newImported(m.Forward, dev)}, nil
}

// ReadONNX is [LoadONNX] for a file in memory; name stands for it in messages.
func ReadONNX(data []byte, name string, dev device.Device) (*ONNX, error) {
	m, err := onnx.Read(data, name)
	if err != nil {
		return nil, err
	}
	return &ONNX{newImported(m.Forward, dev)}, nil
}
