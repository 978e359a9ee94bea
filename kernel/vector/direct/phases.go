package direct

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

func (g *code) packedBytes() int { return g.Groups * g.panels * g.panel }

// PackedBytes implements [kernel.Code]: filters that are constant.
func (g *code) PackedBytes(port int) int {
	if port != 1 || !g.Filter.Const {
		return 0
	}
	return g.packedBytes()
}

// Pack implements [kernel.Code].
func (g *code) Pack(_ int, dst, src unsafe.Pointer) {
	for i := range g.Groups * g.panels {
		g.packPanel(dst, src, i)
	}
}

// newFilter returns the code that packs filters: a window of each output channel is a line, or, where channels follow
// each other as well, all of its windows are.
func (g *code) newFilter(t vector.Backend) (*panel.StridedCode, error) {
	if g.cells != nil {
		return nil, nil
	}
	st, line := g.Filter.Strides, g.S
	if st[2] == g.S*st[3] {
		line *= g.R
		if st[1] == g.R*st[2] {
			line *= g.depth
		}
	}
	return panel.Strided{Cells: panel.Cells{From: g.Filter.DType, To: dtype.F32, Group: 1}, Columns: true, Depth: line,
		Side: g.perGroup, Deep: st[3], Across: st[0], Out: g.width() * f32}.Build(t)
}

// packPanel packs a panel: for each channel, filter row and filter column, a vector over the
// output channels. Channels that do not exist have zeros, or are not written if no vector of the
// panel has any.
func (g *code) packPanel(dst, src unsafe.Pointer, index int) {
	if g.cells != nil {
		g.packCells(dst, src, index)
		return
	}
	st, in := g.Filter.Strides, index%g.panels*g.width()
	at := g.Filter.Offset + (index/g.panels*g.perGroup+in)*st[0]
	to := unsafe.Add(dst, index*g.panel)
	line, es := g.filter.Depth, g.Filter.DType.Size()
	for i := 0; i < g.depth*g.R*g.S; i += line {
		from := unsafe.Add(src, (at+i/(g.R*g.S)*st[1]+i/g.S%g.R*st[2])*es)
		g.filter.Copy(from, unsafe.Add(to, i*g.width()*f32), line, min(g.width(), g.perGroup-in))
	}
}

// image returns the address of the input that tiles read.
func (g *code) image(args *kernel.Args) uintptr {
	if g.padded {
		return uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr(g.imageShift())
	}
	return uintptr(args.Ptr[0]) + uintptr(g.X.Offset*g.elem)
}

// imageShift returns where the padded image begins in the shared memory.
func (g *code) imageShift() int {
	if g.Filter.Const {
		return 0
	}
	return kernel.Aligned(g.packedBytes())
}

// filters returns the address of the packed filters.
func (g *code) filters(args *kernel.Args) uintptr {
	if g.Filter.Const {
		return uintptr(args.Packed[1])
	}
	return uintptr(args.Ptr[len(args.Ptr)-1])
}

// Shared implements [kernel.Code]: filters that are not constant, and an image with padding.
func (g *code) Shared() int {
	size := g.imageShift()
	if g.padded {
		size += g.N*g.strides[0]*g.elem + g.beyond()
	}
	return size
}

// PrologueUnits implements [kernel.Code].
func (g *code) PrologueUnits() int { return g.filterUnits() + g.imageUnits() }

func (g *code) filterUnits() int {
	if g.Filter.Const {
		return 0
	}
	return g.Groups * g.panels
}

func (g *code) imageUnits() int {
	switch {
	case !g.padded:
		return 0
	case g.cells != nil:
		return g.N * g.cells.lines(g.plan)
	}
	return g.N * g.C
}

// RunPrologue implements [kernel.Code].
func (g *code) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	for u := lo; u < hi; u++ {
		if u < g.filterUnits() {
			g.packPanel(shared, args.Ptr[1], u)
			continue
		}
		plane := u - g.filterUnits()
		if g.cells != nil {
			g.padLine(unsafe.Add(shared, g.imageShift()), args.Ptr[0], plane)
			continue
		}
		g.padPlane(unsafe.Add(shared, g.imageShift()), args.Ptr[0], plane/g.C, plane%g.C)
	}
}

// padPlane copies channel c of image n with its border, as f32.
func (g *code) padPlane(dst, src unsafe.Pointer, n, c int) {
	height, width := g.paddedHeight(), g.paddedWidth()
	at := n*g.strides[0] + c*g.strides[1]
	out := unsafe.Slice((*float32)(unsafe.Add(dst, at*f32)), height*width)
	st, es := g.X.Strides, g.X.DType.Size()
	move := panel.Converter(g.X.DType, dtype.F32)
	from := g.X.Offset + n*st[0] + c*st[1]
	left := max(0, g.Pad[1])
	right := min(width, g.Pad[1]+g.W)
	for y := range height {
		row := out[y*width : (y+1)*width]
		iy := y - g.Pad[0]
		if iy < 0 || iy >= g.H || right <= left {
			clear(row)
			continue
		}
		clear(row[:left])
		clear(row[right:])
		line := unsafe.Add(src, (from+iy*st[2]+(left-g.Pad[1])*st[3])*es)
		if st[3] == 1 && es == f32 {
			copy(row[left:right], unsafe.Slice((*float32)(line), right-left))
			continue
		}
		for x := range right - left {
			move(unsafe.Pointer(&row[left+x]), unsafe.Add(line, x*st[3]*es))
		}
	}
}
