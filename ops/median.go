package ops

import (
	"math"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// median picks the lower of the middle elements, NaN if there is any; nanmedian
// ignores NaN; mode picks the most frequent element, the smallest of several.
func init() {
	for _, name := range []string{"median", "nanmedian"} {
		middle := medianRank
		if name == "nanmedian" {
			middle = nanMedianRank
		}
		register(&Op{
			Schema: name + ".dim(Tensor self, int dim, bool keepdim=False) -> " +
				"(Tensor values, Tensor indices)",
			Infer:   func(c *Call) error { return inferLinePick(c, 1, 2) },
			Host:    func(h *HostCall) ([]*buf.Buffer, error) { return pickLines(h, 1, middle) },
			Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), g.Bool(2)) },
			Samples: samplesOf(Sample{S(3, 4), 1}),
		})
		register(&Op{
			Schema: name + "(Tensor self) -> Tensor",
			Infer:  func(c *Call) error { return c.Result(c.DTypeOf(0), nil) },
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				self := h.Buffer(0)
				out := buf.New(self.DType, nil)
				if self.Len() == 0 {
					if self.DType.IsFloat() {
						out.SetFloat64(0, math.NaN())
					}
					return []*buf.Buffer{out}, nil
				}
				line := TensorArg(BufferValue{self.Reshape([]int{self.Len()})})
				flat := &HostCall{&Call{Op: h.Op, Args: []Arg{line, IntArg(0)}}}
				sorted := sortLines(flat, 1, false)[0]
				at := middle(sorted, 0, 1, self.Len())
				return []*buf.Buffer{pickElements(sorted, nil, []int{at})}, nil
			},
			Grad:    gradShared,
			Samples: samplesOf(Sample{S(3, 4)}),
		})
	}
	register(&Op{
		Schema:  "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
		Infer:   func(c *Call) error { return inferLinePick(c, 1, 2) },
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return pickLines(h, 1, modeRank) },
		Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), g.Bool(2)) },
		Samples: samplesOf(Sample{indices(3, 2, 6)}),
	})
}

// inferLinePick is for (dim, keepdim) operators that need something to pick.
func inferLinePick(c *Call, dim, keep int) error {
	d, err := c.dim(dim)
	if err != nil {
		return err
	}
	if linesOf(c.Shape(0), d).n == 0 && shape.Size(shape.Reduce(c.Shape(0), []int{d}, false)) > 0 {
		return c.ShapeErrorf("dimension %d of %s has no elements", d, shape.String(c.Shape(0)))
	}
	return c.inferPicked(d, c.Bool(keep))
}

// numbersIn counts the elements of a sorted line that are not NaN: those come first.
func numbersIn(b *buf.Buffer, start, stride, n int) int {
	for n > 0 && b.DType.IsFloat() && math.IsNaN(b.Float64(start+(n-1)*stride)) {
		n--
	}
	return n
}

// medianRank is the place of the first NaN, or of the lower middle element.
func medianRank(b *buf.Buffer, start, stride, n int) int {
	if k := numbersIn(b, start, stride, n); k < n {
		return k
	}
	return (n - 1) / 2
}

// nanMedianRank is the place of the lower middle element that is not NaN.
func nanMedianRank(b *buf.Buffer, start, stride, n int) int {
	return max(0, (numbersIn(b, start, stride, n)-1)/2)
}

// modeRank finds the end of the longest run: PyTorch names the last of equal elements.
func modeRank(b *buf.Buffer, start, stride, n int) int {
	best, at, run := 0, 0, 0
	same := func(i, j int) bool {
		x, y := b.Float64(start+i*stride), b.Float64(start+j*stride)
		if b.DType == dtype.I64 {
			return b.Int64(start+i*stride) == b.Int64(start+j*stride)
		}
		return x == y
	}
	for i := range n {
		if i > 0 && !same(i, i-1) {
			run = 0
		}
		if run++; run > best {
			best, at = run, i
		}
	}
	return at
}

// gradShared shares the gradient of a single picked value equally between the
// elements that are equal to it.
func gradShared(g *Gradient) {
	x, v := g.Tensor(0), g.Out0()
	isNaN := func(v Value) Value { return g.Call("ne.Tensor", v, v) }
	mask := g.Call("logical_or", g.Call("eq.Tensor", x, v),
		g.Call("logical_and", isNaN(x), isNaN(v)))
	d := g.DTypeOf(0)
	share := g.Div(g.Grad(0), g.To(g.Sum(mask, nil, false), d))
	g.Set(0, g.Mul(g.To(mask, d), share))
}
