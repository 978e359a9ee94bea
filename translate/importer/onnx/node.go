package onnx

import (
	"strconv"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// node is a node while it is executed: its inputs and attributes, and the methods of [ops.Emit] to
// write its computation with.
type node struct {
	*proto.Node
	ops.Emit
	ev         *evaluator
	version    int64 // of the node's domain
	attributes map[string]*proto.Attribute
	in         []*value // nil where an optional input is absent
	out        []*value
}

// has reports whether input i is there.
func (n *node) has(i int) bool { return i < len(n.in) && n.in[i] != nil }

// wants reports whether output i has a name.
func (n *node) wants(i int) bool { return i < len(n.Outputs) && n.Outputs[i] != "" }

// input returns input i, nil if it is absent.
func (n *node) input(i int) *value {
	if !n.has(i) {
		return nil
	}
	return n.in[i]
}

// value returns input i.
func (n *node) value(i int) *value {
	if !n.has(i) {
		failf("input %d is missing", i)
	}
	if err := n.in[i].fault; err != nil {
		failf("input %q: %w", n.Inputs[i], err)
	}
	return n.in[i]
}

// tensor returns input i as a tensor.
func (n *node) tensor(i int) ops.Value {
	v := n.value(i)
	if !v.isTensor() {
		failf("input %q is no tensor", n.Inputs[i])
	}
	if v.texts != nil {
		failf("input %q has texts, not numbers", n.Inputs[i])
	}
	return n.ev.tensor(v)
}

// all returns the inputs of an operator of any number.
func (n *node) all() []ops.Value {
	if len(n.in) == 0 {
		failf("has no input")
	}
	list := make([]ops.Value, len(n.in))
	for i := range list {
		list[i] = n.tensor(i)
	}
	return list
}

// optional returns input i, or nil for an argument that is absent.
func (n *node) optional(i int) any {
	if !n.has(i) {
		return nil
	}
	return n.tensor(i)
}

// known returns the elements of input i, which must be known.
func (n *node) known(i int) *buf.Buffer { return n.ev.elements(n.value(i), n.Inputs[i]) }

// integers returns the whole numbers in input i.
func (n *node) integers(i int) []int {
	b := n.known(i)
	if b.DType.IsFloat() || b.DType.IsComplex() {
		failf("input %q has elements of %v, not whole numbers", n.Inputs[i], b.DType)
	}
	return integers(b)
}

// integer returns the only number in input i.
func (n *node) integer(i int) int {
	list := n.integers(i)
	if len(list) != 1 {
		failf("input %q has %d elements, not one", n.Inputs[i], len(list))
	}
	return list[0]
}

// number returns the only number in input i.
func (n *node) number(i int) float64 {
	b := n.known(i)
	if b.Len() != 1 {
		failf("input %q has %d elements, not one", n.Inputs[i], b.Len())
	}
	return b.Float64(0)
}

// integersOr returns the whole numbers of input i, or else of an attribute: many operators had an
// attribute first and an input later.
func (n *node) integersOr(i int, name string) (list []int, ok bool) {
	if n.has(i) {
		return n.integers(i), true
	}
	return n.ints(name)
}

// attribute returns an attribute of a type, nil if it is absent.
func (n *node) attribute(name string, kind proto.AttributeType) *proto.Attribute {
	a := n.attributes[name]
	if a != nil && a.Type != proto.Untyped && a.Type != kind {
		failf("attribute %s is %v, want %v", name, a.Type, kind)
	}
	return a
}

// ints returns an attribute of whole numbers.
func (n *node) ints(name string) (list []int, ok bool) {
	a := n.attribute(name, proto.Ints)
	if a == nil {
		return nil, false
	}
	list = make([]int, len(a.Ints))
	for i, v := range a.Ints {
		list[i] = int(v)
	}
	return list, true
}

// int returns an attribute, or or if it is absent.
func (n *node) int(name string, or int) int {
	if a := n.attribute(name, proto.Int); a != nil {
		return int(a.Int)
	}
	return or
}

func (n *node) bool(name string, or bool) bool {
	if a := n.attribute(name, proto.Int); a != nil {
		return a.Int != 0
	}
	return or
}

func (n *node) float(name string, or float64) float64 {
	if a := n.attribute(name, proto.Float); a != nil {
		return shortest(a.Float)
	}
	return or
}

// rawFloat returns an attribute as the file has it, or 0.
func (n *node) rawFloat(name string) float32 {
	if a := n.attribute(name, proto.Float); a != nil {
		return a.Float
	}
	return 0
}

// exactFloats returns an attribute's numbers as the file has them, not the decimals that they are next to: they are
// compared with elements.
func (n *node) exactFloats(name string) []float64 {
	a := n.attribute(name, proto.Floats)
	if a == nil {
		return nil
	}
	list := make([]float64, len(a.Floats))
	for i, v := range a.Floats {
		list[i] = float64(v)
	}
	return list
}

// floats are the decimals next to an attribute's numbers; see [shortest].
func (n *node) floats(name string) []float64 {
	list := n.exactFloats(name)
	for i, v := range list {
		list[i] = shortest(float32(v))
	}
	return list
}

func (n *node) text(name, or string) string {
	if a := n.attribute(name, proto.Text); a != nil {
		return a.Text
	}
	return or
}

// strings returns an attribute of texts.
func (n *node) strings(name string) []string {
	if a := n.attribute(name, proto.Strings); a != nil {
		return a.Strings
	}
	return nil
}

// attributeTensor returns a tensor among the attributes, nil if it is absent.
func (n *node) attributeTensor(name string) *value {
	a := n.attribute(name, proto.TensorType)
	if a == nil {
		return nil
	}
	v := n.ev.model.weights[a.Tensor]
	if v == nil || a.Tensor == nil {
		failf("attribute %s is no tensor", name)
	}
	if v.fault != nil {
		failf("attribute %s: %w", name, v.fault)
	}
	return v
}

// attributeFloats returns numbers that stand in a tensor among the attributes, or in a list of floats.
func (n *node) attributeFloats(tensor, list string) []float64 {
	if v := n.attributeTensor(tensor); v != nil {
		if v.known == nil {
			failf("attribute %s has no numbers", tensor)
		}
		return floats(v.known)
	}
	return n.exactFloats(list)
}

// subgraph returns a graph among the attributes.
func (n *node) subgraph(name string) *proto.Graph {
	a := n.attributes[name]
	if a == nil || a.Graph == nil {
		failf("attribute %s is missing", name)
	}
	return a.Graph
}

// shortest returns the float64 with the shortest decimal that stands for f: 0.1 rather than
// 0.10000000149011612, so that a computation in another type takes the number that is meant.
func shortest(f float32) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	return v
}

