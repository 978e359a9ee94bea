package nn

import (
	"math"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/tensor"
)

// Conv2d is a two-dimensional convolution of square filters on [N C H W].
type Conv2d struct {
	Weight                  *tensor.Tensor // [out in/groups size size]
	Bias                    *tensor.Tensor // [out]; may be nil
	Stride, Padding, Groups int
}

// NewConv2d returns a layer with random weights and bias, stride 1 and no padding.
func NewConv2d(in, out, size int) *Conv2d { return newConv2d(in, out, size, 1) }

// NewDepthwiseConv2d returns a layer with one filter per channel.
func NewDepthwiseConv2d(channels, size int) *Conv2d {
	return newConv2d(channels, channels, size, channels)
}

func newConv2d(in, out, size, groups int) *Conv2d {
	bound := 1 / math.Sqrt(float64(in/groups*size*size))
	return &Conv2d{Stride: 1, Groups: groups,
		Weight: tensor.Uniform(-bound, bound, out, in/groups, size, size),
		Bias:   tensor.Uniform(-bound, bound, out)}
}

// With sets stride and padding and returns the layer.
func (c *Conv2d) With(stride, padding int) *Conv2d {
	c.Stride, c.Padding = stride, padding
	return c
}

// NoBias drops the bias and returns the layer.
func (c *Conv2d) NoBias() *Conv2d {
	c.Bias = nil
	return c
}

// Forward implements [Module].
func (c *Conv2d) Forward(x *tensor.Tensor) *tensor.Tensor {
	options := []tensor.Option{
		tensor.With("stride", []int{c.Stride, c.Stride}),
		tensor.With("padding", []int{c.Padding, c.Padding}),
		tensor.With("groups", c.Groups),
	}
	if c.Bias != nil {
		options = append(options, tensor.With("bias", c.Bias))
	}
	return x.Conv2d(c.Weight, options...)
}

// Parameters implements [Module].
func (c *Conv2d) Parameters() []*tensor.Tensor { return present(c.Weight, c.Bias) }

// To implements [Module].
func (c *Conv2d) To(d device.Device) Module {
	move(d, &c.Weight, &c.Bias)
	return c
}
