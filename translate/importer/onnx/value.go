package onnx

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// value is what a name of a graph stands for.
type value struct {
	name   string      // of a weight
	elem   int64       // number of a narrow type, if it has one
	known  *buf.Buffer // the elements, if they are known
	texts  *Texts      // the elements, if they are texts
	tensor ops.Value   // of the builder; nil until a known value is needed as one
	list   []*value    // of a sequence
	isList bool
	keys   *value // of a map, whose values are items
	items  *value
	absent bool  // an optional value that there is not
	fault  error // why there is no value
	source *node // whose fold gives the elements once the elements of its inputs are known, nil if there is none
	given  bool  // an input of the model
	quantized
}

// isTensor reports whether the value is a tensor, of numbers or texts.
func (v *value) isTensor() bool { return !v.isList && !v.absent && v.keys == nil }

// small is the number of elements up to which computations on known values are made here.
const small = 1 << 14

// dims returns the extents of a tensor.
func (v *value) dims() []int {
	if v.known != nil {
		return v.known.Shape
	}
	if v.texts != nil {
		return v.texts.Shape
	}
	if v.tensor == nil {
		failf("a sequence, a map or an absent value stands where a tensor is needed")
	}
	return v.tensor.Type().Shape
}

// foldable reports whether the elements are known and few.
func (v *value) foldable() bool {
	return v != nil && v.known != nil && shape.Size(v.known.Shape) <= small
}

// knownValue returns a value with known elements.
func knownValue(b *buf.Buffer) *value { return &value{known: b} }

// integers returns the elements of a known tensor of whole numbers.
func integers(b *buf.Buffer) []int {
	list := make([]int, b.Len())
	for i := range list {
		list[i] = int(b.Int64(i))
	}
	return list
}

// floats returns the elements of a known tensor of real numbers.
func floats(b *buf.Buffer) []float64 {
	list := make([]float64, b.Len())
	for i := range list {
		list[i] = b.Float64(i)
	}
	return list
}

// vector returns a known tensor of one dimension.
func vector(list []int) *buf.Buffer {
	b := buf.New(dtype.I64, []int{len(list)})
	for i, v := range list {
		b.SetInt64(i, int64(v))
	}
	return b
}