// set gives the outputs their values in order; nil leaves one out.
func (n *node) set(values ...ops.Value) {
	for i, v := range values {
		if v != nil && i < len(n.out) {
			n.out[i] = &value{tensor: v}
		}
	}
}

// setKnown gives output i known elements.
func (n *node) setKnown(i int, b *buf.Buffer) {
	if i < len(n.out) {
		n.out[i] = knownValue(b)
	}
}

// constant returns a known tensor as a value.
func (n *node) constant(b *buf.Buffer) ops.Value { return n.ev.builder.Constant("", b) }

// axis makes a number of a dimension one of 0 to rank-1. A tensor without dimensions has none, unlike in PyTorch.
func axis(a, rank int) int {
	d, err := shape.Dim(a, rank)
	if err != nil || rank == 0 {
		failf("axis %d of a tensor of %d dimensions", a, rank)
	}
	return d
}

// axes does so for many and refuses one that is given twice.
func axes(list []int, rank int) []int {
	out, err := shape.Dims(list, rank)
	if err != nil {
		failf("axes %v of a tensor of %d dimensions", list, rank)
	}
	return out
}

func rank(v ops.Value) int { return len(v.Type().Shape) }

func extents(v ops.Value) []int { return v.Type().Shape }

func elem(v ops.Value) dtype.DType { return v.Type().DType }

// view gives x another shape; -1 stands for what is left.
func (n *node) view(x ops.Value, dims ...int) ops.Value {
	full, err := shape.Infer(extents(x), dims)
	if err != nil {
		failf("%w", err)
	}
	return n.Reshape(x, full)
}

// size is the product of extents.
func size(dims []int) int { return shape.Size(dims) }
