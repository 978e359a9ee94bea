package ops

// _trilinear: the sum over sumdim of the product of three tensors, to which
// dimensions of extent 1 are added first. bilinear layers are made of it.
func init() {
	register(&Op{
		Schema: "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, " +
			"int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor",
		Infer: inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			var x [3]Value
			for i := range x {
				x[i] = e.wide(c.Tensor(i))
				for _, d := range c.Ints(3 + i) {
					x[i] = e.Call("unsqueeze", x[i], d)
				}
			}
			v := e.Mul(e.Mul(x[0], x[1]), x[2])
			if len(c.Ints(6)) > 0 {
				v = e.Sum(v, c.Ints(6), false)
			}
			return []Value{e.To(v, c.DTypeOf(0))}
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
