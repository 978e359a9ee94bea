package convolution

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// bordered is a convolution of a copy of the image. A loop nest makes the copy, in vectors: floats as f32, with the border
// of the image, and in the layout that the code reads. Filters of 16-bit floats may be widened when they are packed.
// Products of 16-bit floats are exact in f32, so that the results are the same.
type bordered struct {
	kernel.Code                     // of the copy
	image       *kernel.Convolution // what the code computes
	inside      window
	copies      kernel.Code // the nest that copies; nil if all of the image is border
	filters     kernel.Code // the nest that widens filters; nil if the code reads them as they are
	args        kernel.ArgsPool
}

// window is where the pixels of an image lie in one with a border.
type window struct{ top, left, rows, columns int }

// Bordered makes code of a convolution whose image is better copied for vectors of so many lanes (see needsCopy): convolve
// compiles the convolution of the copy, nests compiles what copies. Other convolutions are [kernel.ErrUnsupported].
func Bordered(c *kernel.Convolution, lanes int, convolve func(*kernel.Convolution) (kernel.Code, error), nests schedule.Nests) (kernel.Code, error) {
	if nests == nil || !needsCopy(c, lanes) || c.Acc != dtype.F32 || min(c.N, c.C, c.H, c.W, c.K, c.P, c.Q, c.R, c.S) == 0 {
		return nil, fmt.Errorf("%w: no copy of the image", kernel.ErrUnsupported)
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
		if d.filters, err = nests(widenedFilters(c)); err != nil {
			d.Code.Close()
			return nil, err
		}
	}
	if d.inside.rows > 0 && d.inside.columns > 0 {
		if d.copies, err = nests(d.nest(c)); err != nil {
			d.Close()
			return nil, err
		}
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

// nest copies the image of c to where it is in the one with a border.
func (d *bordered) nest(c *kernel.Convolution) *kernel.Nest {
	in, from, to := d.inside, c.X.Strides, d.image.X.Strides
	n := &kernel.Nest{Name: "copy", Access: []kernel.Access{
		{Port: kernel.Port{DType: c.X.DType, Len: c.X.Len},
			Offset: c.X.Offset + (in.top-c.Pad[0])*from[2] + (in.left-c.Pad[1])*from[3]},
		{Port: kernel.Port{DType: d.image.X.DType, Len: d.image.X.Len, Write: true}, Offset: in.top*to[2] + in.left*to[3]},
	}}
	order := []int{0, 1, 2, 3}
	if d.channelsLast() {
		order = []int{0, 2, 3, 1}
	}
	for _, i := range order {
		n.Outer = append(n.Outer, []int{c.N, c.C, in.rows, in.columns}[i])
		n.Access[0].Outer = append(n.Access[0].Outer, from[i])
		n.Access[1].Outer = append(n.Access[1].Outer, to[i])
	}
	n.Stages = copied(c.X.DType, d.image.X.DType)
	return n
}

// copied is the stages of a copy of elements of a type as another one.
func copied(from, to dtype.DType) []kernel.Stage {
	b := kernel.NewBody()
	b.Store(1, b.Cast(to, b.Load(0, from))) // no cast of the same type
	return []kernel.Stage{{Body: b.Body()}}
}

// widenedFilters copies all filters of c as f32.
func widenedFilters(c *kernel.Convolution) *kernel.Nest {
	return &kernel.Nest{Name: "widen", Outer: []int{c.Filter.Len}, Stages: copied(c.Filter.DType, dtype.F32),
		Access: []kernel.Access{
			{Port: kernel.Port{DType: c.Filter.DType, Len: c.Filter.Len}, Outer: []int{1}},
			{Port: kernel.Port{DType: dtype.F32, Len: c.Filter.Len, Write: true}, Outer: []int{1}},
		}}
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

func (d *bordered) copyUnits() int {
	if d.copies == nil {
		return 0
	}
	return d.copies.Units()
}

// PrologueUnits implements [kernel.Code]: those of the copy, of the planes' borders, and of the code.
func (d *bordered) PrologueUnits() int { return d.copyUnits() + d.planes() + d.Code.PrologueUnits() }

// RunPrologue implements [kernel.Code].
func (d *bordered) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	copies, planes := d.copyUnits(), d.planes()
	for u := max(lo, copies); u < min(hi, copies+planes); u++ {
		d.clear(shared, u-copies)
	}
	if end := min(hi, copies); lo < end {
		own := d.args.Get()
		own.Ptr, own.Scratch = append(own.Ptr[:0], args.Ptr[0], shared), args.Scratch
		d.copies.Run(own, lo, end)
		d.args.Put(own, args)
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
	if d.filters != nil && !d.packsFilters() {
		own.Ptr[1] = args.Packed[1]
	}
	return own
}

// Run implements [kernel.Code].
func (d *bordered) Run(args *kernel.Args, lo, hi int) {
	own := d.operands(args)
	d.Code.Run(own, lo, hi)
	d.args.Put(own, args)
}

// packsFilters reports whether the code packs filters, and does not read them as they lie.
func (d *bordered) packsFilters() bool { return d.Code.PackedBytes(1) > 0 }

// PackedBytes implements [kernel.Code].
func (d *bordered) PackedBytes(port int) int {
	if port == 1 && d.filters != nil && !d.packsFilters() {
		return d.image.Filter.Len * 4
	}
	return d.Code.PackedBytes(port)
}

// PackedForm implements [kernel.Code].
func (d *bordered) PackedForm(int) string { return "" }

// Pack implements [kernel.Code].
func (d *bordered) Pack(port int, dst, src unsafe.Pointer) {
	if port != 1 || d.filters == nil {
		d.Code.Pack(port, dst, src)
		return
	}
	filters := dst
	if d.packsFilters() {
		filters = unsafe.Pointer(unsafe.SliceData(make([]float32, d.image.Filter.Len)))
	}
	args := &kernel.Args{Ptr: []unsafe.Pointer{src, filters}, Scratch: scratchOf(d.filters)}
	d.filters.Run(args, 0, d.filters.Units())
	if d.packsFilters() {
		d.Code.Pack(1, dst, filters)
	}
}

// Scratch implements [kernel.Code].
func (d *bordered) Scratch() int {
	if d.copies == nil {
		return d.Code.Scratch()
	}
	return max(d.Code.Scratch(), d.copies.Scratch())
}

// Listing implements [kernel.Code].
func (d *bordered) Listing() string {
	if d.copies == nil {
		return d.Code.Listing()
	}
	return "; the image is copied\n" + d.copies.Listing() + d.Code.Listing()
}

// Close implements [kernel.Code].
func (d *bordered) Close() {
	d.Code.Close()
	for _, nest := range []kernel.Code{d.copies, d.filters} {
		if nest != nil {
			nest.Close()
		}
	}
}
