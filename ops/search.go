package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// searchsorted and bucketize find where values belong in sorted sequences.
func init() {
	const kw = "*, bool out_int32=False, bool right=False"
	for _, value := range []string{"Tensor", "Scalar"} {
		register(&Op{
			Schema: "searchsorted." + value + "(Tensor sorted_sequence, " + value + " self, " + kw +
				", str? side=None, Tensor? sorter=None) -> Tensor",
			Infer: inferSearch,
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				sequence := l.In(c, 0)
				if c.Has(5) {
					sequence = l.pickLine(sequence, l.In(c, 5))
				}
				return l.search(c, l.valueOf(c, 1), sequence, c.Bool(3) || c.Args[4].Text() == "right")
			},
			Samples: samplesOf(Sample{T{DType: dtype.I64, Shape: []int{4}, High: 1}, searchSample(value)}),
		})
		register(&Op{
			Schema: "bucketize." + value + "(" + value + " self, Tensor boundaries, " + kw + ") -> Tensor",
			Infer: func(c *Call) error {
				if len(c.Shape(1)) != 1 {
					return c.ShapeErrorf("boundaries must have one dimension, got %s", shape.String(c.Shape(1)))
				}
				c.ResultType(0, 1) // it refuses what has no common type
				var dims []int
				if c.Tensor(0) != nil {
					dims = c.Shape(0)
				}
				return c.Result(indexType(c.Bool(2)), dims)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return l.search(c, l.valueOf(c, 0), l.In(c, 1), c.Bool(3))
			},
			Samples: samplesOf(Sample{searchSample(value), T{DType: dtype.I64, Shape: []int{4}, High: 1}}),
		})
	}
}

func searchSample(value string) any {
	if value == "Tensor" {
		return S(2, 3)
	}
	return 0.5
}

func indexType(narrow bool) dtype.DType {
	if narrow {
		return dtype.I32
	}
	return dtype.I64
}

func inferSearch(c *Call) error {
	c.ResultType(0, 1) // it refuses what has no common type
	seq := c.Shape(0)
	var dims []int
	if c.Tensor(1) != nil {
		dims = c.Shape(1)
	}
	side := c.Args[4].Text()
	if side != "" && side != "left" && side != "right" || side == "left" && c.Bool(3) {
		return c.ArgErrorf("side %q does not go with right=%v", side, c.Bool(3))
	}
	if len(seq) == 0 {
		return c.ShapeErrorf("sorted_sequence has no dimensions")
	}
	if len(seq) > 1 && (len(dims) != len(seq) || !shape.Equal(seq[:len(seq)-1], dims[:len(dims)-1])) {
		return c.ShapeErrorf("sorted_sequence %s and values %s differ in a dimension before the last",
			shape.String(seq), shape.String(dims))
	}
	if c.Tensor(5) != nil && !shape.Equal(c.Shape(5), seq) {
		return c.ShapeErrorf("sorter %s must have the shape %s of sorted_sequence",
			shape.String(c.Shape(5)), shape.String(seq))
	}
	return c.Result(indexType(c.Bool(2)), dims)
}

// valueOf returns an argument that is a tensor or a number.
func (l *Lowering) valueOf(c *Call, i int) Lowered {
	if c.Tensor(i) != nil {
		return l.In(c, i)
	}
	n := c.Scalar(i)
	return l.FillScalar(TensorType{n.DType(), nil}, n)
}

// pickLine gives the lines of t in the order of index, whose lines hold positions.
func (l *Lowering) pickLine(t, index Lowered) Lowered {
	return l.FromIndex(t.Type(), func(s *Scalars, at []Elem) Elem {
		last := len(at) - 1
		return s.At(t, append(at[:last:last], s.Cast(s.At(index, at...), dtype.I64))...)
	})
}

// search finds values in the lines of a sequence, in a type that holds the numbers of both.
func (l *Lowering) search(c *Call, values, sequence Lowered, right bool) []*mlir.Value {
	d := dtype.I64
	switch {
	case values.D == sequence.D:
		d = widened(values.D)
	case values.D.IsFloat() || sequence.D.IsFloat():
		d = dtype.F64
	case values.D == dtype.U64 || sequence.D == dtype.U64:
		d = dtype.U64
	}
	dims := values.Shape()
	values, sequence = l.Cast(l.lined(values), d), l.Cast(sequence, d)
	found := Lowered{acap.Search(l.builder(), values.V, sequence.V, right, !d.IsSigned()), dtype.I64}
	return one(l.Cast(l.Reshape(found, dims), c.Out[0].DType))
}
