package convolution

import (
	"fmt"
	"slices"
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
	case !isDepthwise(c) || !suitsLanes(c, lanes) || !channelsLast(c.X.Strides) || !ResultChannelsLast(c) || hasBorder(c):
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

// overChannels is the nest over images, rows, columns and channels of the result, and over the filter.
func overChannels(c *kernel.Convolution) *kernel.Nest {
	order := []int{0, 2, 3, 1} // of the loops of a convolution
	x, w := c.X.Strides, c.Filter.Strides
	if w[0] != 1 {
		w = [4]int{1, 0, c.S * c.K, c.K}
	}
	n := &kernel.Nest{Name: c.Name, Outer: []int{c.N, c.P, c.Q, c.K}, Inner: []int{c.R, c.S}, Access: []kernel.Access{
		{Port: c.X.Port, Offset: c.X.Offset - c.Pad[0]*x[2] - c.Pad[1]*x[3],
			Outer: []int{x[0], c.Stride[0] * x[2], c.Stride[1] * x[3], x[1]},
			Inner: []int{c.Dilation[0] * x[2], c.Dilation[1] * x[3]}},
		{Port: c.Filter.Port, Offset: c.Filter.Offset, Outer: []int{0, 0, 0, w[0]}, Inner: []int{w[2], w[3]}},
	}}
	if c.Filter.Strides[0] != 1 {
		n.Access[1].Len, n.Access[1].Offset = c.K*c.R*c.S, 0
	}
	for _, a := range c.Epilogue.Access {
		outer := a.Outer
		a.Outer, a.Inner = make([]int, len(order)), []int{0, 0}
		for i, loop := range order {
			a.Outer[i] = outer[loop]
		}
		n.Access = append(n.Access, a)
	}
	n.Stages, _ = sumOfProducts(&c.Epilogue)
	for i := range n.Stages[1].Body {
		if in := &n.Stages[1].Body[i]; in.Op == kernel.Index {
			in.Port = []int{0, 3, 1, 2}[in.Port]
		}
	}
	return n
}

// sumOfProducts are the stages of a nest that multiplies its first two ports of f32, adds the products up over the inner
// loops and does an epilogue with the sum. The other result is false if the epilogue reads indices, which are of the loops
// of another kernel.
func sumOfProducts(e *kernel.Epilogue) (stages []kernel.Stage, plain bool) {
	b := kernel.NewBody()
	product := b.Binary(kernel.Mul, b.Load(0, dtype.F32), b.Load(1, dtype.F32))
	tail := slices.Clone(e.Body)
	plain = true
	for i := range tail {
		switch in := &tail[i]; in.Op {
		case kernel.Input:
			in.Op, in.Port, in.Imm = kernel.Acc, 0, 0
		case kernel.Index:
			plain = false
		}
	}
	return []kernel.Stage{
		{Body: b.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Type: dtype.F32, Value: product}}},
		{Once: true, Body: tail},
	}, plain
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
