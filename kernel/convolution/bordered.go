package convolution

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// bordered is a convolution of a copy of the image. A loop nest makes the copy, in vectors: floats as f32, with the border
// of the image, and in the layout that the code reads. Filters of 16-bit floats may be widened, see [onFilters].
// Products of 16-bit floats are exact in f32, so that the results are the same.
type bordered struct {
	kernel.Code                     // of the copy
	image       *kernel.Convolution // what the code computes
	inside      window
	copies      *nested // without units if all of the image is border
	args        kernel.ArgsPool
}

// window is where the pixels of an image lie in one with a border.
type window struct{ top, left, rows, columns int }

var errNoCopy = fmt.Errorf("%w: no copy of the image", kernel.ErrUnsupported)

// Bordered makes code of a convolution whose image is better copied for vectors of a number of lanes (see needsCopy):
// convolve compiles the convolution of the copy, nests compiles what copies. Other convolutions are
// [kernel.ErrUnsupported].
func Bordered(c *kernel.Convolution, lanes int, convolve func(*kernel.Convolution) (kernel.Code, error), nests schedule.Nests) (kernel.Code, error) {
	if nests == nil || !needsCopy(c, lanes) || c.Acc != dtype.F32 || min(c.N, c.C, c.H, c.W, c.K, c.P, c.Q, c.R, c.S) == 0 {
		return nil, errNoCopy
	}
	last := channelsLast(c.X.Strides)
	if isDepthwise(c) {
		last = ResultChannelsLast(c)
	}
	image := WithBorder(c, last, 0)
	image.Filter.DType = dtype.F32
	return OnCopy(c, image, func(c *kernel.Convolution) (kernel.Code, error) {
		code, err := convolve(c)
		if err == nil && code.PrologueUnits() > 0 {
			code.Close()
			return nil, fmt.Errorf("%w: two first phases", kernel.ErrUnsupported)
		}
		return code, err
	}, nests)
}

// OnCopy makes code of a convolution that copies its image to the one that another convolution, of [WithBorder], has. The
// first phase of what convolve compiles, if it has one, must not read the image.
func OnCopy(c, image *kernel.Convolution, convolve func(*kernel.Convolution) (kernel.Code, error), nests schedule.Nests) (kernel.Code, error) {
	d := &bordered{image: image}
	d.inside.top, d.inside.left = max(c.Pad[0], 0), max(c.Pad[1], 0)
	d.inside.rows = max(min(d.image.H, c.Pad[0]+c.H)-d.inside.top, 0)
	d.inside.columns = max(min(d.image.W, c.Pad[1]+c.W)-d.inside.left, 0)
	var err error
	if d.Code, err = convolve(d.image); err != nil {
		return nil, err
	}
	if c.Filter.DType != image.Filter.DType {
		if d.Code, err = withFilters(c, d.Code, &image.Filter, nests); err != nil {
			return nil, err
		}
	}
	if d.copies, err = d.copy(c, nests); err != nil {
		d.Code.Close()
		return nil, err
	}
	return d, nil
}

// Padded returns the extents of an image with its border.
func Padded(c *kernel.Convolution) (height, width int) {
	return (c.P-1)*c.Stride[0] + (c.R-1)*c.Dilation[0] + 1, (c.Q-1)*c.Stride[1] + (c.S-1)*c.Dilation[1] + 1
}

// needsCopy reports whether the image of c is better copied: an image of 16-bit floats, and the image of a depthwise
// convolution, if the image lies otherwise than the result, or has its channels side by side and a border.
func needsCopy(c *kernel.Convolution, lanes int) bool {
	narrow := func(t dtype.DType) bool { return t.IsFloat() && t.Size() == 2 }
	switch x, w := c.X.DType, c.Filter.DType; {
	case narrow(x):
		return c.Filter.Const && (narrow(w) || w == dtype.F32)
	case x != dtype.F32 || w != dtype.F32 || !isDepthwise(c):
		return false
	}
	last := channelsLast(c.X.Strides)
	if ResultChannelsLast(c) {
		return suitsLanes(c, lanes) && (!last || HasBorder(c))
	}
	return last
}

// isDepthwise reports whether each channel of the result is made of a channel of the image.
func isDepthwise(c *kernel.Convolution) bool { return c.C == c.Groups && c.K == c.Groups }

// channelsLast reports whether the channels of an image, and not its columns, lie side by side.
func channelsLast(strides [4]int) bool { return strides[1] == 1 && strides[3] != 1 }

