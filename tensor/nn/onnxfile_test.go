package nn_test

import (
	"encoding/binary"
	"math"
)

// graph writes an ONNX model for a test: a graph of nodes, weights, inputs and outputs.
type graph struct{ body []byte }

func field(number int, body []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3|2)), uint64(len(body))), body...)
}

func whole(number int, v int64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3)), uint64(v))
}

// node appends a node. Attributes are of whole numbers, by name, of lists of them, texts and graphs.
func (g *graph) node(op string, inputs, outputs []string, attributes map[string]any) {
	var body []byte
	for _, name := range inputs {
		body = append(body, field(1, []byte(name))...)
	}
	for _, name := range outputs {
		body = append(body, field(2, []byte(name))...)
	}
	body = append(body, field(4, []byte(op))...)
	for name, v := range attributes {
		a := field(1, []byte(name))
		switch v := v.(type) {
		case int:
			a = append(a, append(whole(3, int64(v)), whole(20, 2)...)...)
		case []int:
			for _, i := range v {
				a = append(a, whole(8, int64(i))...)
			}
			a = append(a, whole(20, 7)...)
		case string:
			a = append(a, append(field(4, []byte(v)), whole(20, 3)...)...)
		case *graph:
			a = append(a, append(field(6, append(v.body, field(2, []byte(name))...)), whole(20, 5)...)...)
		}
		body = append(body, field(5, a)...)
	}
	g.body = append(g.body, field(1, body)...)
}

func dimensions(number int, dims []int) (out []byte) {
	for _, d := range dims {
		out = append(out, whole(number, int64(d))...)
	}
	return out
}

// weight appends an initializer of f32 with the elements that f gives.
func (g *graph) weight(name string, f func(i int) float64, dims ...int) {
	n := 1
	for _, d := range dims {
		n *= d
	}
	var raw []byte
	for i := range n {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(f(i))))
	}
	body := append(dimensions(1, dims), whole(2, 1)...)
	g.body = append(g.body, field(5, append(append(body, field(8, []byte(name))...), field(9, raw)...))...)
}

// numbers appends an initializer of i64 with one dimension.
func (g *graph) numbers(name string, list ...int64) {
	var raw []byte
	for _, v := range list {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	body := append(dimensions(1, []int{len(list)}), whole(2, 7)...)
	g.body = append(g.body, field(5, append(append(body, field(8, []byte(name))...), field(9, raw)...))...)
}

// The element types of ONNX.
const (
	elemF32 = 1
	elemI64 = 7
)

func (g *graph) value(number int, name string, elem int64, dims []int) {
	var shape []byte
	for _, d := range dims {
		shape = append(shape, field(1, whole(1, int64(d)))...)
	}
	of := field(1, append(whole(1, elem), field(2, shape)...))
	g.body = append(g.body, field(number, append(field(1, []byte(name)), field(2, of)...))...)
}

func (g *graph) input(name string, elem int64, dims ...int)  { g.value(11, name, elem, dims) }
func (g *graph) output(name string, elem int64, dims ...int) { g.value(12, name, elem, dims) }

// bytes returns the model, of version 17 of ai.onnx.
func (g *graph) bytes() []byte {
	out := append(whole(1, 8), field(8, append(field(1, nil), whole(2, 17)...))...)
	return append(out, field(7, append(g.body, field(2, []byte("g"))...))...)
}
