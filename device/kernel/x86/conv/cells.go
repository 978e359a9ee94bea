package conv

import (
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/tensor/dtype"
)

// cellBytes is how many bytes VPDPBUSD multiplies and sums into one sum of 32 bits.
const cellBytes = 4

// inCells returns c, a convolution of u8 with i8 whose channels lie side by side, as one of cells:
// four neighbouring channels are a cell, which is as large as an f32, and moves as one. What is left
// of it is in place of the channels; the filter stays as it is, and is packed by [code.packCells].
func inCells(c *kernel.Convolution, f cpu.Features) (*kernel.Convolution, bool) {
	if c.X.DType != dtype.U8 || c.Filter.DType != dtype.I8 || c.Acc != dtype.I32 || !f.VNNI {
		return nil, false
	}
	x := c.X
	if x.Strides[1] != 1 || x.Offset%cellBytes != 0 || c.C/c.Groups%cellBytes != 0 {
		return nil, false
	}
	for i, s := range x.Strides {
		if i != 1 && s%cellBytes != 0 {
			return nil, false
		}
		x.Strides[i] = s / cellBytes
	}
	x.Strides[1], x.Offset = 1, x.Offset/cellBytes
	x.DType, x.Len = dtype.F32, (x.Len+cellBytes-1)/cellBytes
	cells := *c
	cells.X, cells.C = x, c.C/cellBytes
	return &cells, true
}

// packCells packs a panel of filters of bytes: for each cell of channels, filter row and filter
// column, a vector over the output channels.
func (g *code) packCells(dst, src unsafe.Pointer, index int) {
	out := unsafe.Slice((*int8)(unsafe.Add(dst, index*g.panel)), g.panel)
	clear(out)
	in := index % g.panels * g.width()
	st := g.Filter.Strides
	at := g.Filter.Offset + (index/g.panels*g.perGroup+in)*st[0]
	count := min(g.width(), g.perGroup-in)
	i := 0
	for c := range g.depth {
		for r := range g.R {
			for s := range g.S {
				for k := range count {
					for b := range cellBytes {
						from := at + k*st[0] + (c*cellBytes+b)*st[1] + r*st[2] + s*st[3]
						out[i+k*cellBytes+b] = *(*int8)(unsafe.Add(src, from))
					}
				}
				i += g.width() * cellBytes
			}
		}
	}
}
