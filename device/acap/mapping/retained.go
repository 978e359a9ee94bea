package mapping

import "fmt"

// Retained is space in the mem tiles of all columns of a mapping for an array that passes from one launch to
// the next. It lies there by rows: of blocks of neighbouring rows, one column after the other has the next.
// Such a block is a product's [Mapping.TM]; a kernel whose cores take equal shares has one for each column.
type Retained struct {
	Row     int // of mem tiles, from 1 on; 0 is the memory outside
	Address int // in every one of them, bytes
	Input   int // which input of the kernel it is; 0 for a result
}

// ByRows reports whether every column of cores of a product has rows of its result to itself. vertical
// says that cascades run along columns.
func (g Mapping) ByRows(vertical bool) bool {
	return (vertical || g.Cascade == 1) && g.OutRows == 0 && g.PartsM == g.Cols && (g.Across(vertical) || g.Cols == 1)
}

// Together reports whether each column of cores that take equal shares has neighbouring rows, as it does
// where an array remains.
func (g Mapping) Together() bool { return g.In.Row > 0 || g.Out.Row > 0 }

// retained says which arrays remain.
func (g Mapping) retained() (s string) {
	if g.In.Row > 0 {
		s += fmt.Sprintf(" in%d from %d:%d", g.In.Input, g.In.Row, g.In.Address)
	}
	if g.Out.Row > 0 {
		s += fmt.Sprintf(" out to %d:%d", g.Out.Row, g.Out.Address)
	}
	return s
}
