package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// cat joins tensors along a dimension, stack along a new one.
func init() {
	for _, name := range []string{"cat", "concat", "concatenate"} {
		register(&Op{
			Schema: name + "(Tensor[] tensors, int dim=0) -> Tensor",
			Infer:  inferCat,
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				list := l.List(c, 0)
				d, _ := catDim(c)
				var joined []Lowered
				for _, t := range list {
					if !skipped(t.Shape()) {
						joined = append(joined, t)
					}
				}
				return one(l.Concat(joined, d, c.Out[0]))
			},
			Grad:    gradCat,
			Samples: samplesOf(Sample{[]T{S(2, 3), S(2, 1), S(2, 0)}, 1}, Sample{[]T{S(0), S(2, 3)}}),
		})
	}
	register(&Op{
		Schema: "stack(Tensor[] tensors, int dim=0) -> Tensor",
		Infer:  inferStack,
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			list := l.List(c, 0)
			d, _ := shape.Dim(c.Int(1), len(c.Out[0].Shape))
			for i, t := range list {
				dims := append([]int(nil), c.Out[0].Shape...)
				dims[d] = 1
				list[i] = l.Reshape(t, dims)
			}
			return one(l.Concat(list, d, c.Out[0]))
		},
		Grad: func(g *Gradient) {
			grads := make([]Value, len(g.Tensors(0)))
			for i, t := range g.Tensors(0) {
				grads[i] = g.To(g.Call("select.int", g.Grad(0), g.Int(1), i), t.Type().DType)
			}
			g.SetList(0, grads)
		},
		Samples: samplesOf(Sample{[]T{S(2, 3), S(2, 3)}, -1}),
	})
}

// skipped reports the empty one-dimensional tensors that cat ignores whatever
// the rank of the others is.
func skipped(dims []int) bool { return len(dims) == 1 && dims[0] == 0 }

// catDim returns the dimension that cat joins along and the shape of the first
// tensor that takes part.
func catDim(c *Call) (d int, like []int) {
	for _, t := range c.Tensors(0) {
		if dims := t.Type().Shape; like == nil || skipped(like) {
			like = dims
		}
	}
	d, _ = shape.Dim(c.Int(1), len(like))
	return d, like
}

func inferCat(c *Call) error {
	list := c.Tensors(0)
	if len(list) == 0 {
		return c.ArgErrorf("needs at least one tensor")
	}
	d, like := catDim(c)
	if _, err := shape.Dim(c.Int(1), len(like)); err != nil {
		return err
	}
	out := append([]int(nil), like...)
	if len(out) == 0 {
		return c.ShapeErrorf("tensors without dimensions cannot be joined")
	}
	out[d] = 0
	for i, t := range list {
		dims := t.Type().Shape
		if skipped(dims) {
			continue
		}
		if len(dims) != len(out) {
			return c.ShapeErrorf("tensor %d has shape %s, which has not the rank of %s", i,
				shape.String(dims), shape.String(like))
		}
		for j, n := range dims {
			if j != d && n != out[j] {
				return c.ShapeErrorf("tensor %d has shape %s, which differs from %s in dimension %d, "+
					"not in %d only", i, shape.String(dims), shape.String(like), j, d)
			}
		}
		out[d] += dims[d]
	}
	return c.Result(c.ResultType(0), out)
}

func gradCat(g *Gradient) {
	d, _ := catDim(g.call)
	list := g.Tensors(0)
	grads := make([]Value, len(list))
	at := 0
	for i, t := range list {
		u := t.Type()
		if skipped(u.Shape) {
			grads[i] = g.Zeros(u)
			continue
		}
		n := u.Shape[d]
		grads[i] = g.To(g.Call("slice.Tensor", g.Grad(0), d, at, at+n), u.DType)
		at += n
	}
	g.SetList(0, grads)
}

func inferStack(c *Call) error {
	list := c.Tensors(0)
	if len(list) == 0 {
		return c.ArgErrorf("needs at least one tensor")
	}
	first := list[0].Type().Shape
	for i, t := range list {
		if !shape.Equal(t.Type().Shape, first) {
			return c.ShapeErrorf("tensor %d has shape %s, not %s as the first", i,
				shape.String(t.Type().Shape), shape.String(first))
		}
	}
	d, err := shape.Dim(c.Int(1), len(first)+1)
	if err != nil {
		return err
	}
	out := append([]int(nil), first[:d]...)
	out = append(append(out, len(list)), first[d:]...)
	return c.Result(c.ResultType(0), out)
}
