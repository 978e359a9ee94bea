package distributed

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

func init() {
	for _, op := range operators {
		op.Complex = true
		if err := ops.Register(op); err != nil {
			panic("BUG: distributed: " + err.Error())
		}
	}
}

// operators are the operations between ranks. Their second operand is the number of the group, i64 without dimensions.
// Programs with these operators are the same on all ranks, but for [Group.Send] and [Group.Receive].
var operators = []*ops.Op{
	{
		Schema: "all_reduce(Tensor self, Tensor group, str reduce=\"sum\") -> Tensor",
		Infer:  inferReduction(2), Grad: gradAllReduce,
		Host: inPlace(func(g *Group, c *ops.HostCall, b *buf.Buffer) error {
			r, _ := ParseReduction(c.Args[2].Text())
			return g.allReduce(b.DType, b.Bytes(), r)
		}),
	}, {
		Schema: "all_reduce_start(Tensor self, Tensor group, str reduce=\"sum\") -> Tensor",
		Infer: func(c *ops.Call) error {
			if err := inferReduction(2)(c); err != nil {
				return err
			}
			c.Out = nil
			return c.Result(dtype.I64, nil)
		},
		Begins: true,
		Host: func(c *ops.HostCall) ([]*buf.Buffer, error) {
			g, err := groupOfCall(c)
			if err != nil {
				return nil, err
			}
			r, _ := ParseReduction(c.Args[2].Text())
			id := buf.New(dtype.I64, nil)
			id.SetInt64(0, g.start(c.Buffer(0), r))
			return []*buf.Buffer{id}, nil
		},
	}, {
		// The last start is waited for; the others are begun before.
		Schema: "all_reduce_wait(Tensor self, Tensor group, Tensor[] starts) -> Tensor",
		Infer: func(c *ops.Call) error {
			if len(c.Tensors(2)) == 0 {
				return c.ArgErrorf("no start to wait for")
			}
			return inferSame(c)
		},
		Host: func(c *ops.HostCall) ([]*buf.Buffer, error) {
			g, err := groupOfCall(c)
			if err != nil {
				return nil, err
			}
			starts := c.Buffers(2)
			b, err := g.wait(starts[len(starts)-1].Int64(0))
			return []*buf.Buffer{b}, err
		},
	}, {
		Schema: "all_gather(Tensor self, Tensor group, int size) -> Tensor",
		Infer: func(c *ops.Call) error {
			dims, err := parts(c)
			if err != nil {
				return err
			}
			dims[0] *= c.Int(2)
			return c.Result(c.DTypeOf(0), dims)
		},
		Grad: func(g *ops.Gradient) {
			g.Set(0, g.Call("reduce_scatter", g.Grad(0), g.Tensor(1), g.Int(2), "sum"))
		},
		Host: func(c *ops.HostCall) ([]*buf.Buffer, error) {
			g, err := groupOfSize(c)
			if err != nil {
				return nil, err
			}
			b := c.Buffer(0)
			all, err := g.allGather(b.DType, b.Bytes())
			return wrapped(c, all, err)
		},
	}, {
		Schema: "reduce_scatter(Tensor self, Tensor group, int size, str reduce=\"sum\") -> Tensor",
		Infer: func(c *ops.Call) error {
			dims, err := parts(c)
			if err != nil {
				return err
			}
			if dims[0]%c.Int(2) != 0 {
				return c.ShapeErrorf("%v does not divide into %d equal parts", dims, c.Int(2))
			}
			dims[0] /= c.Int(2)
			return reductionOf(c, 3, dims)
		},
		Grad: func(g *ops.Gradient) {
			wantSum(g, 3)
			g.Set(0, g.Call("all_gather", g.Grad(0), g.Tensor(1), g.Int(2)))
		},
		Host: func(c *ops.HostCall) ([]*buf.Buffer, error) {
			g, err := groupOfSize(c)
			if err != nil {
				return nil, err
			}
			b := c.Buffer(0)
			r, _ := ParseReduction(c.Args[3].Text())
			part, err := g.reduceScatter(b.DType, b.Bytes(), r)
			return wrapped(c, part, err)
		},
	}, {
		Schema: "broadcast_from(Tensor self, Tensor group, int root) -> Tensor",
		Infer:  inferSame,
		Grad: func(g *ops.Gradient) {
			g.Set(0, g.Call("reduce_to", g.Grad(0), g.Tensor(1), g.Int(2), "sum"))
		},
		Host: inPlace(func(g *Group, c *ops.HostCall, b *buf.Buffer) error {
			if err := g.member(c.Int(2)); err != nil {
				return err
			}
			return g.broadcast(b.DType, b.Bytes(), c.Int(2))
		}),
	}, {
		Schema: "reduce_to(Tensor self, Tensor group, int root, str reduce=\"sum\") -> Tensor",
		Infer:  inferReduction(3),
		Grad: func(g *ops.Gradient) {
			wantSum(g, 3)
			g.Set(0, g.Call("broadcast_from", g.Grad(0), g.Tensor(1), g.Int(2)))
		},
		Host: inPlace(func(g *Group, c *ops.HostCall, b *buf.Buffer) error {
			if err := g.member(c.Int(2)); err != nil {
				return err
			}
			r, _ := ParseReduction(c.Args[3].Text())
			err := g.reduce(b.DType, b.Bytes(), c.Int(2), r)
			if g.Rank() != c.Int(2) {
				clear(b.Bytes())
			}
			return err
		}),
	}, {
		Schema: "send_to(Tensor self, Tensor group, int rank) -> Tensor",
		Infer:  func(c *ops.Call) error { return c.Result(c.DTypeOf(0), nil) },
		Grad: func(g *ops.Gradient) {
			g.Set(0, g.Call("receive_from", g.Zeros(g.Type(0)), g.Tensor(1), g.Int(2)))
		},
		Host: func(c *ops.HostCall) ([]*buf.Buffer, error) {
			g, err := groupOfCall(c)
			if err != nil {
				return nil, err
			}
			b := c.Buffer(0)
			return []*buf.Buffer{buf.New(b.DType, nil)}, g.send(b.DType, b.Bytes(), c.Int(2))
		},
	}, {
		Schema: "receive_from(Tensor self, Tensor group, int rank) -> Tensor",
		Infer:  inferSame,
		Grad: func(g *ops.Gradient) {
			sent := g.Call("send_to", g.Grad(0), g.Tensor(1), g.Int(2)) // a zero
			g.Set(0, g.Add(g.Zeros(g.Type(0)), sent))
		},
		Host: inPlace(func(g *Group, c *ops.HostCall, b *buf.Buffer) error {
			return g.receive(b.DType, b.Bytes(), c.Int(2))
		}),
	},
}

