package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// repeat and tile copy a tensor side by side.
func init() {
	register(&Op{
		Schema: "repeat(Tensor self, SymInt[] repeats) -> Tensor",
		Infer: func(c *Call) error {
			dims, times := c.Shape(0), c.Ints(1)
			if len(times) < len(dims) {
				return c.ShapeErrorf("%d repeats for self %s", len(times), shape.String(dims))
			}
			return c.inferRepeat(times)
		},
		Expand: func(e Emit, c *Call) []Value {
			dims, times := c.Shape(0), c.Ints(1)
			var from, to []int
			for i, r := range times {
				n := 1
				if k := i - len(times) + len(dims); k >= 0 {
					n = dims[k]
				}
				from, to = append(from, 1, n), append(to, r, n)
			}
			x := e.Expand(e.Reshape(c.Tensor(0), from), to)
			return []Value{e.Reshape(x, c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{S(2, 3), []int{2, 1, 3}}),
	})
	register(&Op{
		Schema: "tile(Tensor self, SymInt[] dims) -> Tensor",
		Infer:  func(c *Call) error { return c.inferRepeat(c.tiles()) },
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.Call("repeat", c.Tensor(0), c.tiles())}
		},
		Samples: samplesOf(Sample{S(2, 3), []int{2}}),
	})
}

