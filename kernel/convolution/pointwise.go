package convolution

import "github.com/go-acap/acap/kernel"

// AsContraction returns c as a contraction if it is one: a 1×1 filter, stride 1, no padding, and
// rows that follow each other without gaps. Pixels become the rows of the product and output
// channels its columns, so the ports keep their numbers.
func AsContraction(c *kernel.Convolution) (*kernel.Contraction, bool) {
	single := c.R == 1 && c.S == 1 && c.Stride == [2]int{1, 1}
	if !single || c.Pad != [2]int{} || c.P != c.H || c.Q != c.W {
		return nil, false
	}
	flat := func(rows, cols int) bool { return c.P == 1 || rows == c.Q*cols }
	x, w := c.X.Strides, c.Filter.Strides
	if !flat(x[2], x[3]) {
		return nil, false
	}
	perGroup, depth := c.K/c.Groups, c.C/c.Groups
	d := &kernel.Contraction{
		Name: c.Name, Batch: []int{c.N, c.Groups}, M: c.P * c.Q, N: perGroup, K: depth, Acc: c.Acc,
	}
	d.A = kernel.Matrix{Port: c.X.Port, Offset: c.X.Offset, Batch: []int{x[0], depth * x[1]},
		Row: x[3], Col: x[1]}
	d.B = kernel.Matrix{Port: c.Filter.Port, Offset: c.Filter.Offset,
		Batch: []int{0, perGroup * w[0]}, Row: w[1], Col: w[0]}
	d.Epilogue.Body = c.Epilogue.Body
	for _, i := range c.Epilogue.Body {
		if i.Op == kernel.Index {
			return nil, false
		}
	}
	for _, a := range c.Epilogue.Access {
		s := a.Outer
		if !flat(s[2], s[3]) {
			return nil, false
		}
		a.Outer = []int{s[0], perGroup * s[1], s[3], s[1]}
		d.Epilogue.Access = append(d.Epilogue.Access, a)
	}
	return d, true
}
