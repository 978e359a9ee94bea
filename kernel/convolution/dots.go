package convolution

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// ByDots makes code of a convolution of f32 with few output channels in a group and long filter rows, as the gradient of
// a depthwise filter has, as a loop nest: each number of the result is a dot product with filter columns in the lanes.
// Windows have to lie inside the image. Other convolutions are [kernel.ErrUnsupported].
func ByDots(c *kernel.Convolution, lanes int, nests schedule.Nests) (kernel.Code, error) {
	perGroup := c.K / c.Groups
	switch {
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32 || hasBorder(c):
	case min(c.N, c.C, c.P, c.Q, c.R) == 0 || c.S < lanes || 2*perGroup > lanes:
	case c.Dilation[1]*c.X.Strides[3] != 1 || c.Filter.Strides[3] != 1:
	default:
		if n, ok := dots(c, perGroup); ok {
			return nests(n)
		}
	}
	return nil, fmt.Errorf("%w: no dot products", kernel.ErrUnsupported)
}

// dots is the nest over images, groups, their channels, rows and columns of the result, and over channels, rows and
// columns of the filter. It returns false for an epilogue that reads indices.
func dots(c *kernel.Convolution, perGroup int) (*kernel.Nest, bool) {
	depth, x, w := c.C/c.Groups, c.X.Strides, c.Filter.Strides
	n := &kernel.Nest{Name: c.Name, Outer: []int{c.N, c.Groups, perGroup, c.P, c.Q}, Inner: []int{depth, c.R, c.S}, Access: []kernel.Access{
		{Port: c.X.Port, Offset: c.X.Offset - c.Pad[0]*x[2] - c.Pad[1]*x[3],
			Outer: []int{x[0], depth * x[1], 0, c.Stride[0] * x[2], c.Stride[1] * x[3]},
			Inner: []int{x[1], c.Dilation[0] * x[2], c.Dilation[1] * x[3]}},
		{Port: c.Filter.Port, Offset: c.Filter.Offset, Outer: []int{0, perGroup * w[0], w[0], 0, 0}, Inner: w[1:]},
	}}
	for _, a := range c.Epilogue.Access {
		s := a.Outer
		a.Outer, a.Inner = []int{s[0], perGroup * s[1], s[1], s[2], s[3]}, make([]int, len(n.Inner))
		n.Access = append(n.Access, a)
	}
	var ok bool
	n.Stages, ok = sumOfProducts(&c.Epilogue)
	return n, ok
}
