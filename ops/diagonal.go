package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// The diagonals: diagonal reads one, diagonal_scatter replaces one, diag_embed
// makes a matrix of one, diag does either, trace sums one.
func init() {
	for _, schema := range []string{
		"diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
		"linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)",
	} {
		register(&Op{
			Schema: schema,
			Infer: func(c *Call) error {
				d, err := c.diagonalOf(c.Shape(0), 1)
				if err != nil {
					return err
				}
				return c.Result(c.DTypeOf(0), d.shape(c.Shape(0)))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				d, _ := c.diagonalOf(c.Shape(0), 1)
				self := l.In(c, 0)
				return one(l.FromIndex(c.Out[0], func(s *Scalars, at []Elem) Elem {
					return s.At(self, d.places(s, at)...)
				}))
			},
			Grad: gradOfView,
			View: func(e Emit, c *Call, base, view Value, _ int) Value {
				return e.Call("diagonal_scatter", base, view, c.Args[1], c.Args[2], c.Args[3])
			},
			Strides: func(c *Call, strides []int, _ int) []int {
				d, _ := c.diagonalOf(c.Shape(0), 1)
				return append(shape.Reduce(strides, []int{d.dim1, d.dim2}, false), strides[d.dim1]+strides[d.dim2])
			},
			Offset: func(c *Call, strides []int, _ int) int {
				d, _ := c.diagonalOf(c.Shape(0), 1)
				return d.low*strides[d.dim1] + d.high*strides[d.dim2]
			},
			Samples: samplesOf(Sample{S(3, 4), 1}, Sample{S(2, 3, 4), -1, 0, 2}),
		})
	}
	register(&Op{
		Schema: "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, " +
			"int dim2=1) -> Tensor",
		Infer: func(c *Call) error {
			d, err := c.diagonalOf(c.Shape(0), 2)
			if err != nil {
				return err
			}
			return c.inferScatter(d.shape(c.Shape(0)))
		},
		Lower: lowerDiagonalScatter,
		Grad: func(g *Gradient) {
			at := g.Args[2:5]
			g.gradOfScatter(
				func(v Value) Value { return g.Call("diagonal", v, at[0], at[1], at[2]) },
				func(v, src Value) Value { return g.Call("diagonal_scatter", v, src, at[0], at[1], at[2]) })
		},
		Samples: samplesOf(Sample{S(3, 4), S(3), 1}),
	})
}

// diag_embed, diag and diagflat make a matrix of a diagonal.
func init() {
	register(&Op{
		Schema: "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
		Infer:  inferDiagEmbed,
		Expand: func(e Emit, c *Call) []Value {
			return e.Calls("diagonal_scatter", e.Zeros(c.Out[0]), c.Tensor(0), c.Int(1), c.Int(2), c.Int(3))
		},
		Grad: func(g *Gradient) {
			g.Set(0, g.Call("diagonal", g.Grad(0), g.Int(1), g.Int(2), g.Int(3)))
		},
		Samples: samplesOf(Sample{S(2, 3), 1}),
	})
	register(&Op{
		Schema: "diag(Tensor self, int diagonal=0) -> Tensor",
		Infer:  inferDiag,
		Expand: func(e Emit, c *Call) []Value {
			if len(c.Shape(0)) == 1 {
				return []Value{e.Call("diag_embed", c.Tensor(0), c.Int(1))}
			}
			return []Value{e.Call("diagonal", c.Tensor(0), c.Int(1))}
		},
		Samples: samplesOf(Sample{S(3), -1}, Sample{S(3, 4), 1}),
	})
	register(&Op{
		Schema: "diagflat(Tensor self, int offset=0) -> Tensor",
		Infer: func(c *Call) error {
			n := shape.Size(c.Shape(0)) + max(c.Int(1), -c.Int(1))
			return c.Result(c.DTypeOf(0), []int{n, n})
		},
		Expand: func(e Emit, c *Call) []Value {
			flat := e.Reshape(c.Tensor(0), []int{shape.Size(c.Shape(0))})
			return []Value{e.Call("diag_embed", flat, c.Int(1))}
		},
		Samples: samplesOf(Sample{S(2, 2), 1}),
	})
	register(&Op{
		Schema: "trace(Tensor self) -> Tensor",
		Infer: func(c *Call) error {
			if len(c.Shape(0)) != 2 {
				return c.ShapeErrorf("needs a matrix, got %s", shape.String(c.Shape(0)))
			}
			return c.Result(sumType(c.DTypeOf(0)), nil)
		},
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.Sum(e.Call("diagonal", c.Tensor(0)), []int{0}, false)}
		},
		Samples: samplesOf(Sample{S(3, 4)}),
	})
}

