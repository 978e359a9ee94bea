package convolution

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// ByDots makes code of a convolution of f32 with few output channels in a group and long filter rows, as the gradient of
// a depthwise filter has, as a loop nest: each number of the result is a dot product with filter columns in the lanes.
// Windows have to lie inside the image. Other convolutions are [kernel.ErrUnsupported].
func ByDots(c *kernel.Convolution, lanes int, nests schedule.Nests) (kernel.Code, error) {
	switch {
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32 || HasBorder(c):
	case min(c.N, c.C, c.P, c.Q, c.R) == 0 || c.S < lanes || 2*c.K/c.Groups > lanes || c.Epilogue.Body.Has(kernel.Index):
	case c.Dilation[1]*c.X.Strides[3] != 1 || c.Filter.Strides[3] != 1:
	default:
		return nests(dots(c))
	}
	return nil, errNoDots
}

var errNoDots = fmt.Errorf("%w: no dot products", kernel.ErrUnsupported)

// dots is the nest over images, groups, their channels, rows and columns of the result, and over channels, rows and
// columns of the filter. It multiplies its first two ports, of f32, adds the products up over the inner loops and does
// the epilogue with the sum. Indices in the epilogue still belong to the loops of the convolution.
func dots(c *kernel.Convolution) *kernel.Nest {
	perGroup, depth, x, w := c.K/c.Groups, c.C/c.Groups, c.X.Strides, c.Filter.Strides
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
	b := kernel.NewBody()
	product := b.Binary(kernel.Mul, b.Load(0, dtype.F32), b.Load(1, dtype.F32))
	tail := slices.Clone(c.Epilogue.Body)
	for i := range tail {
		if in := &tail[i]; in.Op == kernel.Input {
			in.Op, in.Port, in.Imm = kernel.Acc, 0, 0
		}
	}
	n.Stages = []kernel.Stage{
		{Body: b.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Type: dtype.F32, Value: product}}},
		{Once: true, Body: tail},
	}
	return n
}
