package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// The operators that cut a dimension into consecutive parts.
func init() {
	for _, o := range []struct {
		schema string
		cut    func(c *Call) (d int, sizes []int, err error)
		sample Sample
	}{
		{"split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
			splitEqual, Sample{S(5, 2), 2}},
		{"split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
			splitSizes, Sample{S(2, 5), []int{1, 4}, 1}},
		{"split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
			splitSizes, Sample{S(2, 5), []int{1, 4}, 1}},
		{"chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]",
			splitChunks, Sample{S(5, 2), 2}},
		{"tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
			splitSections, Sample{S(5, 2), 3}},
		{"tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
			splitIndices, Sample{S(5, 2), []int{1, 3}}},
		{"unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", splitOnes, Sample{S(3, 2)}},
	} {
		drop := o.schema[:3] == "unb"
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				d, sizes, err := o.cut(c)
				if err != nil {
					return err
				}
				if err := c.checkResults(len(sizes)); err != nil {
					return err
				}
				for _, n := range sizes {
					dims := append([]int(nil), c.Shape(0)...)
					dims[d] = n
					if drop {
						dims = shape.Reduce(dims, []int{d}, false)
					}
					c.Result(c.DTypeOf(0), dims)
				}
				return nil
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				d, sizes, _ := o.cut(c)
				out := make([]*mlir.Value, len(sizes))
				r := whole(c.Shape(0))
				for i, n := range sizes {
					r.sizes[d] = n
					part := l.Slice(l.In(c, 0), r.offsets, append([]int(nil), r.sizes...), r.strides)
					out[i] = l.Reshape(part, c.Out[i].Shape).V
					r.offsets = append([]int(nil), r.offsets...)
					r.offsets[d] += n
				}
				return out
			},
			Grad: gradOfSplit,
			View: func(e Emit, c *Call, base, view Value, result int) Value {
				d, sizes, _ := o.cut(c)
				at := 0
				for _, n := range sizes[:result] {
					at += n
				}
				if drop {
					return e.Call("select_scatter", base, view, d, at)
				}
				return e.Call("slice_scatter", base, view, d, at, at+sizes[result])
			},
			Strides: func(c *Call, strides []int, _ int) []int {
				if d, _, _ := o.cut(c); drop {
					return shape.Reduce(strides, []int{d}, false)
				}
				return strides
			},
			Offset: func(c *Call, strides []int, result int) int {
				d, sizes, _ := o.cut(c)
				at := 0
				for _, n := range sizes[:result] {
					at += n
				}
				return at * strides[d]
			},
			Samples: samplesOf(o.sample),
		})
	}
}

// gradOfSplit joins the gradients of the parts.
func gradOfSplit(g *Gradient) {
	parts := make([]Value, len(g.Out))
	for i := range parts {
		parts[i] = g.Grad(i)
	}
	d, _ := g.dim(len(g.Args) - 1)
	name := "cat"
	if len(g.Out) > 0 && len(g.Out[0].Shape) < len(g.Shape(0)) {
		name = "stack"
	}
	g.Set(0, g.Call(name, parts, d))
}

// cutDim returns the dimension to cut (the last argument) and its extent.
func (c *Call) cutDim() (d, n int, err error) {
	if len(c.Shape(0)) == 0 {
		return 0, 0, c.ShapeErrorf("cannot cut a tensor without dimensions")
	}
	d, err = c.dim(len(c.Args) - 1)
	if err != nil {
		return 0, 0, err
	}
	return d, c.Shape(0)[d], nil
}

// pieces cuts n into parts of the given size; the last may be smaller.
func (c *Call) pieces(n, size int) ([]int, error) {
	if err := c.checkResults(n / size); err != nil {
		return nil, err
	}
	var out []int
	for ; n > size; n -= size {
		out = append(out, size)
	}
	return append(out, n), nil
}

func splitEqual(c *Call) (int, []int, error) {
	d, n, err := c.cutDim()
	size := c.Int(1)
	switch {
	case err != nil:
		return 0, nil, err
	case size < 0 || size == 0 && n != 0:
		return 0, nil, c.ArgErrorf("split_size must be positive, got %d for dimension %d of %s", size, d,
			shape.String(c.Shape(0)))
	case size == 0:
		return d, []int{0}, nil
	}
	sizes, err := c.pieces(n, size)
	return d, sizes, err
}

func splitSizes(c *Call) (int, []int, error) {
	d, n, err := c.cutDim()
	if err != nil {
		return 0, nil, err
	}
	sum := 0
	for _, s := range c.Ints(1) {
		if s < 0 {
			return 0, nil, c.ArgErrorf("split sizes must not be negative: %s", shape.String(c.Ints(1)))
		}
		if sum += s; sum > shape.MaxElements || sum < 0 {
			break
		}
	}
	if sum != n {
		return 0, nil, c.ShapeErrorf("split sizes %s do not sum up to the extent of dimension %d of %s",
			shape.String(c.Ints(1)), d, shape.String(c.Shape(0)))
	}
	return d, c.Ints(1), nil
}

func splitChunks(c *Call) (int, []int, error) {
	d, n, err := c.cutDim()
	if err != nil {
		return 0, nil, err
	}
	k := c.Int(1)
	if k <= 0 {
		return 0, nil, c.ArgErrorf("chunks must be positive, got %d", k)
	}
	if n == 0 {
		if err := c.checkResults(k); err != nil {
			return 0, nil, err
		}
		return d, make([]int, k), nil
	}
	sizes, err := c.pieces(n, (n-1)/k+1)
	return d, sizes, err
}

func splitSections(c *Call) (int, []int, error) {
	d, n, err := c.cutDim()
	if err != nil {
		return 0, nil, err
	}
	k := c.Int(1)
	if k <= 0 {
		return 0, nil, c.ArgErrorf("sections must be positive, got %d", k)
	}
	if err := c.checkResults(k); err != nil {
		return 0, nil, err
	}
	sizes := make([]int, k)
	for i := range sizes {
		sizes[i] = n / k
		if i < n%k {
			sizes[i]++
		}
	}
	return d, sizes, nil
}

func splitIndices(c *Call) (int, []int, error) {
	d, n, err := c.cutDim()
	if err != nil {
		return 0, nil, err
	}
	var sizes []int
	at := 0
	for _, i := range c.Ints(1) {
		i = clampPosition(i, n)
		sizes = append(sizes, max(i-at, 0))
		at = max(i, at)
	}
	return d, append(sizes, n-at), nil
}

func splitOnes(c *Call) (int, []int, error) {
	d, n, err := c.cutDim()
	if err == nil {
		err = c.checkResults(n)
	}
	if err != nil {
		return 0, nil, err
	}
	return d, ones(n), nil
}
