package ops

import (
	"strings"

	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// segment_reduce folds consecutive segments of a dimension, whose lengths, or
// borders, are data.
func init() {
	const segments = "Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, " +
		"bool unsafe=False, Scalar? initial=None"
	register(&Op{
		Schema: "segment_reduce(Tensor data, str reduce, *, " + segments + ") -> Tensor",
		Infer: func(c *Call) error {
			if !segmentKinds[c.Args[1].Text()] {
				return c.ArgErrorf("unknown reduction %q", c.Args[1].Text())
			}
			dims, err := c.segmented(0, 2, 4, c.Int(5))
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), dims)
		},
		Host: segmentHost,
		Grad: func(g *Gradient) {
			a := g.Args
			g.Set(0, g.Call("_segment_reduce_backward", g.Grad(0), g.Again(), g.Tensor(0), a[1], a[2],
				a[4], a[5], a[7]))
		},
		Samples: samplesOf(
			Sample{S(6, 2), "sum", given(dtype.I64, []int{3}, 2, 3, 1)},
			Sample{S(6, 2), "mean", nil, nil, given(dtype.I64, []int{3}, 0, 4, 6)},
			Sample{S(2, 5), "max", given(dtype.I64, []int{2, 2}, 2, 3, 4, 1), nil, nil, 1},
			Sample{SIn(0.5, 2, 5), "prod", given(dtype.I64, []int{2}, 2, 3), nil, nil, 0, false, 1.5}),
	})
	register(&Op{
		Schema: "_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, " +
			"Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor",
		Infer: func(c *Call) error {
			dims, err := c.segmented(2, 4, 5, c.Int(6))
			if err != nil {
				return err
			}
			for i := range 2 {
				if err := c.mustBe(i, dims); err != nil {
					return err
				}
			}
			if !segmentKinds[c.Args[3].Text()] {
				return c.ArgErrorf("there is no reduction %q", c.Args[3].Text())
			}
			return c.Result(c.DTypeOf(2), c.Shape(2))
		},
		Host: segmentBackwardHost,
		Samples: samplesOf(
			Sample{S(3, 2), S(3, 2), S(6, 2), "sum", given(dtype.I64, []int{3}, 2, 3, 1)},
			Sample{S(2, 2), S(2, 2), S(6, 2), "mean", nil, given(dtype.I64, []int{3}, 0, 4, 6)},
			Sample{S(2), given(dtype.F32, []int{2}, 2, 5), given(dtype.F32, []int{4}, 2, 1, 5, 4), "max",
				given(dtype.I64, []int{2}, 2, 2)},
			Sample{S(2), given(dtype.F32, []int{2}, 6, 20), given(dtype.F32, []int{4}, 2, 3, 5, 4), "prod",
				given(dtype.I64, []int{2}, 2, 2)}),
	})
}

var segmentKinds = map[string]bool{
	"sum": true, "mean": true, "max": true, "min": true, "prod": true, "amax": true, "amin": true,
}

// segmented checks the segments of tensor argument data and returns the shape of
// what is folded.
func (c *Call) segmented(data, lengths, offsets, axis int) ([]int, error) {
	dims := c.Shape(data)
	d, err := shape.Dim(axis, len(dims))
	if err != nil {
		return nil, err
	}
	if !c.DTypeOf(data).IsFloat() {
		return nil, c.DTypeErrorf("needs a floating type, got %v", c.DTypeOf(data))
	}
	at, extra := lengths, 0
	if c.Tensor(lengths) == nil {
		at, extra = offsets, 1
	}
	if c.Tensor(at) == nil {
		return nil, c.ArgErrorf("needs lengths or offsets")
	}
	if err := c.wantIndex(at); err != nil {
		return nil, err
	}
	s := c.Shape(at)
	if len(dims) == 0 || len(s) != d+1 || !shape.Equal(s[:d], dims[:d]) || s[d] < extra {
		return nil, c.ShapeErrorf("segments %s do not match dimension %d of data %s", shape.String(s), d,
			shape.String(dims))
	}
	return withDim(dims, d, s[d]-extra), nil
}

// segmentList has the segments of a dimension of a tensor, by their lengths or, if these are nil, by their offsets.
type segmentList struct {
	data             []int // the shape of the tensor
	axis             int
	lengths, offsets *buf.Buffer
	whole            bool // lengths must name all elements
}

