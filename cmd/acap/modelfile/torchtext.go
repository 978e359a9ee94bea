package modelfile

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// textModel is a program in torch-mlir's dialect, of operators of ATen or of ONNX.
type textModel struct{ program }

type program interface {
	InputNames() []string
	InputTypes() ([]ops.TensorType, bool)
	Import([]ops.TensorType) (*mlir.Operation, error)
	Specialize([]*buf.Buffer, importer.Run) (*mlir.Operation, error)
}

// failed is a program that cannot be read.
type failed struct{ err error }

func (failed) InputNames() []string                                              { return nil }
func (failed) InputTypes() ([]ops.TensorType, bool)                              { return nil, true }
func (f failed) Import([]ops.TensorType) (*mlir.Operation, error)                { return nil, f.err }
func (f failed) Specialize([]*buf.Buffer, importer.Run) (*mlir.Operation, error) { return nil, f.err }

// torchText returns the program of a module whose function that runs is in torch-mlir's dialect, or nil.
func torchText(path string, module *mlir.Operation) *textModel {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	torch := false
	f.Walk(func(op *mlir.Operation) { torch = torch || strings.HasPrefix(op.Name, "torch.") })
	for _, a := range f.Body().Args {
		o, _ := a.Type.(mlir.OpaqueType)
		torch = torch || o.Dialect == "torch"
	}
	switch {
	case !torch:
		return nil
	case onnx.IsTorch(f):
		m, err := onnx.FromTorch(f, path)
		if err != nil {
			return &textModel{failed{err}}
		}
		return &textModel{m}
	}
	return &textModel{torchscript.FromText(module, f, path)}
}

// load imports the program for the given types, or for those that it declares.
func (m *textModel) load(path string, inputs []ops.TensorType) (*mlir.Operation, error) {
	if declared, ok := m.InputTypes(); ok && len(inputs) == 0 {
		inputs = declared
	}
	if names := m.InputNames(); len(inputs) == 0 && len(names) > 0 {
		return nil, fmt.Errorf("%s: its inputs (%s) have open extents: give -input or -shape", path, strings.Join(names, ", "))
	}
	return m.Import(inputs)
}
