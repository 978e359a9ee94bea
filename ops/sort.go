package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
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
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				d, _ := c.dim(o.dim)
				t := l.lined(l.In(c, 0))
				values, positions := l.Sort(t, d, c.Bool(o.descending), 0, t.Shape()[d])
				if o.only {
					return l.reshaped(c, positions)
				}
				return l.reshaped(c, values, positions)
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
