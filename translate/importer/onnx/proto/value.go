package proto

import (
	"errors"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
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

// Texts is a tensor whose elements are texts. Nothing but a model's operators on texts computes with
// them, while the model is read.
type Texts struct {
	Shape    []int
	Elements []string
}

// Map has an item for each key. Both are tensors of one dimension; keys are i64 or texts.
type Map struct{ Keys, Items Value }

// Visit visits the tensors of a value.
func (v Value) Visit(f func(Value)) {
	if v.Tensor != nil {
		f(v)
	}
	if v.Map != nil {
		v.Map.Keys.Visit(f)
		v.Map.Items.Visit(f)
	}
	for _, item := range v.Sequence {
		item.Visit(f)
	}
}

// With replaces the tensors of a value by the next of a list.
func (v Value) With(tensors *[]*buf.Buffer) Value {
	if v.Tensor != nil {
		v.Tensor, *tensors = (*tensors)[0], (*tensors)[1:]
	}
	if v.Map != nil {
		keys := v.Map.Keys.With(tensors)
		v.Map = &Map{keys, v.Map.Items.With(tensors)}
	}
	items := make([]Value, len(v.Sequence))
	for i, item := range v.Sequence {
		items[i] = item.With(tensors)
	}
	v.Sequence = items
	return v
}

// The kinds of a type in a file; see [ValueInfo.ReadValue].
const (
	kindTensor   = 1
	kindSequence = 4
	kindMap      = 5
	kindOptional = 9
)

// ReadValue decodes a value of the type from a file of its own: a TensorProto, SequenceProto, MapProto or
// OptionalProto. Errors have the offset of the byte; a value of another kind is one.
func (info ValueInfo) ReadValue(data []byte) (v Value, err error) {
	defer catch(&err)
	m := newMessage(data, 0)
	switch info.kind {
	case kindTensor, 0:
		t := decodeTensor(m)
		if t.Elem == elemUint16 && info.Elem == elemBfloat16 {
			t.Elem = info.Elem // NumPy, by which tests are written, has no bfloat16: these are its bits
		}
		return t.value(), nil
	case kindSequence:
		return sequenceValue(m, 0), nil
	case kindMap:
		return mapValue(m, 0), nil
	case kindOptional:
		return optionalValue(m, 0), nil
	}
	return v, errors.New("only tensors, sequences, maps and optional values are supported")
}

// value makes a value of the tensor.
func (t *Tensor) value() Value {
	var v Value
	var err error
	if t.Elem == ElemString {
		v.Texts, err = t.Strings()
	} else {
		v.Tensor, err = new(Loader).Buffer(t)
	}
	if err != nil {
		panic(fault{err})
	}
	return v
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
		failAt(m.base, "a map of %d numbers and %d texts has %d values", len(numbers), len(texts), len(values.Sequence))
	}
	keys := Value{Tensor: buf.From(numbers, len(numbers))}
	if texts != nil {
		keys = Value{Texts: &Texts{Shape: []int{count}, Elements: texts}}
	}
	return Value{Map: &Map{keys, joined(values.Sequence, m.base)}}
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
			copy(items.Tensor.Bytes()[i*items.Tensor.DType.Size():], v.Tensor.Bytes())
		default:
			failAt(at, "value %d of a map is not one element like those before", i)
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
