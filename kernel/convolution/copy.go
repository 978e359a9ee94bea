package convolution

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// Copies of patches and of filters, by the size of an element.

// copies are the copies of elements by their bytes.
var copies = [...]struct {
	patches func(g *byPatches, dst, src unsafe.Pointer, image, row, rows int)
	filter  func(g *byPatches, dst, src unsafe.Pointer, k int)
}{1: {patchesOf[uint8], filterOf[uint8]}, 2: {patchesOf[uint16], filterOf[uint16]}, 4: {patchesOf[uint32], filterOf[uint32]},
	8: {patchesOf[uint64], filterOf[uint64]}}

// patchesOf writes the elements under the filter for rows of pixels: for every channel, filter row and filter column
// the elements of all pixels, zero outside the image.
func patchesOf[T any](g *byPatches, dst, src unsafe.Pointer, image, row, rows int) {
	out := unsafe.Slice((*T)(dst), g.C*g.R*g.S*rows*g.Q)
	in := unsafe.Slice((*T)(src), g.X.Len)
	st := g.X.Strides
	step := g.Stride[1] * st[3]
	for c := range g.C {
		for r := range g.R {
			for s := range g.S {
				shift := s*g.Dilation[1] - g.Pad[1] // of pixel 0 from column 0
				first, end := kernel.Within(shift, g.Stride[1], g.Q, g.W)
				for p := row; p < row+rows; p++ {
					line := out[:g.Q]
					out = out[g.Q:]
					y := p*g.Stride[0] + r*g.Dilation[0] - g.Pad[0]
					if y < 0 || y >= g.H || first == end {
						clear(line)
						continue
					}
					clear(line[:first])
					clear(line[end:])
					at := g.X.Offset + image*st[0] + c*st[1] + y*st[2] + shift*st[3] + first*step
					copyLine(line[first:end], in, at, step)
				}
			}
		}
	}
}

// copyLine copies elements that lie step apart.
func copyLine[T any](dst, src []T, at, step int) {
	if step == 1 {
		copy(dst, src[at:])
		return
	}
	for i := range dst {
		dst[i] = src[at]
		at += step
	}
}

// filterOf copies filter k to its place among dense ones.
func filterOf[T any](g *byPatches, dst, src unsafe.Pointer, k int) {
	out := unsafe.Slice((*T)(dst), (k+1)*g.depth())[k*g.depth():]
	in := unsafe.Slice((*T)(src), g.Filter.Len)
	st := g.Filter.Strides
	for c := range g.C / g.Groups {
		for r := range g.R {
			copyLine(out[:g.S], in, g.Filter.Offset+k*st[0]+c*st[1]+r*st[2], st[3])
			out = out[g.S:]
		}
	}
}

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
