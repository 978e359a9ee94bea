package ops

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// sort, argsort and msort order the lines of a tensor. All sorts are stable; NaN counts
// as larger than any number, as in PyTorch.
func init() {
	for _, o := range []struct {
		schema          string
		dim, descending int // arguments
		only            bool
	}{
		{"sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
			1, 2, false},
		{"sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> " +
			"(Tensor values, Tensor indices)", 2, 3, false},
		{"argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", 1, 2, true},
		{"argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
			2, 3, true},
	} {
		op := &Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				if _, err := c.dim(o.dim); err != nil {
					return err
				}
				if !o.only {
					inferSame(c)
				}
				return c.Result(dtype.I64, c.Shape(0))
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				out := sortLines(h, o.dim, h.Bool(o.descending))
				if o.only {
					return out[1:], nil
				}
				return out, nil
			},
		}
		sample := Sample{S(3, 5)}
		if o.dim == 2 {
			sample = append(sample, true)
		}
		op.Samples = samplesOf(append(sample, 0, true))
		if !o.only {
			op.Grad = func(g *Gradient) { g.gradOfIndices(g.Int(o.dim), true) }
		}
		register(op)
	}
	register(&Op{
		Schema: "msort(Tensor self) -> Tensor",
		Infer:  inferSame,
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.Call("sort", c.Tensor(0), 0)}
		},
		Samples: samplesOf(Sample{S(3, 2)}),
	})
}

// inferPicked is for operators that pick one element, with its index, of every
// line along dimension d.
func (c *Call) inferPicked(d int, keep bool) error {
	dims := shape.Reduce(c.Shape(0), []int{d}, keep)
	c.Result(c.DTypeOf(0), dims)
	return c.Result(dtype.I64, dims)
}

// gradOfIndices sends the gradient of result 0 to the places that result 1 names
// along dim.
func (g *Gradient) gradOfIndices(dim int, keep bool) {
	grad, index := g.Grad(0), g.Results[1]
	if !keep && len(g.Shape(0)) > 0 {
		grad, index = g.Call("unsqueeze", grad, dim), g.Call("unsqueeze", index, dim)
	}
	g.Set(0, g.Call("scatter_add", g.Zeros(g.Type(0)), dim, index, grad))
}

// sortLines sorts every line along the dimension that argument dim names, and
// returns the values and where they were.
func sortLines(h *HostCall, dim int, descending bool) []*buf.Buffer {
	self := h.Buffer(0)
	d, _ := h.dim(dim)
	index := buf.New(dtype.I64, self.Shape)
	offsets := make([]int, self.Len())
	if self.DType.IsFloat() {
		orderLines(numbers[float64](self), linesOf(self.Shape, d), descending, offsets,
			buf.Slice[int64](index))
	} else {
		orderLines(numbers[int64](self), linesOf(self.Shape, d), descending, offsets,
			buf.Slice[int64](index))
	}
	return []*buf.Buffer{pickElements(self, self.Shape, offsets), index}
}

func orderLines[E number](x []E, l lines, descending bool, offsets []int, index []int64) {
	order := make([]int, l.n)
	l.each(func(start int) {
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			a, b := x[start+i*l.inner], x[start+j*l.inner]
			if descending {
				a, b = b, a
			}
			return compareNumbers(a, b)
		})
		for i, from := range order {
			offsets[start+i*l.inner] = start + from*l.inner
			index[start+i*l.inner] = int64(from)
		}
	})
}

// compareNumbers orders NaN after all numbers.
func compareNumbers[E number](a, b E) int {
	if a != a || b != b {
		switch {
		case a == a:
			return -1
		case b == b:
			return 1
		}
		return 0
	}
	return cmp.Compare(a, b)
}

// pickLines sorts every line and picks one element of it: rank gets the sorted
// values, where a line starts, its stride and its length.
func pickLines(h *HostCall, dim int,
	rank func(sorted *buf.Buffer, start, stride, n int) int) ([]*buf.Buffer, error) {
	d, _ := h.dim(dim)
	sorted := sortLines(h, dim, false)
	l := linesOf(h.Shape(0), d)
	var offsets []int
	l.each(func(start int) {
		offsets = append(offsets, start+rank(sorted[0], start, l.inner, l.n)*l.inner)
	})
	return []*buf.Buffer{
		pickElements(sorted[0], h.Out[0].Shape, offsets),
		pickElements(sorted[1], h.Out[0].Shape, offsets),
	}, nil
}
