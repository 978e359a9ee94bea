package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// searchsorted and bucketize find where values belong in sorted sequences.
func init() {
	const kw = "*, bool out_int32=False, bool right=False"
	for _, value := range []string{"Tensor", "Scalar"} {
		register(&Op{
			Schema: "searchsorted." + value + "(Tensor sorted_sequence, " + value + " self, " + kw +
				", str? side=None, Tensor? sorter=None) -> Tensor",
			Infer: inferSearch,
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				right := h.Bool(3) || h.Args[4].Text() == "right"
				return searchHost(h, h.Buffer(0), valueBuffer(h, 1), h.Buffer(5), right)
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
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				return searchHost(h, h.Buffer(1), valueBuffer(h, 0), nil, h.Bool(3))
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

func searchHost(h *HostCall, seq, values, sorter *buf.Buffer, right bool) ([]*buf.Buffer, error) {
	search := searchLines[int64]
	switch {
	case seq.DType.IsFloat() || values.DType.IsFloat():
		search = searchLines[float64]
	case seq.DType == dtype.U64 || values.DType == dtype.U64:
		search = searchLines[uint64]
	}
	found, err := search(seq, values, sorter, right)
	if err != nil {
		return nil, err
	}
	return []*buf.Buffer{fromNumbers(h.Out[0].DType, values.Shape, found)}, nil
}

// searchLines finds, in the numbers that E holds, the place of every value.
func searchLines[E number](s, v, sorter *buf.Buffer, right bool) ([]int64, error) {
	seq, values := view[E](s), view[E](v)
	if sorter != nil {
		var err error
		if seq, err = sorted(seq, s, sorter); err != nil {
			return nil, err
		}
	}
	n := s.Shape[len(s.Shape)-1]
	per := max(len(values), 1) // values that share a sequence
	if len(s.Shape) > 1 {
		per = max(v.Shape[len(v.Shape)-1], 1)
	}
	found := make([]int64, len(values))
	for i, x := range values {
		first := i / per * n
		found[i] = int64(placeOf(seq[first:first+n], x, right))
	}
	return found, nil
}

// placeOf finds the place of a value in a sorted sequence: after those below it, and after
// those that equal it if right is set. NaN belongs at the end. No step depends on the
// comparison by a jump, which would be guessed wrong every other time.
func placeOf[E number](seq []E, x E, right bool) int {
	low, n := 0, uint(len(seq))
	for n > 0 {
		half := int(n+1) / 2
		n -= uint(half)
		y, before := seq[low+half-1], 0
		if right {
			if !(y > x) {
				before = 1
			}
		} else if !(y >= x) {
			before = 1
		}
		low += half & -before
	}
	return low
}

// sorted gives a sequence, line by line, in the order of a sorter.
func sorted[E number](seq []E, s, sorter *buf.Buffer) ([]E, error) {
	out, n := make([]E, len(seq)), s.Shape[len(s.Shape)-1]
	for i := range out {
		at := int(sorter.Int64(i))
		if at < 0 || at >= n {
			return nil, outOfRange(at, len(s.Shape)-1, s.Shape)
		}
		out[i] = seq[i/n*n+at]
	}
	return out, nil
}