// diagonal is the elements with index i + low along dim1 and i + high along dim2.
type diagonal struct {
	dim1, dim2, low, high, n int
}

// diagonalOf reads (offset, dim1, dim2) from argument first on, for a shape.
func (c *Call) diagonalOf(dims []int, first int) (diagonal, error) {
	var d diagonal
	var err error
	if d.dim1, err = shape.Dim(c.Int(first+1), len(dims)); err != nil {
		return d, err
	}
	if d.dim2, err = shape.Dim(c.Int(first+2), len(dims)); err != nil {
		return d, err
	}
	if d.dim1 == d.dim2 {
		return d, c.ShapeErrorf("dim1 and dim2 name the same dimension %d of %s", d.dim1,
			shape.String(dims))
	}
	offset := c.Int(first)
	d.low, d.high = max(-offset, 0), max(offset, 0)
	d.n = max(0, min(dims[d.dim1]-d.low, dims[d.dim2]-d.high))
	return d, nil
}

func (d *diagonal) shape(dims []int) []int {
	return append(shape.Reduce(dims, []int{d.dim1, d.dim2}, false), d.n)
}

// places maps an index of the diagonal to one of the tensor.
func (d *diagonal) places(s *Scalars, at []Elem) []Elem {
	out := make([]Elem, 0, len(at)+1)
	i, next := at[len(at)-1], 0
	for k := 0; k < len(at)+1; k++ {
		switch k {
		case d.dim1:
			out = append(out, s.Add(i, s.ConstInt(dtype.I64, int64(d.low))))
		case d.dim2:
			out = append(out, s.Add(i, s.ConstInt(dtype.I64, int64(d.high))))
		default:
			out = append(out, at[next])
			next++
		}
	}
	return out
}

// lowerDiagonalScatter writes to a slice in steps: in a matrix of n columns, row by row, the elements of a diagonal are
// n + 1 apart.
func lowerDiagonalScatter(l *Lowering, c *Call) []*mlir.Value {
	dims := c.Shape(0)
	d, _ := c.diagonalOf(dims, 2)
	self := l.In(c, 0)
	if shape.Size(c.Shape(1)) == 0 {
		return one(self)
	}
	perm, back := make([]int, 0, len(dims)), make([]int, len(dims))
	for k := range dims {
		if k != d.dim1 && k != d.dim2 {
			perm = append(perm, k)
		}
	}
	perm = append(perm, d.dim1, d.dim2)
	for i, k := range perm {
		back[k] = i
	}
	matrices := l.Permute(self, perm)
	rows, columns := dims[d.dim1], dims[d.dim2]
	flat := l.Reshape(matrices, append(shape.Reduce(dims, []int{d.dim1, d.dim2}, false), rows*columns))
	r := whole(flat.Shape())
	last := len(r.offsets) - 1
	r.offsets[last], r.strides[last] = d.low*columns+d.high, columns+1
	flat = l.InsertSlice(l.Cast(l.In(c, 1), self.D), flat, r.offsets, r.strides)
	return one(l.Permute(l.Reshape(flat, matrices.Shape()), back))
}

func inferDiagEmbed(c *Call) error {
	dims := c.Shape(0)
	if len(dims) == 0 {
		return c.ShapeErrorf("needs at least one dimension")
	}
	rank := len(dims) + 1
	a, err := shape.Dim(c.Int(2), rank)
	if err != nil {
		return err
	}
	b, err := shape.Dim(c.Int(3), rank)
	if err != nil {
		return err
	}
	if a == b {
		return c.ShapeErrorf("dim1 and dim2 name the same dimension %d", a)
	}
	n := dims[len(dims)-1] + max(c.Int(1), -c.Int(1))
	var out []int
	next := 0
	for k := range rank {
		if k == a || k == b {
			out = append(out, n)
			continue
		}
		out = append(out, dims[next])
		next++
	}
	return c.Result(c.DTypeOf(0), out)
}

func inferDiag(c *Call) error {
	dims, k := c.Shape(0), c.Int(1)
	switch len(dims) {
	case 1:
		n := dims[0] + max(k, -k)
		return c.Result(c.DTypeOf(0), []int{n, n})
	case 2:
		if k > dims[1] || k < -dims[0] {
			return c.ArgErrorf("%s has no diagonal %d", shape.String(dims), k)
		}
		n := max(0, min(dims[0]-max(-k, 0), dims[1]-max(k, 0)))
		return c.Result(c.DTypeOf(0), []int{n})
	}
	return c.ShapeErrorf("needs a vector or a matrix, got %s", shape.String(dims))
}
