package convolution

import "github.com/go-acap/acap/kernel"

// AsContraction returns c as a contraction if it is one: a 1×1 filter without padding. Pixels become the rows of the
// product and output channels its columns, so the ports keep their numbers. Rows of pixels have to follow each other
// without gaps, but for bytes in one group: there each row is a product.
func AsContraction(c *kernel.Convolution) (*kernel.Contraction, bool) {
	if c.R != 1 || c.S != 1 || c.Pad != [2]int{} || HasBorder(c) || c.Epilogue.Body.Has(kernel.Index) {
		return nil, false
	}
	x, w := c.X.Strides, c.Filter.Strides
	row, column := c.Stride[0]*x[2], c.Stride[1]*x[3]
	gaps := func(rows, columns int) bool { return c.P > 1 && rows != c.Q*columns }
	apart := gaps(row, column)
	for _, a := range c.Epilogue.Access {
		apart = apart || gaps(a.Outer[2], a.Outer[3])
	}
	if apart && (c.X.DType.Size() > 1 || c.Groups > 1) {
		return nil, false
	}
	perGroup, depth := c.K/c.Groups, c.C/c.Groups
	d := &kernel.Contraction{Name: c.Name, Batch: []int{c.N, c.Groups}, M: c.P * c.Q, N: perGroup, K: depth, Acc: c.Acc}
	batch := func(n, group, _ int) []int { return []int{n, group} }
	if apart {
		d.Batch, d.M = append(d.Batch, c.P), c.Q
		batch = func(n, group, row int) []int { return []int{n, group, row} }
	}
	d.A = kernel.Matrix{Port: c.X.Port, Offset: c.X.Offset, Batch: batch(x[0], depth*x[1], row), Row: column, Col: x[1]}
	d.B = kernel.Matrix{Port: c.Filter.Port, Offset: c.Filter.Offset, Batch: batch(0, perGroup*w[0], 0), Row: w[1], Col: w[0]}
	d.Epilogue.Body = c.Epilogue.Body
	for _, a := range c.Epilogue.Access {
		s := a.Outer
		a.Outer = append(batch(s[0], perGroup*s[1], s[2]), s[3], s[1])
		d.Epilogue.Access = append(d.Epilogue.Access, a)
	}
	return d, true
}