// WithBorder is c over an image that holds its border and lies densely, with channels side by side or columns. Floats are
// f32. Behind the image are some elements more.
func WithBorder(c *kernel.Convolution, last bool, beyond int) *kernel.Convolution {
	wide := *c
	wide.H, wide.W = Padded(c)
	wide.Pad = [2]int{}
	wide.X = kernel.Image{Port: kernel.Port{DType: c.X.DType, Len: c.N*c.C*wide.H*wide.W + beyond},
		Strides: [4]int{c.C * wide.H * wide.W, wide.H * wide.W, wide.W, 1}}
	if c.X.DType.IsFloat() {
		wide.X.DType = dtype.F32
	}
	if last {
		wide.X.Strides = [4]int{c.C * wide.H * wide.W, 1, wide.W * c.C, c.C}
	}
	return &wide
}

// copy compiles the copy of the image of c to where it is in the one with a border.
func (d *bordered) copy(c *kernel.Convolution, nests schedule.Nests) (*nested, error) {
	in, from, to := d.inside, c.X, d.image.X
	from.Offset += (in.top-c.Pad[0])*from.Strides[2] + (in.left-c.Pad[1])*from.Strides[3]
	to.Offset = in.top*to.Strides[2] + in.left*to.Strides[3]
	return copied(&from, &to, [4]int{c.N, c.C, in.rows, in.columns}, nests)
}

func (d *bordered) channelsLast() bool { return channelsLast(d.image.X.Strides) }

// planes are how many images of one channel, or of all channels side by side, have a border.
func (d *bordered) planes() int {
	switch c := d.image; {
	case d.inside == window{0, 0, c.H, c.W}:
		return 0
	case d.channelsLast():
		return c.N
	default:
		return c.N * c.C
	}
}

// clear sets the border of a plane to zero.
func (d *bordered) clear(shared unsafe.Pointer, plane int) {
	in, size := d.inside, d.image.X.DType.Size()
	pixel := size // bytes
	if d.channelsLast() {
		pixel *= d.image.C
	}
	line, left, right := pixel*d.image.W, pixel*in.left, pixel*(in.left+in.columns)
	bytes := d.image.H * line
	all := unsafe.Slice((*byte)(unsafe.Add(shared, plane*bytes)), bytes)
	clear(all[:min(in.top*line, bytes)])
	for y := in.top; y < in.top+in.rows; y++ {
		row := all[y*line : (y+1)*line]
		clear(row[:min(left, line)])
		clear(row[min(right, line):])
	}
	clear(all[min((in.top+in.rows)*line, bytes):])
}

// imageBytes is the memory of the image.
func (d *bordered) imageBytes() int { return kernel.Aligned(d.image.X.Len * d.image.X.DType.Size()) }

// Shared implements [kernel.Code]: the image, and what the code shares.
func (d *bordered) Shared() int { return d.imageBytes() + d.Code.Shared() }

// PrologueUnits implements [kernel.Code]: units of the copy, of the planes' borders, and of the code.
func (d *bordered) PrologueUnits() int { return d.copies.Units() + d.planes() + d.Code.PrologueUnits() }

func (d *bordered) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	copies, planes := d.copies.Units(), d.planes()
	for u := max(lo, copies); u < min(hi, copies+planes); u++ {
		d.clear(shared, u-copies)
	}
	if end := min(hi, copies); lo < end {
		d.copies.run(args, lo, end, args.Ptr[0], shared)
	}
	if first := copies + planes; hi > first {
		own := d.operands(args)
		d.Code.RunPrologue(own, max(lo-first, 0), hi-first)
		d.args.Put(own, args)
	}
}

// operands returns the arguments of the code.
func (d *bordered) operands(args *kernel.Args) *kernel.Args {
	own, last := d.args.Get(), len(args.Ptr)-1
	own.Ptr = append(own.Ptr[:0], args.Ptr...)
	own.Ptr[0], own.Ptr[last] = args.Ptr[last], unsafe.Add(args.Ptr[last], d.imageBytes())
	own.Packed, own.Scratch = args.Packed, args.Scratch
	return own
}

func (d *bordered) Run(args *kernel.Args, lo, hi int) {
	own := d.operands(args)
	d.Code.Run(own, lo, hi)
	d.args.Put(own, args)
}

func (d *bordered) Scratch() int { return max(d.Code.Scratch(), d.copies.Scratch()) }

func (d *bordered) Listing() string {
	return "; the image is copied\n" + d.copies.Listing() + d.Code.Listing()
}

func (d *bordered) Close() {
	d.Code.Close()
	d.copies.Close()
}
