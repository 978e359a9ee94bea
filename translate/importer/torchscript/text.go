package torchscript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/passes/guard"
)

// Text is a function in torch-mlir's dialect. It does not change and may be used by many goroutines.
type Text struct {
	model    *Model // without code, for messages
	function *mlir.Operation
	module   *mlir.Operation
}

// FromText returns a function of a module in torch-mlir's dialect as a model. name stands for the file in messages.
func FromText(module, function *mlir.Operation, name string) *Text {
	l := &library{texts: map[string][]byte{}, files: map[string]*script.File{}, found: map[string]value{}, sources: map[string]*sourceMap{}}
	module.Walk(func(*mlir.Operation) { l.bytes += bytesPerCall })
	return &Text{model: &Model{Name: name, library: l}, function: function, module: module}
}

// InputNames returns the names of the inputs in order.
func (t *Text) InputNames() []string {
	var names []string
	for i, a := range t.function.Body().Args {
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("arg%d", i)
		}
		names = append(names, name)
	}
	return names
}

// numberTypes are the types of inputs that are numbers, and of the tensors of one element in which they are given.
var numberTypes = map[string]dtype.DType{"int": dtype.I64, "float": dtype.F64, "bool": dtype.Bool}

// InputTypes returns the types of the inputs if the function gives all of them without open extents.
func (t *Text) InputTypes() ([]ops.TensorType, bool) {
	var types []ops.TensorType
	for _, a := range t.function.Body().Args {
		if d, number := numberTypes[torch.Kind(a.Type)]; number {
			types = append(types, ops.TensorType{DType: d, Shape: []int{}})
			continue
		}
		tensor, ok := textTensor(a.Type)
		if !ok || slices.Contains(tensor.Shape, mlir.Dynamic) {
			return nil, false
		}
		types = append(types, ops.TensorType{DType: mlir.DTypeOf(tensor.Elem), Shape: tensor.Shape})
	}
	return types, true
}

// textTensor is what a tensor type of the dialect says, of either kind, if it says all but extents.
func textTensor(t mlir.Type) (mlir.TensorType, bool) {
	if o, ok := t.(mlir.OpaqueType); ok && o.Dialect == "torch" && strings.HasPrefix(o.Text, "tensor<") {
		t = torch.Type("v" + o.Text)
	}
	return torch.TensorOf(t)
}

// Import returns the computation on inputs of the given types as a module of the aten dialect. An error is an [*Error]
// with the place in the text.
func (t *Text) Import(inputs []ops.TensorType) (*mlir.Operation, error) {
	module, err := importer.Module(t.model.Name, t.InputNames(), inputs, t.Forward)
	if err != nil {
		return nil, err
	}
	return module, t.guard(module, inputs)
}

// guard adds the guards of the text to the module that it is imported as.
func (t *Text) guard(module *mlir.Operation, inputs []ops.TensorType) error {
	f := guard.Find(t.module)
	if f == nil || f == t.function {
		return nil
	}
	names, err := guard.Names(f)
	if err != nil {
		return err
	}
	if guard.Find(module) != nil {
		return f.Errorf("the program was made for some inputs, and depends on elements of its inputs as well: take the model's own file")
	}
	guards := &Text{model: t.model, function: f, module: t.module}
	other, err := importer.Module(t.model.Name, guards.InputNames(), inputs, guards.Forward)
	if err != nil {
		return err
	}
	computed := other.Funcs()[0]
	other.Body().Ops = nil
	guard.Add(module, computed, names)
	return nil
}

// Specialize is [Text.Import] for the given inputs, from which conditions and numbers are taken; see
// [Model.Specialize]. Errors are those of [Text.Import].
func (t *Text) Specialize(inputs []*buf.Buffer, run importer.Run) (*mlir.Operation, error) {
	module, err := importer.Specialized(t.model.Name, t.InputNames(), inputs, run, t.Forward)
	if err != nil {
		return nil, err
	}
	types := make([]ops.TensorType, len(inputs))
	for i, b := range inputs {
		types[i] = ops.TensorType{DType: b.DType, Shape: b.Shape}
	}
	return module, t.guard(module, types)
}

// Forward runs the function on inputs and adds its tensor operations to b; see [Model.Forward]. Errors are those of
// [Text.Import].
func (t *Text) Forward(b importer.Builder, inputs []ops.Value) (results []ops.Value, err error) {
	defer func() {
		if name := t.model.Name; err != nil && strings.HasPrefix(err.Error(), name+": "+name+":") {
			err = errors.Unwrap(err) // the place names the file
		}
	}()
	defer t.model.catch(&err)
	ev := newEvaluator(t.model, b)
	r := &textRun{ev: ev, text: t, values: map[*mlir.Value]value{}, symbols: map[*mlir.Value]int{}, globals: map[string]value{}}
	at := r.place(t.function)
	args := t.function.Body().Args
	if len(args) != len(inputs) {
		failAt(at, "the function takes %d inputs, got %d", len(args), len(inputs))
	}
	given := make([]value, len(args))
	for i, a := range args {
		given[i] = r.input(at, i, a.Type, inputs[i])
	}
	r.initialize()
	return ev.results(at, &list{items: r.call(at, t.function, given)}), nil
}
