package mapping

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/workload"
)

// Mapping is a way to run a kernel on an array.
type Mapping struct {
	Kind workload.Kind
	Cols int // columns of cores used
	Rows int // rows of cores used

	// Contractions and convolutions.
	TM, TN, TK int    // tile of one core
	KL2        int    // slice of K staged in the mem tiles; 0 means straight from outside
	Cascade    int    // cores that split K and pass partial sums on; at least 1
	Style      string // how the kernel is written: a name of machine.Compute.Styles
	RowsOverM  bool   // rows of cores split M and columns split N; else the reverse

	// All others: elements (pointwise, move, serial), rows (normalize) or
	// queries (attention) of one tile; TK is the keys of one attention tile.
	Tile int

	Depth int // buffers per FIFO end: 2 is double buffering
}

// Cores returns the number of cores used.
func (m Mapping) Cores() int { return m.Cols * m.Rows }

// String returns the mapping in one line, for example
// "4x4 tile 64x64x64 depth 2".
func (m Mapping) String() string {
	s := fmt.Sprintf("%dx%d", m.Cols, m.Rows)
	switch m.Kind {
	case workload.KindContraction, workload.KindConvolution:
		s += fmt.Sprintf(" tile %dx%dx%d", m.TM, m.TN, m.TK)
		if m.KL2 > 0 {
			s += fmt.Sprintf(" l2k %d", m.KL2)
		}
		if m.Cascade > 1 {
			s += fmt.Sprintf(" cascade %d", m.Cascade)
		}
		if m.Style != "" {
			s += " " + m.Style
		}
	case workload.KindAttention:
		s += fmt.Sprintf(" tile %dx%d cascade %d", m.Tile, m.TK, m.Cascade)
	default:
		s += fmt.Sprintf(" tile %d", m.Tile)
	}
	return fmt.Sprintf("%s depth %d", s, m.Depth)
}
