package ops

import "github.com/go-acap/acap/base/shape"

// matmul: the product of vectors, matrices and broadcast batches of matrices.
func init() {
	register(&Op{
		Schema: "matmul(Tensor self, Tensor other) -> Tensor",
		Infer:  inferMatMul,
		Expand: func(e Emit, c *Call) []Value {
			return []Value{e.MatMul(c.Tensor(0), c.Tensor(1))}
		},
		Samples: samplesOf(Sample{S(3), S(3)}, Sample{S(2, 3), S(3)}, Sample{S(3), S(3, 2)},
			Sample{S(2, 3), S(3, 2)}, Sample{S(4, 2, 3), S(3, 2)}, Sample{S(2, 1, 2, 3), S(4, 3, 2)},
			Sample{S(3), S(4, 3, 2)}, Sample{S(4, 2, 3), S(3)}),
	})
}

func inferMatMul(c *Call) error {
	a, b := c.Shape(0), c.Shape(1)
	if len(a) == 0 || len(b) == 0 {
		return c.ShapeErrorf("takes no tensors without dimensions: %s and %s", shape.String(a),
			shape.String(b))
	}
	k := b[max(len(b)-2, 0)]
	if a[len(a)-1] != k {
		return c.ShapeErrorf("%s and %s cannot be multiplied: %d is not %d",
			shape.String(a), shape.String(b), a[len(a)-1], k)
	}
	if c.DTypeOf(0) != c.DTypeOf(1) {
		return c.DTypeErrorf("operands have the types %v and %v", c.DTypeOf(0), c.DTypeOf(1))
	}
	out, err := shape.Broadcast(batchOf(a), batchOf(b))
	if err != nil {
		return err
	}
	out = append([]int{}, out...)
	if len(a) > 1 {
		out = append(out, a[len(a)-2])
	}
	if len(b) > 1 {
		out = append(out, b[len(b)-1])
	}
	return c.Result(c.DTypeOf(0), out)
}

// batchOf returns all but the last two extents.
func batchOf(dims []int) []int { return dims[:max(len(dims)-2, 0)] }

// MatMul returns the product as matmul defines it.
func (e Emit) MatMul(x, y Value) Value {
	a, b := x.Type().Shape, y.Type().Shape
	switch {
	case len(a) == 1 && len(b) == 1:
		return e.Call("dot", x, y)
	case len(a) == 2 && len(b) == 1:
		return e.Call("mv", x, y)
	case len(a) == 2 && len(b) == 2:
		return e.Call("mm", x, y)
	case len(a) == 1:
		z := e.MatMul(e.Reshape(x, []int{1, a[0]}), y)
		out := z.Type().Shape
		return e.Reshape(z, append(out[:len(out)-2:len(out)-2], out[len(out)-1]))
	case len(b) == 1:
		z := e.MatMul(x, e.Reshape(y, []int{b[0], 1}))
		return e.Reshape(z, a[:len(a)-1])
	case len(b) == 2: // one matrix for the whole batch
		k := a[len(a)-1]
		flat := e.Reshape(x, []int{shape.Size(a[:len(a)-1]), k})
		return e.Reshape(e.Call("mm", flat, y), append(a[:len(a)-1:len(a)-1], b[1]))
	}
	batch, _ := shape.Broadcast(batchOf(a), batchOf(b))
	batch = batch[:len(batch):len(batch)]
	flat := func(v Value) Value {
		dims := v.Type().Shape
		matrix := dims[len(dims)-2:]
		return e.Reshape(e.Expand(v, append(batch, matrix...)),
			append([]int{shape.Size(batch)}, matrix...))
	}
	return e.Reshape(e.Call("bmm", flat(x), flat(y)), append(batch, a[len(a)-2], b[len(b)-1]))
}
