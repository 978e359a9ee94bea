package onnx

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// Value is a value that a model takes or gives, with Map and Texts for what is no tensor of numbers.
type (
	Value = proto.Value
	Map   = proto.Map
	Texts = proto.Texts
)

// Bound is a model for given inputs, among which, and among whose results, may be sequences and
// optional values: the tensors in them are the inputs and results of Module, one by one.
type Bound struct {
	Module *mlir.Operation
	Inputs []*buf.Buffer

	results []Value // with empty buffers in place of the tensors
}

// Bind returns the model's computation on the given inputs; see [Model.Specialize]. Errors are those of
// [Model.Specialize].
func (m *Model) Bind(inputs []Value, run importer.Run) (*Bound, error) {
	b := &Bound{}
	for _, in := range inputs {
		in.Visit(func(v Value) { b.Inputs = append(b.Inputs, v.Tensor) })
	}
	var err error
	b.Module, err = importer.Specialized(m.Name, m.InputNames(), b.Inputs, run,
		func(builder importer.Builder, tensors []ops.Value) (results []ops.Value, err error) {
			defer catch(m.Name, &err)
			values := make([]*value, len(inputs))
			for i, in := range inputs {
				values[i] = internal(in, &tensors)
			}
			ev := newEvaluator(m, builder)
			for _, v := range ev.forward(values) {
				b.results = append(b.results, ev.external(v, &results))
			}
			return results, nil
		})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// Results puts the results of a run of the module together. Another number of tensors is an error.
func (b *Bound) Results(tensors []*buf.Buffer) ([]Value, error) {
	count := 0
	for _, r := range b.results {
		r.Visit(func(Value) { count++ })
	}
	if count != len(tensors) {
		return nil, fmt.Errorf("onnx: %d tensors for results of %d", len(tensors), count)
	}
	out := make([]Value, len(b.results))
	for i, r := range b.results {
		out[i] = r.With(&tensors)
	}
	return out, nil
}

// internal returns a value of an evaluation with the next tensors of a list.
func internal(v Value, tensors *[]ops.Value) *value {
	out := &value{isList: v.IsSequence, texts: v.Texts}
	out.absent = v.Tensor == nil && v.Texts == nil && v.Map == nil && !v.IsSequence
	if v.Map != nil {
		out.keys = internal(v.Map.Keys, tensors)
		out.items = internal(v.Map.Items, tensors)
	}
	if v.Tensor != nil {
		out.tensor, *tensors = (*tensors)[0], (*tensors)[1:]
	}
	for _, item := range v.Sequence {
		out.list = append(out.list, internal(item, tensors))
	}
	return out
}

// external adds the tensors of a value to a list and returns its form.
func (ev *evaluator) external(v *value, tensors *[]ops.Value) Value {
	if v.absent {
		return Value{}
	}
	if v.texts != nil {
		return Value{Texts: v.texts}
	}
	if v.keys != nil {
		keys := ev.external(v.keys, tensors)
		return Value{Map: &Map{Keys: keys, Items: ev.external(v.items, tensors)}}
	}
	if !v.isList {
		*tensors = append(*tensors, ev.tensor(v))
		return Value{Tensor: &buf.Buffer{}}
	}
	out := Value{IsSequence: true}
	for _, item := range v.list {
		out.Sequence = append(out.Sequence, ev.external(item, tensors))
	}
	return out
}

// ReadInput decodes input i of the model from a file of its own: a TensorProto, SequenceProto,
// MapProto or OptionalProto, as the type of the input says. name stands for the file in messages. A number of no input
// is an error, and so are bytes that are no value of the type.
func (m *Model) ReadInput(i int, data []byte, name string) (Value, error) {
	if i < 0 || i >= len(m.inputs) {
		return Value{}, fmt.Errorf("%s: the model has %d inputs", m.Name, len(m.inputs))
	}
	return readValue(m.inputs[i], data, name)
}

// ReadOutput is [Model.ReadInput] for an output. Errors are those of [Model.ReadInput].
func (m *Model) ReadOutput(i int, data []byte, name string) (Value, error) {
	if i < 0 || i >= len(m.proto.Graph.Outputs) {
		return Value{}, fmt.Errorf("%s: the model has %d outputs", m.Name, len(m.proto.Graph.Outputs))
	}
	return readValue(m.proto.Graph.Outputs[i], data, name)
}

func readValue(info proto.ValueInfo, data []byte, name string) (v Value, err error) {
	defer catch(name, &err)
	if v, err = info.ReadValue(data); err != nil {
		failf("%w", err)
	}
	return v, nil
}