// repeat_interleave copies elements.
func init() {
	register(&Op{
		Schema: "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, " +
			"SymInt? output_size=None) -> Tensor",
		Infer: func(c *Call) error {
			dims, d, err := c.interleaved()
			if err != nil {
				return err
			}
			if c.Int(1) < 0 || c.Int(1) > shape.MaxElements {
				return c.ArgErrorf("repeats must not be negative or too large, got %d", c.Int(1))
			}
			if n := dims[d] * c.Int(1); c.Has(3) && c.Int(3) != n {
				return c.ArgErrorf("output_size is %d, but the repeats sum up to %d", c.Int(3), n)
			}
			return c.Result(c.DTypeOf(0), withDim(dims, d, dims[d]*c.Int(1)))
		},
		Expand: func(e Emit, c *Call) []Value {
			dims, d, _ := c.interleaved()
			x := e.Call("unsqueeze", e.Reshape(c.Tensor(0), dims), d+1)
			wide := append([]int(nil), x.Type().Shape...)
			wide[d+1] = c.Int(1)
			return []Value{e.Reshape(e.Expand(x, wide), c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{S(2, 3), 2, 1}, Sample{S(2, 2), 3}),
	})
	register(&Op{
		Schema: "repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
		Infer: func(c *Call) error {
			if c.Has(1) {
				return c.Result(c.DTypeOf(0), []int{c.Int(1)})
			}
			return ErrDataDependent
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			rows, err := h.interleave(h.Buffer(0))
			if err == nil && h.Has(1) && h.Int(1) != len(rows) {
				err = h.ArgErrorf("output_size is %d, but the repeats sum up to %d", h.Int(1), len(rows))
			}
			return []*buf.Buffer{buf.From(rows, len(rows)).Cast(h.DTypeOf(0))}, err
		},
		Samples: samplesOf(Sample{indices(4, 3)}),
	})
	register(&Op{
		Schema: "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, " +
			"SymInt? output_size=None) -> Tensor",
		Infer: func(c *Call) error {
			if _, _, err := c.interleaved(); err != nil {
				return err
			}
			return ErrDataDependent
		},
		Host:      interleaveHost,
		Complex:   true,
		Determine: interleaveKnown,
		Grad: func(g *Gradient) {
			dims, d, _ := g.call.interleaved()
			repeats := g.Tensor(1)
			if shape.Size(repeats.Type().Shape) == 1 {
				repeats = g.Expand(g.Reshape(repeats, []int{1}), dims[d:d+1])
			}
			rows := g.Call("repeat_interleave.Tensor", repeats, g.Out[0].Shape[d])
			sum := g.Call("index_add", g.Zeros(TensorType{g.DTypeOf(0), dims}), d, rows, g.Grad(0))
			g.Set(0, g.Reshape(sum, g.Shape(0)))
		},
		Samples: samplesOf(Sample{S(3, 2), indices(4, 3), 0}),
	})
}

func (c *Call) inferRepeat(times []int) error {
	dims := c.Shape(0)
	out := append([]int(nil), times...)
	for i, r := range times {
		if r < 0 || r > shape.MaxElements {
			return c.ArgErrorf("repeats %s are not allowed", shape.String(times))
		}
		if k := i - len(times) + len(dims); k >= 0 {
			out[i] *= dims[k]
		}
	}
	if err := shape.Check(out); err != nil {
		return err
	}
	return c.Result(c.DTypeOf(0), out)
}

// tiles fills the repeats of tile up with leading ones.
func (c *Call) tiles() []int {
	times := c.Ints(1)
	for len(times) < len(c.Shape(0)) {
		times = append([]int{1}, times...)
	}
	return times
}

// interleaved returns the shape and the dimension that repeat_interleave works on:
// without dim, the flattened tensor.
func (c *Call) interleaved() (dims []int, d int, err error) {
	dims = c.Shape(0)
	if !c.Has(2) || len(dims) == 0 {
		return []int{shape.Size(dims)}, 0, nil
	}
	d, err = c.dim(2)
	return dims, d, err
}

// interleave lists every number i repeats[i] times.
func (c *Call) interleave(repeats *buf.Buffer) ([]int64, error) {
	total := 0
	counts := numbers[int64](repeats)
	for _, n := range counts {
		if n < 0 || n > shape.MaxElements {
			return nil, c.ArgErrorf("repeats must not be negative or too large, got %d", n)
		}
		total += int(n)
		if err := c.checkBytes("the list of positions", total, 8); err != nil {
			return nil, err
		}
	}
	rows := make([]int64, 0, total)
	for i, n := range counts {
		for range n {
			rows = append(rows, int64(i))
		}
	}
	return rows, nil
}

// repeated lists the places along dimension d that the result has.
func (c *Call) repeated(dims []int, d int, repeats *buf.Buffer) ([]int64, error) {
	if repeats.Len() == 1 && dims[d] != 1 {
		n := repeats.Int64(0)
		repeats = buf.New(dtype.I64, []int{dims[d]})
		for i := range dims[d] {
			repeats.SetInt64(i, n)
		}
	}
	if repeats.Len() != dims[d] {
		return nil, c.ShapeErrorf("repeats %s do not match dimension %d of %s",
			shape.String(repeats.Shape), d, shape.String(dims))
	}
	rows, err := c.interleave(repeats)
	if err != nil {
		return nil, err
	}
	if c.Has(3) && c.Int(3) != len(rows) {
		return nil, c.ArgErrorf("output_size is %d, but the repeats sum up to %d", c.Int(3), len(rows))
	}
	return rows, c.wrap(shape.Check(withDim(dims, d, len(rows))))
}

// interleaveKnown selects the places that are repeated.
func interleaveKnown(e Emit, c *Call, r Reader) ([]Value, error) {
	dims, d, _ := c.interleaved()
	repeats, err := r.Read(c.Tensor(1), "the repeats")
	if err != nil {
		return nil, err
	}
	rows, err := c.repeated(dims, d, repeats)
	if err != nil {
		return nil, err
	}
	x := e.Reshape(c.Tensor(0), dims)
	return []Value{e.Call("index_select", x, d, r.Constant("", buf.From(rows, len(rows))))}, nil
}

func interleaveHost(h *HostCall) ([]*buf.Buffer, error) {
	dims, d, _ := h.interleaved()
	rows, err := h.repeated(dims, d, h.Buffer(1))
	if err != nil {
		return nil, err
	}
	l := linesOf(dims, d)
	out := withDim(dims, d, len(rows))
	if err := h.checkBytes("the result", shape.Size(out), 8+h.DTypeOf(0).Size()); err != nil {
		return nil, err
	}
	offsets := make([]int, 0, l.outer*len(rows)*l.inner)
	for o := range l.outer {
		for _, r := range rows {
			for i := range l.inner {
				offsets = append(offsets, (o*l.n+int(r))*l.inner+i)
			}
		}
	}
	return []*buf.Buffer{pickElements(h.Buffer(0), out, offsets)}, nil
}
