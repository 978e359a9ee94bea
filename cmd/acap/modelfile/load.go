package modelfile

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/cmd/acap/printable"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx"
	"github.com/go-acap/acap/translate/importer/torchscript"
	"github.com/go-acap/acap/translate/passes/guard"
)

// Load reads a model file as a module with a function @main. A TorchScript, torch.export
// or ONNX model is imported for the given input types; MLIR has its own.
func Load(path string, inputs []ops.TensorType) (*mlir.Operation, error) {
	switch KindOf(path) {
	case Torch:
		m, err := torchscript.Load(path)
		if err != nil {
			return nil, err
		}
		if declared, ok := m.InputTypes(); ok && len(inputs) == 0 {
			inputs = declared
		}
		if len(inputs) == 0 && len(m.InputNames()) > 0 {
			return nil, fmt.Errorf("%s: the types of its inputs (%s) are not known: give -input or "+
				"-shape, here or to acap compile, whose file has them", path, strings.Join(m.InputNames(), ", "))
		}
		return m.Import(inputs)
	case ONNX:
		return loadONNX(path, inputs)
	case MLIR:
		module, err := readMLIR(path)
		if err != nil {
			return nil, err
		}
		if m := torchText(path, module); m != nil {
			return m.load(path, inputs)
		}
		return loadMLIR(path, module, inputs)
	case Artifact:
		f, err := artifact.Open(path)
		if err != nil {
			return nil, err
		}
		return f.Module()
	default:
		return nil, unknownKind(path)
	}
}

// LoadFor is Load for inputs whose elements are known; the structure of a model may depend on the elements. Guards of
// the module refuse other inputs if an element that was read differs. Inputs are changed by [Narrow].
func LoadFor(path string, inputs []*buf.Buffer) (*mlir.Operation, error) {
	if len(inputs) == 0 {
		return Load(path, nil)
	}
	switch KindOf(path) {
	case ONNX:
		m, err := onnx.Load(path)
		if err != nil {
			return nil, err
		}
		var wanted []dtype.DType
		for _, in := range m.Inputs() {
			wanted = append(wanted, in.DType)
		}
		if err := Narrow(inputs, wanted); err != nil {
			return nil, inputfile.Named(path, err)
		}
		return m.Specialize(inputs, host.Run)
	case Torch:
		m, err := torchscript.Load(path)
		if err != nil {
			return nil, err
		}
		if err := Narrow(inputs, m.InputDTypes()); err != nil {
			return nil, inputfile.Named(path, err)
		}
		return m.Specialize(inputs, host.Run)
	case MLIR:
		module, err := readMLIR(path)
		if err != nil {
			return nil, err
		}
		if m := torchText(path, module); m != nil {
			return m.Specialize(inputs, host.Run)
		}
		if module, err = loadMLIR(path, module, TypesOf(inputs)); err != nil {
			return nil, err
		}
		if err := Narrow(inputs, InputDTypes(module)); err != nil {
			return nil, inputfile.Named(path, err)
		}
		return module, nil
	}
	return Load(path, TypesOf(inputs))
}

// LoadOnce is LoadFor for a module that runs on these inputs alone: the module does not check that values which were
// read from the inputs are the same.
func LoadOnce(path string, inputs []*buf.Buffer) (*mlir.Operation, error) {
	module, err := LoadFor(path, inputs)
	if err == nil && len(inputs) > 0 && KindOf(path) != Artifact && KindOf(path) != MLIR {
		guard.Take(module)
	}
	return module, err
}

// loadONNX imports a model for the given types, or for those that it declares.
func loadONNX(path string, inputs []ops.TensorType) (*mlir.Operation, error) {
	m, err := onnx.Load(path)
	if err != nil {
		return nil, err
	}
	if declared, ok := m.InputTypes(); ok && len(inputs) == 0 {
		inputs = declared
	}
	if len(inputs) == 0 && len(m.Inputs()) > 0 {
		return nil, fmt.Errorf("%s: its inputs (%s) have open extents: give -input or -shape", path,
			strings.Join(m.InputNames(), ", "))
	}
	return m.Import(inputs)
}

// LoadArtifact makes the program of a file for a device, and tells if it was compiled again.
func LoadArtifact(path string, dev device.Device) (device.Executable, error) {
	file, err := artifact.Open(path)
	if err != nil {
		return nil, err
	}
	exe, notice, err := file.Load(context.Background(), dev)
	if notice != "" {
		fmt.Fprintln(printable.Messages, "acap: "+notice)
	}
	return exe, err
}