func inferSame(c *ops.Call) error { return c.Result(c.DTypeOf(0), c.Shape(0)) }

// inferReduction is inferSame for a reduction that argument i names.
func inferReduction(i int) func(c *ops.Call) error {
	return func(c *ops.Call) error { return reductionOf(c, i, c.Shape(0)) }
}

func reductionOf(c *ops.Call, i int, dims []int) error {
	r, err := ParseReduction(c.Args[i].Text())
	if err != nil {
		return c.ArgErrorf("%v", err)
	}
	if err := r.supports(c.DTypeOf(0)); err != nil {
		return c.DTypeErrorf("%v", err)
	}
	return c.Result(c.DTypeOf(0), dims)
}

// parts is the shape of the operand of a call that has a first dimension and a number of ranks.
func parts(c *ops.Call) ([]int, error) {
	dims := append([]int(nil), c.Shape(0)...)
	if len(dims) == 0 {
		return nil, c.ShapeErrorf("a tensor without dimensions has no parts")
	}
	if c.Int(2) < 1 {
		return nil, c.ArgErrorf("%d ranks", c.Int(2))
	}
	return dims, nil
}

// gradAllReduce adds up the gradients of all ranks; the gradient of a largest or smallest number goes to where it was
// found.
func gradAllReduce(g *ops.Gradient) {
	name := g.Args[2].Text()
	dy := g.Call("all_reduce", g.Grad(0), g.Tensor(1), "sum")
	switch name {
	case "sum":
	case "max", "min":
		dy = g.Mul(dy, g.Call("eq.Tensor", g.Tensor(0), g.Out0()))
	default:
		wantSum(g, 2)
	}
	g.Set(0, dy)
}

func wantSum(g *ops.Gradient, i int) {
	if name := g.Args[i].Text(); name != "sum" {
		trace.Raise(g.ArgErrorf("a reduction by %s over ranks has no gradient", name))
	}
}

func groupOfCall(c *ops.HostCall) (*Group, error) { return groupOf(c.Buffer(1).Int64(0)) }

// groupOfSize is groupOfCall for a call that was recorded for a number of ranks.
func groupOfSize(c *ops.HostCall) (*Group, error) {
	g, err := groupOfCall(c)
	if err == nil && g.Size() != c.Int(2) {
		return nil, c.ArgErrorf("recorded for %d ranks, the group has %d", c.Int(2), g.Size())
	}
	return g, err
}

// inPlace computes on a copy of the operand.
func inPlace(f func(g *Group, c *ops.HostCall, b *buf.Buffer) error) func(c *ops.HostCall) ([]*buf.Buffer, error) {
	return func(c *ops.HostCall) ([]*buf.Buffer, error) {
		g, err := groupOfCall(c)
		if err != nil {
			return nil, err
		}
		b := c.Buffer(0).Clone()
		return []*buf.Buffer{b}, f(g, c, b)
	}
}

func wrapped(c *ops.HostCall, data []byte, err error) ([]*buf.Buffer, error) {
	if err != nil {
		return nil, err
	}
	b, err := buf.Wrap(c.Out[0].DType, c.Out[0].Shape, data)
	return []*buf.Buffer{b}, err
}
