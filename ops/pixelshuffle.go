package ops

import "github.com/go-acap/acap/base/shape"

// pixel_shuffle turns r² channels into r × r pixels, pixel_unshuffle turns them
// back; channel_shuffle mixes groups of channels.
func init() {
	register(&Op{
		Schema: "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
		Infer: func(c *Call) error {
			lead, ch, h, w, r, err := c.pixels()
			if err != nil {
				return err
			}
			if ch%(r*r) != 0 {
				return c.ShapeErrorf("channels of %s are not a multiple of %d", shape.String(c.Shape(0)), r*r)
			}
			return c.Result(c.DTypeOf(0), with(lead, ch/(r*r), h*r, w*r))
		},
		Expand: func(e Emit, c *Call) []Value {
			lead, ch, h, w, r, _ := c.pixels()
			x := e.Reshape(c.Tensor(0), with(lead, ch/(r*r), r, r, h, w))
			x = e.permuteLast(x, 0, 3, 1, 4, 2)
			return []Value{e.Reshape(x, c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{S(2, 8, 2, 3), 2}),
	})
	register(&Op{
		Schema: "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
		Infer: func(c *Call) error {
			lead, ch, h, w, r, err := c.pixels()
			if err != nil {
				return err
			}
			if h%r != 0 || w%r != 0 {
				return c.ShapeErrorf("the plane of %s is not a multiple of %d", shape.String(c.Shape(0)), r)
			}
			return c.Result(c.DTypeOf(0), with(lead, ch*r*r, h/r, w/r))
		},
		Expand: func(e Emit, c *Call) []Value {
			lead, ch, h, w, r, _ := c.pixels()
			x := e.Reshape(c.Tensor(0), with(lead, ch, h/r, r, w/r, r))
			x = e.permuteLast(x, 0, 2, 4, 1, 3)
			return []Value{e.Reshape(x, c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{S(2, 4, 6), 2}),
	})
	register(&Op{
		Schema: "channel_shuffle(Tensor self, SymInt groups) -> Tensor",
		Infer: func(c *Call) error {
			dims, g := c.Shape(0), c.Int(1)
			if len(dims) < 3 || g <= 0 || dims[1]%g != 0 {
				return c.ShapeErrorf("%d groups do not divide the channels of %s", g, shape.String(dims))
			}
			return inferSame(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			dims, g := c.Shape(0), c.Int(1)
			rest := shape.Size(dims[2:])
			x := e.Reshape(c.Tensor(0), []int{dims[0], g, dims[1] / g, rest})
			return []Value{e.Reshape(e.Call("transpose.int", x, 1, 2), dims)}
		},
		Samples: samplesOf(Sample{S(1, 4, 2, 2), 2}),
	})
}

// pixels reads (self […, C, H, W], factor).
func (c *Call) pixels() (lead []int, ch, h, w, r int, err error) {
	dims, r := c.Shape(0), c.Int(1)
	n := len(dims)
	if n < 3 {
		return nil, 0, 0, 0, 0, c.ShapeErrorf("needs at least 3 dimensions, got %s", shape.String(dims))
	}
	if r <= 0 || r > shape.MaxElements>>24 {
		return nil, 0, 0, 0, 0, c.ArgErrorf("the factor must be positive, got %d", r)
	}
	return dims[: n-3 : n-3], dims[n-3], dims[n-2], dims[n-1], r, nil
}

// permuteLast permutes the last dimensions of x.
func (e Emit) permuteLast(x Value, perm ...int) Value {
	rank := len(x.Type().Shape)
	all := shape.UpTo(rank)
	for i, p := range perm {
		all[rank-len(perm)+i] = rank - len(perm) + p
	}
	return e.Call("permute", x, all)
}
