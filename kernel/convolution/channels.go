package convolution

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// byChannels is a depthwise convolution as a loop nest with channels in the lanes, whose filters are packed so that their
// channels lie side by side.
type byChannels struct {
	kernel.Code
	convolution *kernel.Convolution
	args        kernel.ArgsPool
}

// ByChannels makes code of a depthwise convolution of f32 whose channels, at least as many as a vector has lanes, lie side
// by side in the image and in the result, and whose windows all lie inside the image. The channels of filters that are
// not constant have to lie side by side, too. Other convolutions are [kernel.ErrUnsupported].
func ByChannels(c *kernel.Convolution, lanes int, nests schedule.Nests) (kernel.Code, error) {
	switch x, w := c.X.DType, c.Filter.DType; {
	case x != dtype.F32 || w != dtype.F32 || c.Acc != dtype.F32 || min(c.N, c.P, c.Q, c.R, c.S) == 0:
	case !isDepthwise(c) || !suitsLanes(c, lanes) || !channelsLast(c.X.Strides) || !ResultChannelsLast(c) || HasBorder(c):
	default:
		code, err := nests(overChannels(c))
		if err != nil || c.Filter.Strides[0] == 1 {
			return code, err
		}
		return &byChannels{Code: code, convolution: c}, nil
	}
	return nil, fmt.Errorf("%w: channels are not in the lanes", kernel.ErrUnsupported)
}

// suitsLanes reports whether channels fill a vector, and filters lie, or can be packed once, with channels side by side.
func suitsLanes(c *kernel.Convolution, lanes int) bool {
	return c.C >= lanes && (c.Filter.Const || c.Filter.Strides[0] == 1)
}

// overChannels is the nest of a depthwise convolution whose filters have their channels side by side.
func overChannels(c *kernel.Convolution) *kernel.Nest {
	side := *c
	if c.Filter.Strides[0] != 1 { // packed
		side.Filter.Strides = [4]int{1, 0, c.S * c.K, c.K}
		side.Filter.Len, side.Filter.Offset = c.K*c.R*c.S, 0
	}
	n := dots(&side)
	for i := range n.Stages[1].Body {
		if in := &n.Stages[1].Body[i]; in.Op == kernel.Index {
			in.Port = []int{0, 1, 3, 4}[in.Port] // each channel is a group
		}
	}
	return n
}

// PackedBytes implements [kernel.Code].
func (b *byChannels) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	c := b.convolution
	return 4 * c.K * c.R * c.S
}

// Pack implements [kernel.Code].
func (b *byChannels) Pack(_ int, dst, src unsafe.Pointer) {
	c := b.convolution
	to, from := unsafe.Slice((*float32)(dst), c.K*c.R*c.S), unsafe.Slice((*float32)(src), c.Filter.Len)
	for r := range c.R {
		for s := range c.S {
			copyLine(to[:c.K], from, c.Filter.Offset+r*c.Filter.Strides[2]+s*c.Filter.Strides[3], c.Filter.Strides[0])
			to = to[c.K:]
		}
	}
}

// Run implements [kernel.Code].
func (b *byChannels) Run(args *kernel.Args, lo, hi int) {
	own := b.args.Get()
	own.Ptr = append(own.Ptr[:0], args.Ptr...)
	own.Ptr[1], own.Scratch = args.Packed[1], args.Scratch
	b.Code.Run(own, lo, hi)
	b.args.Put(own, args)
}
