package describe

import (
	"github.com/go-acap/acap/kernel"
)

// PaddedNest is a nest that reads its first port with zeros around it.
type PaddedNest struct {
	*kernel.Nest
	convolution *kernel.Convolution
	high, wide  int // rows and columns of an image with its zeros
}

// Depthwise returns the nest of a convolution that takes every channel by itself: for each result
// the sum over a window of one image. As a product it would have a single column, and would use little of an array's
// matrix instructions. It is false for other convolutions.
func Depthwise(c *kernel.Convolution) (PaddedNest, bool) {
	if c.Groups != c.C || c.C == 1 || c.K%c.C != 0 {
		return PaddedNest{}, false
	}
	p := PaddedNest{convolution: c, high: (c.P-1)*c.Stride[0] + (c.R-1)*c.Dilation[0] + 1,
		wide: (c.Q-1)*c.Stride[1] + (c.S-1)*c.Dilation[1] + 1}
	p.high, p.wide = max(p.high, c.Pad[0]+c.H), max(p.wide, c.Pad[1]+c.W)
	each, image, f := c.K/c.C, p.high*p.wide, &c.Filter
	n := &kernel.Nest{Name: c.Name, Outer: []int{c.N, c.C, each, c.P, c.Q}, Inner: []int{c.R, c.S}}
	in, weight := c.X.Port, c.Filter.Port
	in.Len = c.N * c.C * image
	n.Access = []kernel.Access{
		{Port: in, Outer: []int{c.C * image, image, 0, c.Stride[0] * p.wide, c.Stride[1]},
			Inner: []int{c.Dilation[0] * p.wide, c.Dilation[1]}},
		{Port: weight, Offset: f.Offset, Outer: []int{0, each * f.Strides[0], f.Strides[0], 0, 0},
			Inner: []int{f.Strides[2], f.Strides[3]}},
	}
	for _, a := range c.Epilogue.Access {
		s := a.Outer // of the image, the channel of the result, its row and its column
		a.Outer, a.Inner = []int{s[0], each * s[1], s[1], s[2], s[3]}, []int{0, 0}
		n.Access = append(n.Access, a)
	}
	n.Stages = []kernel.Stage{products(c), {Once: true, Body: onSum(&c.Epilogue)}}
	p.Nest = n
	return p, true
}

// products is the stage that sums up a window.
func products(c *kernel.Convolution) kernel.Stage {
	b := kernel.NewBody()
	load := func(port int, p kernel.Port) int {
		v := b.Emit(kernel.Instr{Op: kernel.Load, Type: p.DType, Port: port})
		if p.DType != c.Acc {
			v = b.Emit(kernel.Instr{Op: kernel.Cast, Type: c.Acc, A: v})
		}
		return v
	}
	v := b.Binary(kernel.Mul, load(0, c.X.Port), load(1, c.Filter.Port))
	return kernel.Stage{Body: b.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Value: v, Type: c.Acc}}}
}

// onSum is the body of an epilogue, of the sum of the stage before.
func onSum(e *kernel.Epilogue) kernel.Body {
	body := append(kernel.Body(nil), e.Body...)
	for i := range body {
		if body[i].Op == kernel.Input {
			body[i] = kernel.Instr{Op: kernel.Acc, Type: body[i].Type}
		}
	}
	return body
}

// Source returns where an element of the first port lies in what the zeros are around, false for a
// zero.
func (p *PaddedNest) Source(element int) (int, bool) {
	c := p.convolution
	x, rest := element%p.wide-c.Pad[1], element/p.wide
	y, rest := rest%p.high-c.Pad[0], rest/p.high
	if x < 0 || y < 0 || x >= c.W || y >= c.H {
		return 0, false
	}
	s := c.X.Strides
	return c.X.Offset + rest/c.C*s[0] + rest%c.C*s[1] + y*s[2] + x*s[3], true
}
