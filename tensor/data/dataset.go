package data

import (
	"context"
	"fmt"
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Example has the fields of one example, such as a picture and its label. A field has the same element type in all
// examples of a dataset, and, where they are to be made batches of, the same shape.
type Example []*buf.Buffer

// Dataset is a list of examples. Any number of goroutines may call Example at once; what
// it returns is not changed by anybody.
type Dataset interface {
	Len() int
	Example(i int) (Example, error)
}

// Arrays are datasets in memory: example i is row i of each array. A nil Arrays is empty.
type Arrays []*buf.Buffer

// NewArrays makes a dataset of tensors, which are computed if need be. It panics with a
// [*tensor.ShapeError] unless all have the same first extent.
func NewArrays(fields ...*tensor.Tensor) Arrays {
	list := make(Arrays, len(fields))
	for i, f := range fields {
		b, err := f.Buffer(context.Background())
		if err != nil {
			trace.Raise(&tensor.ArgError{Op: "arrays", Detail: err.Error()})
		}
		list[i] = b.Clone()
	}
	if err := list.check(); err != nil {
		trace.Raise(&tensor.ShapeError{Op: "arrays", Detail: err.Error()})
	}
	return list
}

// FromBuffers makes a dataset of arrays, which it takes over. A field that is nil, without dimensions or with another
// number of examples than the first one is an error.
func FromBuffers(fields ...*buf.Buffer) (Arrays, error) {
	list := Arrays(fields)
	return list, list.check()
}

func (a Arrays) check() error {
	for i, f := range a {
		if f == nil {
			return fmt.Errorf("data: field %d is nil", i)
		}
		if len(f.Shape) == 0 || f.Shape[0] != a[0].Shape[0] {
			return fmt.Errorf("data: field %d has the shape %s, and field 0 %s: the first extents are the examples",
				i, shape.String(f.Shape), shape.String(a[0].Shape))
		}
	}
	return nil
}

// Len returns the number of examples.
func (a Arrays) Len() int {
	if len(a) == 0 || a.check() != nil {
		return 0
	}
	return a[0].Shape[0]
}

// Example implements [Dataset]; it copies the rows.
func (a Arrays) Example(i int) (Example, error) {
	if i < 0 || i >= a.Len() {
		return nil, rangeError(i, a.Len())
	}
	e := make(Example, len(a))
	for k, f := range a {
		e[k] = buf.New(f.DType, f.Shape[1:])
		copy(e[k].Bytes(), f.Bytes()[i*len(e[k].Bytes()):])
	}
	return e, nil
}

func rangeError(i, n int) error { return fmt.Errorf("data: there is no example %d of %d", i, n) }

// Map returns a dataset that applies a function to an example of another dataset each time the example is read. Any
// number of goroutines may call f at once. A [Loader]'s Transform may be random.
func Map(d Dataset, f func(e Example) (Example, error)) Dataset {
	trace.Need("map", "the dataset", d)
	trace.Need("map", "the function", f)
	return mapped{d, f}
}

type mapped struct {
	Dataset
	f func(e Example) (Example, error)
}

func (m mapped) Example(i int) (Example, error) {
	e, err := m.Dataset.Example(i)
	if err != nil {
		return nil, err
	}
	return m.f(e)
}

// Unit makes float32 numbers from 0 to 1 of the bytes of an example, such as pixels; other
// fields stay. It is for [Map]. A field that is nil is an error.
func Unit(e Example) (Example, error) {
	out := append(Example(nil), e...)
	for i, f := range e {
		if f == nil {
			return nil, fmt.Errorf("data: field %d is nil", i)
		}
		if f.DType != dtype.U8 {
			continue
		}
		b := buf.New(dtype.F32, f.Shape)
		to := buf.Slice[float32](b)
		for k, v := range f.Bytes() {
			to[k] = float32(v) / math.MaxUint8
		}
		out[i] = b
	}
	return out, nil
}

// Normalize returns a function for [Map] that subtracts a mean from each channel of the
// first field, float32 [C …], and divides by a standard deviation.
func Normalize(mean, deviation []float64) func(e Example) (Example, error) {
	return func(e Example) (Example, error) {
		if len(e) == 0 || e[0] == nil || e[0].DType != dtype.F32 || len(e[0].Shape) == 0 || e[0].Shape[0] != len(mean) ||
			len(mean) != len(deviation) {
			return nil, fmt.Errorf("data: normalize: %d means and %d deviations are not the channels of the first field",
				len(mean), len(deviation))
		}
		out := append(Example(nil), e...)
		out[0] = e[0].Clone()
		normalize(buf.Slice[float32](out[0]), mean, deviation)
		return out, nil
	}
}

// normalize subtracts a mean from each channel and divides by a deviation.
func normalize(values []float32, mean, deviation []float64) {
	plane := len(values) / len(mean)
	for i, v := range values {
		c := i / plane
		values[i] = float32((float64(v) - mean[c]) / deviation[c])
	}
}

// Subset returns a dataset of some examples of another, in the order of their indices. An
// index that is out of range is an error when it is read.
func Subset(d Dataset, indices []int) Dataset {
	trace.Need("subset", "the dataset", d)
	return subset{d, indices}
}

type subset struct {
	Dataset
	indices []int
}

func (s subset) Len() int { return len(s.indices) }

func (s subset) Example(i int) (Example, error) {
	if i < 0 || i >= len(s.indices) {
		return nil, rangeError(i, len(s.indices))
	}
	return s.Dataset.Example(s.indices[i])
}

// Split divides a dataset at random into two, such as training and evaluation. The first has the given share of the
// examples, rounded to a whole number. The same seed gives the same parts. It panics with a [*tensor.ArgError] if the
// share is not between 0 and 1.
func Split(d Dataset, share float64, seed uint64) (first, second Dataset) {
	trace.Need("split", "the dataset", d)
	if !(share >= 0 && share <= 1) {
		trace.Raise(&tensor.ArgError{Op: "split", Detail: fmt.Sprintf("the share %v is not between 0 and 1", share)})
	}
	order := permutation(d.Len(), seed, 0)
	n := int(math.Round(share * float64(d.Len())))
	return Subset(d, order[:n]), Subset(d, order[n:])
}

// Concat returns the examples of several datasets, one after the other.
func Concat(parts ...Dataset) Dataset {
	for _, d := range parts {
		trace.Need("concat", "a dataset", d)
	}
	return concat(parts)
}

type concat []Dataset

func (c concat) Len() int {
	n := 0
	for _, d := range c {
		n += d.Len()
	}
	return n
}

func (c concat) Example(i int) (Example, error) {
	at := i
	for _, d := range c {
		if at >= 0 && at < d.Len() {
			return d.Example(at)
		}
		at -= d.Len()
	}
	return nil, rangeError(i, c.Len())
}
