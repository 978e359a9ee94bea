package ops

import (
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// cummax and cummin: the extreme of the elements up to each along a dimension, and its
// last position. NaN is an extreme.
func init() {
	for name, better := range map[string]func(x, best float64) bool{
		"cummax": func(x, best float64) bool { return x >= best || x != x },
		"cummin": func(x, best float64) bool { return x <= best || x != x },
	} {
		sign := int64(1)
		if name == "cummin" {
			sign = -1
		}
		register(&Op{
			Schema: name + "(Tensor self, int dim) -> (Tensor values, Tensor indices)",
			Infer: func(c *Call) error {
				if _, err := c.dim(1); err != nil {
					return err
				}
				inferSame(c)
				return c.Result(dtype.I64, c.Shape(0))
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				d, _ := h.dim(1)
				l := linesOf(h.Shape(0), d)
				if h.DTypeOf(0).IsFloat() {
					return bestSoFar(h.Buffer(0), l, numbers[float64](h.Buffer(0)), better), nil
				}
				return bestSoFar(h.Buffer(0), l, numbers[int64](h.Buffer(0)),
					func(x, best int64) bool { return sign*x >= sign*best }), nil
			},
			Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), true) },
			Samples: samplesOf(Sample{S(3, 4), 1}),
		})
	}
}

// bestSoFar returns the values and positions of the running extremes.
func bestSoFar[E number](b *buf.Buffer, l lines, x []E, better func(x, best E) bool) []*buf.Buffer {
	index := buf.New(dtype.I64, b.Shape)
	where := buf.Slice[int64](index)
	offsets := make([]int, len(x))
	l.each(func(start int) {
		best := 0
		for i := range l.n {
			if v := x[start+best*l.inner]; v == v && better(x[start+i*l.inner], v) {
				best = i
			} else if v != v && x[start+i*l.inner] != x[start+i*l.inner] {
				best = i // the last NaN
			}
			where[start+i*l.inner], offsets[start+i*l.inner] = int64(best), start+best*l.inner
		}
	})
	return []*buf.Buffer{pickElements(b, b.Shape, offsets), index}
}
