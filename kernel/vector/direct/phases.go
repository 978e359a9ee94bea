package direct

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
)

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

// packPanel packs a panel: for each channel, filter row and filter column, a vector over the output channels. Channels
// that do not exist have zeros, or are not written if no vector of the panel has any.
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
