package ops

import "github.com/go-acap/acap/base/shape"

// squeeze drops dimensions of extent 1, unsqueeze adds one.
func init() {
	for _, o := range []struct {
		schema string
		to     func(c *Call) ([]int, error)
		sample Sample
	}{
		{"squeeze(Tensor(a) self) -> Tensor(a)", squeezed, Sample{S(1, 3, 1, 2)}},
		{"squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeezed, Sample{S(1, 3), 0}},
		{"squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeezed,
			Sample{S(1, 3, 1), []int{0, 1}}},
		{"unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", unsqueezed, Sample{S(2, 3), -2}},
	} {
		op := reshapeOp(o.schema, o.to, o.sample)
		op.Inplace = true
		register(op)
	}
}

func squeezed(c *Call) ([]int, error) {
	dims := c.Shape(0)
	drop := make([]bool, len(dims))
	switch {
	case len(c.Args) == 1:
		for i := range drop {
			drop[i] = true
		}
	case c.Args[1].Kind == KindInt:
		d, err := c.dim(1)
		if err != nil {
			return nil, err
		}
		if len(dims) > 0 {
			drop[d] = true
		}
	case len(c.Ints(1)) > 0:
		list, err := shape.Dims(c.Ints(1), len(dims))
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if d < len(drop) {
				drop[d] = true
			}
		}
	}
	out := make([]int, 0, len(dims))
	for i, n := range dims {
		if n != 1 || !drop[i] {
			out = append(out, n)
		}
	}
	return out, nil
}

func unsqueezed(c *Call) ([]int, error) {
	dims := c.Shape(0)
	d, err := shape.Dim(c.Int(1), len(dims)+1)
	if err != nil {
		return nil, err
	}
	out := append([]int(nil), dims[:d]...)
	return append(append(out, 1), dims[d:]...), nil
}
