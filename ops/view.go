package ops

import (
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// The operators that give a tensor another shape of the same size. All results
// are contiguous here, so each of them is the same collapse and expansion; they
// differ in how they say the shape, and in whether the result is an alias.
func init() {
	size := func(c *Call) ([]int, error) { return shape.Infer(c.Shape(0), c.Ints(1)) }
	for _, o := range []struct {
		schema string
		to     func(c *Call) ([]int, error)
		sample Sample
	}{
		{"view(Tensor(a) self, SymInt[] size) -> Tensor(a)", size, Sample{S(2, 6), []int{3, -1}}},
		{"reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", size, Sample{S(4, 3), []int{12}}},
		{"_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", size,
			Sample{S(2, 3), []int{6}, []int{1}}},
		{"_unsafe_view(Tensor self, SymInt[] size) -> Tensor", size, Sample{S(2, 3), []int{3, 2}}},
		{"view_as(Tensor(a) self, Tensor other) -> Tensor(a)", shapeOfOther, Sample{S(2, 3), S(6)}},
		{"reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", shapeOfOther, Sample{S(6), S(3, 2)}},
		{"flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
			flattened, Sample{S(2, 3, 4), 1}},
		{"ravel(Tensor(a) self) -> Tensor(a)", func(c *Call) ([]int, error) {
			return []int{shape.Size(c.Shape(0))}, nil
		}, Sample{S(2, 3)}},
		{"unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", unflattened,
			Sample{S(2, 6), 1, []int{2, -1}}},
	} {
		op := reshapeOp(o.schema, o.to, o.sample)
		switch name, _, _ := strings.Cut(o.schema, "("); name {
		case "_unsafe_view":
			op.View = nil
		case "reshape", "reshape_as", "flatten.using_ints", "ravel":
			op.Copies = copiesUnevenly
		}
		register(op)
	}
}

// reshapeOp returns an operator that only changes the shape, to what to says.
func reshapeOp(schema string, to func(c *Call) ([]int, error), sample Sample) *Op {
	return &Op{
		Schema: schema,
		Infer: func(c *Call) error {
			dims, err := to(c)
			if err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), dims)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.Reshape(l.In(c, 0), c.Out[0].Shape))
		},
		Grad: func(g *Gradient) { g.Set(0, g.Reshape(g.Grad(0), g.Shape(0))) },
		View: func(e Emit, _ *Call, base, view Value, _ int) Value {
			return e.Reshape(view, base.Type().Shape)
		},
		Strides: stridesOfReshape,
		Samples: samplesOf(sample),
	}
}

func shapeOfOther(c *Call) ([]int, error) { return shape.Infer(c.Shape(0), c.Shape(1)) }

func flattened(c *Call) ([]int, error) {
	dims := c.Shape(0)
	if len(dims) == 0 {
		return []int{1}, nil
	}
	from, err := c.dim(1)
	if err != nil {
		return nil, err
	}
	to, err := c.dim(2)
	if err != nil {
		return nil, err
	}
	if from > to {
		return nil, c.ShapeErrorf("start_dim %d comes after end_dim %d in %s", from, to,
			shape.String(dims))
	}
	out := append([]int(nil), dims[:from]...)
	out = append(out, shape.Size(dims[from:to+1]))
	return append(out, dims[to+1:]...), nil
}

func unflattened(c *Call) ([]int, error) {
	dims := c.Shape(0)
	d, err := c.dim(1)
	if err != nil {
		return nil, err
	}
	if len(dims) == 0 {
		return nil, c.ShapeErrorf("a tensor without dimensions has none to unflatten")
	}
	inner, err := shape.Infer(dims[d:d+1], c.Ints(2))
	if err != nil {
		return nil, err
	}
	out := append([]int(nil), dims[:d]...)
	out = append(out, inner...)
	return append(out, dims[d+1:]...), nil
}

// dim returns int argument i as a dimension number of argument 0, normalized.
func (c *Call) dim(i int) (int, error) { return shape.Dim(c.Int(i), len(c.Shape(0))) }

// mustDim normalizes a dimension number of tensor argument i, which has dimensions, for
// an expansion that checks its arguments.
func (c *Call) mustDim(i, d int) int {
	rank := len(c.Shape(i))
	n, err := shape.Dim(d, rank)
	if err != nil || rank == 0 {
		panic(c.ShapeErrorf("dimension %d of a tensor with %d dimensions", d, rank))
	}
	return n
}
