package onnx

import (
	"encoding/binary"
	"math"
	"slices"
)

// The functions below write protocol buffers, for models of the tests.

// The wire types of protocol buffers.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

func tag(number, wire int) []byte { return binary.AppendUvarint(nil, uint64(number<<3|wire)) }

func putInt(number int, v int64) []byte {
	return binary.AppendUvarint(tag(number, wireVarint), uint64(v))
}

func putBytes(number int, parts ...[]byte) []byte {
	var body []byte
	for _, p := range parts {
		body = append(body, p...)
	}
	return append(binary.AppendUvarint(tag(number, wireBytes), uint64(len(body))), body...)
}

func putText(number int, s string) []byte { return putBytes(number, []byte(s)) }

func putFloat(number int, v float32) []byte {
	return binary.LittleEndian.AppendUint32(tag(number, wireFixed32), math.Float32bits(v))
}

// putModel writes a model of a version of ai.onnx.
func putModel(version int64, parts ...[]byte) []byte {
	var out []byte
	for _, p := range append([][]byte{putInt(1, 8), putBytes(8, putText(1, ""), putInt(2, version))}, parts...) {
		out = append(out, p...)
	}
	return out
}

func putGraph(parts ...[]byte) []byte { return putBytes(7, parts...) }

// putNode writes a node of a graph; inputs and outputs are separate lists.
func putNode(name, op string, inputs, outputs []string, attributes ...[]byte) []byte {
	return putBytes(1, nodeBody(name, op, inputs, outputs, attributes...))
}

func nodeBody(name, op string, inputs, outputs []string, attributes ...[]byte) []byte {
	var body []byte
	for _, in := range inputs {
		body = append(body, putText(1, in)...)
	}
	for _, out := range outputs {
		body = append(body, putText(2, out)...)
	}
	body = append(body, putText(3, name)...)
	body = append(body, putText(4, op)...)
	for _, a := range attributes {
		body = append(body, putBytes(5, a)...)
	}
	return body
}

// instead returns attributes with others in place of those of the same names.
func instead(attributes [][]byte, others ...[]byte) [][]byte {
	name := func(attribute []byte) string { return string(attribute[2 : 2+attribute[1]]) } // begins with its name, of less than 128 bytes
	var out [][]byte
	for _, a := range attributes {
		if !slices.ContainsFunc(others, func(b []byte) bool { return name(b) == name(a) }) {
			out = append(out, a)
		}
	}
	return append(out, others...)
}

func intAttribute(name string, v int64) []byte {
	return slices.Concat(putText(1, name), putInt(3, v), putInt(20, 2))
}

func intsAttribute(name string, list ...int64) []byte {
	out := putText(1, name)
	for _, v := range list {
		out = append(out, putInt(8, v)...)
	}
	return append(out, putInt(20, 7)...)
}

func graphAttribute(name string, parts ...[]byte) []byte {
	return append(putText(1, name), putBytes(6, parts...)...)
}

// putValue writes the type of an input (11) or output (12); -1 is an open extent named N.
func putValue(field int, name string, elem int64, dims ...int64) []byte {
	var shape []byte
	for _, d := range dims {
		if d < 0 {
			shape = append(shape, putBytes(1, putText(2, "N"))...)
		} else {
			shape = append(shape, putBytes(1, putInt(1, d))...)
		}
	}
	return putBytes(field, putText(1, name), putBytes(2, putBytes(1, putInt(1, elem), putBytes(2, shape))))
}

// putWeights writes an initializer of f32.
func putWeights(name string, dims []int64, values ...float32) []byte {
	var body []byte
	for _, d := range dims {
		body = append(body, putInt(1, d)...)
	}
	body = append(body, putInt(2, 1)...)
	for _, v := range values {
		body = append(body, putFloat(4, v)...)
	}
	return putBytes(5, body, putText(8, name))
}

// putIntegers writes an initializer of one dimension of i64.
func putIntegers(name string, values ...int64) []byte {
	body := append(putInt(1, int64(len(values))), putInt(2, 7)...)
	for _, v := range values {
		body = append(body, putInt(7, v)...)
	}
	return putBytes(5, body, putText(8, name))
}
