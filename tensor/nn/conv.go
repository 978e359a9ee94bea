package nn

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Conv is a convolution of one, two or three dimensions on [N C …], or a transposed one.
// Lists have one entry for each dimension.
type Conv struct {
	Weight *tensor.Tensor // [out in/groups size…]; transposed: [in out/groups size…]
	Bias   *tensor.Tensor // [out]; may be nil
	hook

	Stride, Padding, Dilation []int
	OutputPadding             []int // of a transposed one: added at the end of the output
	Groups                    int
	Transposed                bool
}

// NewConv1d returns a convolution on [N C L] with random weights and bias, stride 1 and no
// padding.
func NewConv1d(in, out, size int) *Conv { return newConv(1, in, out, size, 1, false) }

// NewConv2d is [NewConv1d] on [N C H W], with square filters.
func NewConv2d(in, out, size int) *Conv { return newConv(2, in, out, size, 1, false) }

// NewConv3d is [NewConv1d] on [N C D H W], with cubic filters.
func NewConv3d(in, out, size int) *Conv { return newConv(3, in, out, size, 1, false) }

// NewDepthwiseConv2d returns a layer with one filter per channel.
func NewDepthwiseConv2d(channels, size int) *Conv {
	return newConv(2, channels, channels, size, channels, false)
}

// NewConvTranspose1d returns a transposed convolution on [N C L].
func NewConvTranspose1d(in, out, size int) *Conv { return newConv(1, in, out, size, 1, true) }

// NewConvTranspose2d is [NewConvTranspose1d] on [N C H W].
func NewConvTranspose2d(in, out, size int) *Conv { return newConv(2, in, out, size, 1, true) }

// NewConvTranspose3d is [NewConvTranspose1d] on [N C D H W].
func NewConvTranspose3d(in, out, size int) *Conv { return newConv(3, in, out, size, 1, true) }

func newConv(dims, in, out, size, groups int, transposed bool) *Conv {
	if groups < 1 || in%groups != 0 || out%groups != 0 {
		trace.Raise(&tensor.ArgError{Op: "conv", Detail: fmt.Sprintf("%d groups do not divide %d and %d channels", groups, in, out)})
	}
	extents := append([]int{out, in / groups}, repeat(size, dims)...)
	if transposed {
		extents[0], extents[1] = in, out/groups
	}
	fan := extents[1]
	for range dims {
		fan *= size
	}
	bound := 1 / math.Sqrt(float64(fan))
	return &Conv{
		Weight: parameter(tensor.Uniform(-bound, bound, extents...)),
		Bias:   parameter(tensor.Uniform(-bound, bound, out)),
		Stride: repeat(1, dims), Padding: repeat(0, dims), Dilation: repeat(1, dims),
		OutputPadding: repeat(0, dims), Groups: groups, Transposed: transposed,
	}
}

func repeat(v, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// With sets stride and padding, the same in each dimension, and returns the layer.
func (c *Conv) With(stride, padding int) *Conv {
	c.Stride, c.Padding = repeat(stride, len(c.Stride)), repeat(padding, len(c.Stride))
	return c
}

// WithDilation sets the distance of the filter's elements and returns the layer.
func (c *Conv) WithDilation(n int) *Conv {
	c.Dilation = repeat(n, len(c.Stride))
	return c
}

// WithGroups divides input and output channels into groups that are convolved apart. It
// makes new weights, and returns the layer.
func (c *Conv) WithGroups(groups int) *Conv {
	out, in := c.Weight.Size(0), c.Weight.Size(1)*c.Groups
	if c.Transposed {
		out, in = in, out
	}
	d := newConv(len(c.Stride), in, out, c.Weight.Size(-1), groups, c.Transposed)
	c.Weight, c.Groups = d.Weight, groups
	if c.Bias != nil {
		c.Bias = d.Bias
	}
	return c
}

// NoBias drops the bias and returns the layer.
func (c *Conv) NoBias() *Conv {
	c.Bias = nil
	return c
}

// Forward convolves x with the weights and adds the bias.
func (c *Conv) Forward(x *tensor.Tensor) *tensor.Tensor {
	return c.seen(tensor.Call("convolution", x, c.Weight, c.Bias, c.Stride, c.Padding, c.Dilation,
		c.Transposed, c.OutputPadding, c.Groups)[0])
}

// String implements [fmt.Stringer].
func (c *Conv) String() string {
	kind, out, in := "Conv", c.Weight.Size(0), c.Weight.Size(1)*c.Groups
	if c.Transposed {
		kind, out, in = "ConvTranspose", c.Weight.Size(1)*c.Groups, c.Weight.Size(0)
	}
	return fmt.Sprintf("%s%dd(%d, %d, size=%v, stride=%v, padding=%v, dilation=%v, groups=%d)", kind, len(c.Stride),
		in, out, c.Weight.Shape()[2:], c.Stride, c.Padding, c.Dilation, c.Groups)
}
