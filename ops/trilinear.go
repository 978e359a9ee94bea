package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
)

// _trilinear: the sum over sumdim of the product of three tensors, to which
// dimensions of extent 1 are added first. The first two are contracted over what the third
// does not have, so that no product of all dimensions comes into being. bilinear layers are made of it.
func init() {
	register(&Op{
		Schema: "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, " +
			"int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
		Infer: inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			var x [3]labeled
			for i := range x {
				v := c.Tensor(i)
				for _, d := range slices.Sorted(slices.Values(c.Ints(3 + i))) {
					v = e.Call("unsqueeze", v, d)
				}
				x[i] = labeled{v, shape.UpTo(len(v.Type().Shape))}
			}
			if err := sameExtents(c, x[:]); err != nil {
				panic(err)
			}
			rank := len(x[0].labels)
			sums, err := shape.Dims(c.Ints(6), rank)
			if err != nil || len(x[1].labels) != rank || len(x[2].labels) != rank {
				panic(c.ShapeErrorf("operands have different ranks, or sumdim is outside of them"))
			}
			if len(c.Ints(6)) == 0 {
				sums = nil // nothing is summed, where other operators take no dimensions for all
			}
			summed := func(d int) bool { return slices.Contains(sums, d) }
			v := e.contract(x[0], x[1], func(d int) bool { return !summed(d) || x[2].extent(d) > 1 })
			v = e.contract(v, x[2], func(d int) bool { return !summed(d) })
			return []Value{e.permuted(v, slices.DeleteFunc(shape.UpTo(rank), summed)).v}
		},
		Samples: samplesOf(Sample{S(2, 3), S(4, 3, 5), S(2, 5), []int{1, 3}, []int{0}, []int{1, 2},
			[]int{2, 3}}),
	})
	register(&Op{
		Schema: "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
		Infer:  inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			a, b, w := c.Shape(0), c.Shape(1), c.Shape(2)
			if len(a) == 0 || len(b) != len(a) || len(w) != 3 {
				panic(c.ShapeErrorf("inputs need one rank and weight 3 dimensions"))
			}
			if n := len(a) - 1; a[n] != w[1] || b[n] != w[2] || !shape.Equal(a[:n], b[:n]) {
				panic(c.ShapeErrorf("inputs %v and %v and weight %v do not fit", a, b, w))
			}
			if c.Has(3) && !shape.Equal(c.Shape(3), w[:1]) {
				panic(c.ShapeErrorf("bias %v is not one number for each of %d results", c.Shape(3), w[0]))
			}
			flat := func(v Value) Value { return e.Reshape(v, []int{-1, v.Type().Shape[len(a)-1]}) }
			y := e.Call("_trilinear", flat(c.Tensor(0)), c.Tensor(2), flat(c.Tensor(1)),
				[]int{1, 3}, []int{0}, []int{1, 2}, []int{2, 3})
			y = e.Reshape(y, append(a[:len(a)-1:len(a)-1], w[0]))
			if c.Has(3) {
				y = e.Add(y, c.Tensor(3))
			}
			return []Value{y}
		},
		Samples: samplesOf(Sample{S(2, 3), S(2, 5), S(4, 3, 5), S(4)}),
	})
}