// each visits every segment: its first element, its length, and its place in the result. Elements of a segment are
// stride apart.
func (s segmentList) each(c *Call, visit func(first, n, stride, out int)) error {
	d, _ := shape.Dim(s.axis, len(s.data))
	l := linesOf(s.data, d)
	table, extra := s.lengths, 0
	if table == nil {
		table, extra = s.offsets, 1
	}
	values := numbers[int64](table)
	per := table.Shape[d]
	for o := range l.outer {
		start := 0
		for k := range per - extra {
			n := int(values[o*per+k])
			if extra == 1 {
				start, n = n, int(values[o*per+k+1])-n
			}
			if n < 0 || start < 0 || n > l.n || start > l.n-n {
				return c.ArgErrorf("segment %d with %d elements from %d on does not fit dimension %d of %s",
					k, n, start, d, shape.String(s.data))
			}
			for i := range l.inner {
				visit((o*l.n+start)*l.inner+i, n, l.inner, (o*(per-extra)+k)*l.inner+i)
			}
			start += n
		}
		if s.whole && extra == 0 && start != l.n {
			return c.ArgErrorf("the lengths sum up to %d, not to the %d of dimension %d of %s", start, l.n, d,
				shape.String(s.data))
		}
	}
	return nil
}

// segmentStart is the value that a fold starts with.
func segmentStart(c *Call, reduce string, initial int) float64 {
	if c.Has(initial) {
		return c.Float(initial)
	}
	return map[string]float64{"max": math.Inf(-1), "min": math.Inf(1), "prod": 1}[reduce]
}

func segmentHost(h *HostCall) ([]*buf.Buffer, error) {
	reduce := strings.TrimPrefix(h.Args[1].Text(), "a") // amax is max
	x := numbers[float64](h.Buffer(0))
	out := make([]float64, shape.Size(h.Out[0].Shape))
	initial := segmentStart(h.Call, reduce, 7)
	err := segmentList{h.Shape(0), h.Int(5), h.Buffer(2), h.Buffer(4), !h.Bool(6)}.each(h.Call,
		func(first, n, stride, at int) {
			acc := initial
			for k := range n {
				switch v := x[first+k*stride]; reduce {
				case "max":
					acc = math.Max(acc, v)
				case "min":
					acc = math.Min(acc, v)
				case "prod":
					acc *= v
				default:
					acc += v
				}
			}
			switch {
			case reduce == "mean" && n > 0:
				acc /= float64(n)
			case reduce == "mean" && !h.Has(7):
				acc = math.NaN()
			}
			out[at] = acc
		})
	if err != nil {
		return nil, err
	}
	return []*buf.Buffer{fromNumbers(h.Out[0].DType, h.Out[0].Shape, out)}, nil
}

// segmentBackwardHost shares the gradient of an extreme between equal elements, as
// PyTorch does.
func segmentBackwardHost(h *HostCall) ([]*buf.Buffer, error) {
	reduce := strings.TrimPrefix(h.Args[3].Text(), "a")
	grad, y := numbers[float64](h.Buffer(0)), numbers[float64](h.Buffer(1))
	x := numbers[float64](h.Buffer(2))
	out := make([]float64, len(x))
	initial := segmentStart(h.Call, reduce, 7)
	err := segmentList{h.Shape(2), h.Int(6), h.Buffer(4), h.Buffer(5), false}.each(h.Call,
		func(first, n, stride, at int) {
			equal := 0.0
			for k := range n {
				if v := x[first+k*stride]; v == y[at] || v != v {
					equal++
				}
			}
			for k := range n {
				i := first + k*stride
				switch reduce {
				case "sum":
					out[i] = grad[at]
				case "mean":
					out[i] = grad[at] / float64(n)
				case "prod":
					out[i] = grad[at] * others(x, first, n, stride, k, initial)
				default:
					if v := x[i]; v == y[at] || v != v {
						out[i] = grad[at] / equal
					}
				}
			}
		})
	if err != nil {
		return nil, err
	}
	return []*buf.Buffer{fromNumbers(h.Out[0].DType, h.Out[0].Shape, out)}, nil
}

// others is the product of a segment without element k.
func others(x []float64, first, n, stride, k int, initial float64) float64 {
	for j := range n {
		if j != k {
			initial *= x[first+j*stride]
		}
	}
	return initial
}
