package onnx

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestValuesOfFiles: tensors, sequences of sequences and of optional values are read as they stand in files of their
// own.
func TestValuesOfFiles(t *testing.T) {
	tensor := func(v float32) []byte { return append(append(putInt(1, 1), putInt(2, 1)...), putFloat(4, v)...) }
	kind := func(number int) []byte {
		return putBytes(11, putText(1, fmt.Sprint("s", number)), putBytes(2, putBytes(number, putBytes(1, putBytes(1, putInt(1, 1))))))
	}
	m, err := Read(putModel(16, putGraph(kind(4), kind(9), kind(8), putValue(11, "x", 1, 1), kind(5), putValue(12, "x", 1))), "m")
	require.NoError(t, err)
	one := func(v float32) Value { return Value{Tensor: buf.From([]float32{v}, 1)} }
	list := func(items ...Value) Value { return Value{IsSequence: true, Sequence: items} }
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, c := range []struct {
		input int
		data  []byte
		want  Value
	}{
		{0, nil, list()},
		{0, join(putText(1, "name"), putInt(2, 1), putBytes(3, tensor(1)), putBytes(3, tensor(2))), list(one(1), one(2))},
		{0, join(putBytes(5, putBytes(3, tensor(1))), putBytes(5)), list(list(one(1)), list())},
		{0, join(putBytes(7, putBytes(3, tensor(1))), putBytes(7), putBytes(7, putBytes(5, putBytes(3, tensor(2))))), list(one(1), Value{}, list(one(2)))},
		{1, nil, Value{}},
		{1, putBytes(3, tensor(3)), one(3)},
		{1, putBytes(5, putBytes(3, tensor(3))), list(one(3))},
		{3, tensor(3), one(3)},
		{4, join(putInt(2, 7), putInt(3, 9), putInt(3, 4), putBytes(5, putBytes(3, tensor(1)), putBytes(3, tensor(2)))),
			Value{Map: &Map{Keys: Value{Tensor: buf.From([]int64{9, 4}, 2)}, Items: Value{Tensor: buf.From([]float32{1, 2}, 2)}}}},
		{4, join(putText(4, "a"), putBytes(5, putBytes(3, tensor(5)))), Value{Map: &Map{Keys: textsOf("a"), Items: one(5)}}},
		{1, putBytes(6, putInt(3, 9), putBytes(5, putBytes(3, tensor(1)))), Value{Map: &Map{Keys: Value{Tensor: buf.From([]int64{9}, 1)}, Items: one(1)}}},
	} {
		got, err := m.ReadInput(c.input, c.data, "f")
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	deep := tensor(1)
	for range 300 {
		deep = putBytes(5, deep)
	}
	for _, c := range []struct {
		input int
		data  []byte
		want  string
	}{
		{0, putBytes(4), "f: byte 0: sequences of sparse tensors are not supported"},
		{0, putBytes(6, putInt(3, 1)), "f: byte 2: a map of 1 numbers and 0 texts has 0 values"},
		{4, join(putInt(3, 1), putText(4, "a"), putBytes(5, putBytes(3, tensor(1)), putBytes(3, tensor(1)))), "a map of 1 numbers and 1 texts has 2 values"},
		{4, join(putInt(3, 1), putInt(3, 2), putBytes(5, putBytes(3, tensor(1)), putBytes(3, putInt(1, 1), putInt(2, 7), putInt(7, 2)))), "value 1 of a map is not one element like those before"},
		{4, join(putInt(3, 1), putBytes(5, putBytes(5))), "value 0 of a map is not one element"},
		{0, deep, "sequences are nested more than"},
		{1, putBytes(4), "f: byte 0: an optional value of this kind is not supported"},
		{1, putBytes(7), "f: byte 0: an optional value of this kind is not supported"},
		{2, nil, "f: only tensors, sequences, maps and optional values are supported"},
		{3, putInt(1, 2), "f: byte 0: tensor"},
		{5, nil, "m: the model has 5 inputs"},
		{-1, nil, "m: the model has 5 inputs"},
	} {
		_, err := m.ReadInput(c.input, c.data, "f")
		require.ErrorContains(t, err, c.want)
	}
	_, err = m.ReadOutput(1, nil, "f")
	require.ErrorContains(t, err, "m: the model has 1 outputs")
	_, err = (&Bound{results: []Value{list(one(1), one(2))}}).Results(make([]*buf.Buffer, 3))
	require.ErrorContains(t, err, "onnx: 3 tensors for results of 2")
}

// TestOptional: sequences and optional values are inputs and results.
func TestOptional(t *testing.T) {
	sequence := func(field int, name string) []byte {
		return putBytes(field, putText(1, name), putBytes(2, putBytes(4, putBytes(1, putBytes(1, putInt(1, 1))))))
	}
	m, err := Read(putModel(18, putGraph(
		putNode("", "OptionalHasElement", []string{"o"}, []string{"h"}),
		putNode("", "SequenceMap", []string{"s"}, []string{"t"}, graphAttribute("body",
			putNode("", "Neg", []string{"i"}, []string{"j"}), putValue(11, "i", 1), putValue(12, "j", 1))),
		putBytes(11, putText(1, "o"), putBytes(2, putBytes(9, putBytes(1, putBytes(1, putInt(1, 1)))))),
		sequence(11, "s"), putValue(12, "h", 9), sequence(12, "t"))), "m")
	require.NoError(t, err)
	list := Value{IsSequence: true, Sequence: []Value{{Tensor: random(1, 2)}, {Tensor: random(2, 3)}}}
	for _, absent := range []bool{false, true} {
		o := Value{}
		if !absent {
			o.Tensor = random(3, 1)
		}
		bound, err := m.Bind([]Value{o, list}, onHost)
		require.NoError(t, err)
		out, err := onHost(bound.Module, bound.Inputs)
		require.NoError(t, err)
		results, err := bound.Results(out)
		require.NoError(t, err)
		assert.Equal(t, !absent, results[0].Tensor.Int64(0) != 0)
		require.Len(t, results[1].Sequence, 2)
		same(t, results[1].Sequence[1].Tensor, []int{3}, func(i int) float64 {
			return -list.Sequence[1].Tensor.Float64(i)
		})
	}
}
