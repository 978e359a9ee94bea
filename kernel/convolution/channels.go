package convolution

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// ByChannels makes code of a depthwise convolution of f32 whose channels, at least as many as a vector has lanes, lie side
// by side in the image and in the result, and whose windows all lie inside the image: a loop nest with channels in the
// lanes. The channels of filters that are not constant have to lie side by side, too. Other convolutions are [kernel.ErrUnsupported].
func ByChannels(c *kernel.Convolution, lanes int, nests schedule.Nests) (kernel.Code, error) {
	switch x, w := c.X.DType, c.Filter.DType; {
	case x != dtype.F32 || w != dtype.F32 || c.Acc != dtype.F32 || min(c.N, c.P, c.Q, c.R, c.S) == 0:
	case !isDepthwise(c) || !suitsLanes(c, lanes) || !channelsLast(c.X.Strides) || !ResultChannelsLast(c) || HasBorder(c):
	default:
		if c.Filter.Strides[0] == 1 {
			return nests(overChannels(c))
		}
		side := *c
		side.Filter.Strides = [4]int{1, 0, c.S * c.K, c.K}
		side.Filter.Len, side.Filter.Offset = c.K*c.R*c.S, 0
		code, err := nests(overChannels(&side))
		if err != nil {
			return nil, err
		}
		return withFilters(c, code, &side.Filter, nests)
	}
	return nil, errNotInLanes
}

var errNotInLanes = fmt.Errorf("%w: channels are not in the lanes", kernel.ErrUnsupported)

// suitsLanes reports whether channels fill a vector, and filters lie, or can be packed once, with channels side by side.
func suitsLanes(c *kernel.Convolution, lanes int) bool {
	return c.C >= lanes && (c.Filter.Const || c.Filter.Strides[0] == 1)
}

// overChannels is the nest of a depthwise convolution whose filters have their channels side by side.
func overChannels(c *kernel.Convolution) *kernel.Nest {
	n := dots(c)
	for i := range n.Stages[1].Body {
		if in := &n.Stages[1].Body[i]; in.Op == kernel.Index {
			in.Port = []int{0, 1, 3, 4}[in.Port] // each channel is a group
		}
	}
	return n
}
