package onnx

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/importer"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// Value is a value that a model takes or gives: a tensor of numbers or of texts, a map, a sequence of values,
// or an optional value that is absent, which is the zero Value.
type Value struct {
	Tensor     *buf.Buffer
	Texts      *Texts
	Map        *Map
	IsSequence bool
	Sequence   []Value
}

// Map has an item for each key. Both are tensors of one dimension; keys are i64 or texts.
type Map struct{ Keys, Items Value }

// Bound is a model for given inputs, among which, and among whose results, may be sequences and
// optional values: the tensors in them are the inputs and results of Module, one by one.
type Bound struct {
	Module *mlir.Operation
	Inputs []*buf.Buffer

	results []Value // with empty buffers in place of the tensors
}

// Bind returns the model's computation on the given inputs; see [Model.Specialize].
func (m *Model) Bind(inputs []Value, run importer.Run) (*Bound, error) {
	b := &Bound{}
	for _, in := range inputs {
		in.visit(func(v Value) { b.Inputs = append(b.Inputs, v.Tensor) })
	}
	var err error
	b.Module, err = importer.Specialized(m.Name, m.InputNames(), b.Inputs, run,
		func(builder importer.Builder, tensors []ops.Value) (results []ops.Value, err error) {
			defer catch(m.Name, &err)
			values := make([]*value, len(inputs))
			for i, in := range inputs {
				values[i] = in.internal(&tensors)
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

// Results puts the results of a run of the module together.
func (b *Bound) Results(tensors []*buf.Buffer) ([]Value, error) {
	count := 0
	for _, r := range b.results {
		r.visit(func(Value) { count++ })
	}
	if count != len(tensors) {
		return nil, fmt.Errorf("onnx: %d tensors for results of %d", len(tensors), count)
	}
	out := make([]Value, len(b.results))
	for i, r := range b.results {
		out[i] = r.with(&tensors)
	}
	return out, nil
}

// visit visits the tensors of a value.
func (v Value) visit(f func(Value)) {
	if v.Tensor != nil {
		f(v)
	}
	if v.Map != nil {
		v.Map.Keys.visit(f)
		v.Map.Items.visit(f)
	}
	for _, item := range v.Sequence {
		item.visit(f)
	}
}

// with replaces the tensors of a value by the next of a list.
func (v Value) with(tensors *[]*buf.Buffer) Value {
	if v.Tensor != nil {
		v.Tensor, *tensors = (*tensors)[0], (*tensors)[1:]
	}
	if v.Map != nil {
		keys := v.Map.Keys.with(tensors)
		v.Map = &Map{keys, v.Map.Items.with(tensors)}
	}
	items := make([]Value, len(v.Sequence))
	for i, item := range v.Sequence {
		items[i] = item.with(tensors)
	}
	v.Sequence = items
	return v
}

// internal returns a value of an evaluation with the next tensors of a list.
func (v Value) internal(tensors *[]ops.Value) *value {
	out := &value{isList: v.IsSequence, texts: v.Texts}
	out.absent = v.Tensor == nil && v.Texts == nil && v.Map == nil && !v.IsSequence
	if v.Map != nil {
		out.keys = v.Map.Keys.internal(tensors)
		out.items = v.Map.Items.internal(tensors)
	}
	if v.Tensor != nil {
		out.tensor, *tensors = (*tensors)[0], (*tensors)[1:]
	}
	for _, item := range v.Sequence {
		out.list = append(out.list, item.internal(tensors))
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
		return Value{Map: &Map{keys, ev.external(v.items, tensors)}}
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

// The kinds of a type in a file; see [Model.ReadInput].
const (
	kindTensor   = 1
	kindSequence = 4
	kindMap      = 5
	kindOptional = 9
)

// ReadInput decodes input i of the model from a file of its own: a TensorProto, SequenceProto,
// MapProto or OptionalProto, as the type of the input says. name stands for the file in messages.
func (m *Model) ReadInput(i int, data []byte, name string) (Value, error) {
	if i < 0 || i >= len(m.inputs) {
		return Value{}, fmt.Errorf("%s: the model has %d inputs", m.Name, len(m.inputs))
	}
	return readValue(m.inputs[i], data, name)
}

// ReadOutput is [Model.ReadInput] for an output.
func (m *Model) ReadOutput(i int, data []byte, name string) (Value, error) {
	if i < 0 || i >= len(m.proto.graph.outputs) {
		return Value{}, fmt.Errorf("%s: the model has %d outputs", m.Name, len(m.proto.graph.outputs))
	}
	return readValue(m.proto.graph.outputs[i], data, name)
}

func readValue(info valueInfo, data []byte, name string) (v Value, err error) {
	defer catch(name, &err)
	m := newMessage(data, 0)
	switch info.kind {
	case kindTensor, 0:
		t := decodeTensor(m)
		if t.elem == elemUint16 && info.elem == elemBfloat16 {
			t.elem = info.elem // NumPy, by which tests are written, has no bfloat16: these are its bits
		}
		return t.value(), nil
	case kindSequence:
		return sequenceValue(m, 0), nil
	case kindMap:
		return mapValue(m, 0), nil
	case kindOptional:
		return optionalValue(m, 0), nil
	}
	return v, fmt.Errorf("%s: only tensors, sequences, maps and optional values are supported", name)
}

func (t *tensorProto) value() Value {
	if t.elem == elemString {
		texts, err := t.strings()
		if err != nil {
			failf("byte %d: tensor %q: %w", t.at, t.name, err)
		}
		return Value{Texts: texts}
	}
	holder := &Model{}
	b, err := holder.buffer(t, nil)
	if err != nil {
		failf("byte %d: tensor %q: %w", t.at, t.name, err)
	}
	return Value{Tensor: b}
}

func sequenceValue(m *message, depth int) Value {
	if depth > maxNesting {
		m.fail("sequences are nested more than %d deep", maxNesting)
	}
	v := Value{IsSequence: true}
	for m.more() {
		switch m.number {
		case 3:
			v.Sequence = append(v.Sequence, decodeTensor(m.sub()).value())
		case 5:
			v.Sequence = append(v.Sequence, sequenceValue(m.sub(), depth+1))
		case 7:
			v.Sequence = append(v.Sequence, optionalValue(m.sub(), depth+1))
		case 6:
			v.Sequence = append(v.Sequence, mapValue(m.sub(), depth+1))
		case 4:
			m.fail("sequences of sparse tensors are not supported")
		}
	}
	return v
}

// mapValue reads a map from integers or texts to tensors of one element.
func mapValue(m *message, depth int) Value {
	if depth > maxNesting {
		m.fail("values are nested more than %d deep", maxNesting)
	}
	var numbers []int64
	var texts []string
	var values Value
	at := m.base
	for m.more() {
		switch m.number {
		case 3:
			numbers = m.ints(numbers)
		case 4:
			texts = append(texts, m.text())
		case 5:
			values = sequenceValue(m.sub(), depth+1)
		}
	}
	count := len(numbers) + len(texts)
	if len(values.Sequence) != count || numbers != nil && texts != nil {
		failf("byte %d: a map of %d numbers and %d texts has %d values", at, len(numbers), len(texts), len(values.Sequence))
	}
	keys := Value{Tensor: buf.From(numbers, len(numbers))}
	if texts != nil {
		keys = Value{Texts: &Texts{Shape: []int{count}, Elements: texts}}
	}
	return Value{Map: &Map{keys, joined(values.Sequence, at)}}
}

// joined makes one tensor of values of one element each.
func joined(list []Value, at int) Value {
	var items Value
	dims := []int{len(list)}
	for i, v := range list {
		switch {
		case v.Texts != nil && len(v.Texts.Elements) == 1 && (i == 0 || items.Texts != nil):
			if i == 0 {
				items.Texts = &Texts{Shape: dims}
			}
			items.Texts.Elements = append(items.Texts.Elements, v.Texts.Elements[0])
		case v.Tensor != nil && v.Tensor.Len() == 1 && (i == 0 || items.Tensor != nil && items.Tensor.DType == v.Tensor.DType):
			if i == 0 {
				items.Tensor = buf.New(v.Tensor.DType, dims)
			}
			copyElement(items.Tensor, i, v.Tensor, 0)
		default:
			failf("byte %d: value %d of a map is not one element like those before", at, i)
		}
	}
	if len(list) == 0 {
		items.Tensor = buf.New(dtype.F32, dims)
	}
	return items
}

func optionalValue(m *message, depth int) Value {
	var v Value
	for m.more() {
		switch m.number {
		case 3:
			v = decodeTensor(m.sub()).value()
		case 5:
			v = sequenceValue(m.sub(), depth+1)
		case 6:
			v = mapValue(m.sub(), depth+1)
		case 4, 7:
			m.fail("an optional value of this kind is not supported")
		}
	}
	return v
}
