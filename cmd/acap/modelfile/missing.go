package modelfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/onnx"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// Missing says which inputs a model takes beyond the given number of them, with their element types and shapes as
// far as the file tells; nil if there are none.
func Missing(path string, given int) error {
	inputs, err := inputsOf(path)
	if err != nil || given >= len(inputs) {
		return nil
	}
	var list []string
	for i, in := range inputs[given:] {
		list = append(list, fmt.Sprintf("input_%d (%s)", given+i, in))
	}
	return fmt.Errorf("%s: %d of %d inputs given, missing %s: give all of them in order by -input FILE.npy, or put them "+
		"beside the model as input_0.npy, input_1.npy and so on; -shape in place of -input makes random ones, "+
		"such as -shape 1x3x224x224 -shape 1x8xi64", path, given, len(inputs), strings.Join(list, ", "))
}

// inputsOf describes the inputs that a model needs: their names, if it has any, and types.
func inputsOf(path string) ([]string, error) {
	switch KindOf(path) {
	case Torch:
		m, err := torchscript.Load(path)
		if err != nil {
			return nil, err
		}
		types, known := m.InputTypes()
		var list []string
		for i, name := range m.InputNames()[:m.RequiredInputs()] {
			if known {
				name += ": " + typeText(types[i].DType, types[i].Shape)
			}
			list = append(list, name)
		}
		return list, nil
	case ONNX:
		m, err := onnx.Load(path)
		if err != nil {
			return nil, err
		}
		var list []string
		for _, in := range m.Inputs() {
			list = append(list, in.Name+": "+typeText(in.DType, in.Shape))
		}
		return list, nil
	}
	module, err := Load(path, nil)
	if err != nil {
		return nil, err
	}
	f, err := compiler.EntryOf(module)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, arg := range f.Body().Args {
		text := arg.Type.String()
		if t, ok := arg.Type.(mlir.TensorType); ok {
			text = typeText(mlir.DTypeOf(t.Elem), t.Shape)
		}
		if arg.Name != "" {
			text = arg.Name + ": " + text
		}
		list = append(list, text)
	}
	return list, nil
}

// typeText writes an element type and a shape, whose open extents are question marks. Either may be unknown.
func typeText(d dtype.DType, dims []int) string {
	switch {
	case !d.Valid():
		return "of any type"
	case dims == nil:
		return d.String() + " of any shape"
	}
	extents := make([]string, len(dims))
	for i, n := range dims {
		if extents[i] = strconv.Itoa(n); n < 0 {
			extents[i] = "?"
		}
	}
	return d.String() + " [" + strings.Join(extents, " ") + "]"
}
