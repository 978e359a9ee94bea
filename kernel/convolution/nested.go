package convolution

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// nested is a loop nest that other code runs.
type nested struct {
	kernel.Code
	args kernel.ArgsPool
}

// run does units lo to hi-1 on some operands, with the scratch memory of args.
func (n *nested) run(args *kernel.Args, lo, hi int, operands ...unsafe.Pointer) {
	own := n.args.Get()
	own.Ptr, own.Scratch = append(own.Ptr, operands...), args.Scratch
	n.Run(own, lo, hi)
	n.args.Put(own, args)
}

// copied compiles the copy of an image of some extents to another one, as elements of its type.
func copied(from, to *kernel.Image, extents [4]int, nests schedule.Nests) (*nested, error) {
	n := &kernel.Nest{Name: "copy", Access: []kernel.Access{
		{Port: kernel.Port{DType: from.DType, Len: from.Len}, Offset: from.Offset},
		{Port: kernel.Port{DType: to.DType, Len: to.Len, Write: true}, Offset: to.Offset},
	}}
	order := []int{0, 1, 2, 3}
	if channelsLast(to.Strides) {
		order = []int{0, 2, 3, 1}
	}
	for _, i := range order {
		n.Outer = append(n.Outer, extents[i])
		n.Access[0].Outer = append(n.Access[0].Outer, from.Strides[i])
		n.Access[1].Outer = append(n.Access[1].Outer, to.Strides[i])
	}
	b := kernel.NewBody()
	b.Store(1, b.Cast(to.DType, b.Load(0, from.DType))) // no cast of the same type
	n.Stages = []kernel.Stage{{Body: b.Body()}}
	code, err := nests(n)
	return &nested{Code: code}, err
}
