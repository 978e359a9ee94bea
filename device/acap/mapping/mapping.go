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
	// Col and Row are how far the first core is from the lowest place where a rectangle of the mapping's columns and
	// rows has cores everywhere: see machine.Grid.At.
	Col, Row int

	// Contractions and convolutions are cut into output blocks of
	// (PartsM · TM) × (PartsN · TN), one tile per group of Cascade cores.
	TM, TN, TK int // tile of one core and one kernel call
	// OutRows and OutCols are the output positions of a convolution's tile; TM is their product. See [Patch]. Both 0
	// means that the implicit matrix is formed outside the array.
	OutRows, OutCols int
	ChannelTiles     int // of channels in which the input of such a tile comes; 0 is one
	PartsM, PartsN   int // tiles of a block along M and along N
	Cascade          int // cores that split K and pass partial sums on; at least 1
	KL2              int // slice of K staged outside the cores; 0 means none
	// Hold is how many strips of A, all of a core's range of K, a mem tile has space for, in
	// which one remains while the blocks of a set along N use it; 0 sends A again for each.
	Hold int
	// Resident is the row of mem tiles, from 1 on, in which all of B lies before the kernel
	// starts, in the order in which cores take it; 0 brings it from outside.
	Resident int
	// FanOutA is the number of parts along M whose tiles of A share one stream from outside, and FanOutB the number of
	// parts along N whose tiles of B do. Mem tiles part such a stream. 0 means 1.
	FanOutA, FanOutB int
	// In is where the left operand of a product, or an input of a kernel whose cores take equal shares,
	// lies before the kernel starts, and Out where its result remains.
	In, Out Retained
	// StageM and StageN are blocks along M and N whose partial sums are kept
	// in the staging memory while a slice of K is used; at least 1.
	StageM, StageN int
	Style          string // how the kernel is written: machine.Compute.Styles
	OutDepth       int    // buffers of the output tile; 2 overlaps draining with work

	// Tile is elements (pointwise, move), rows (normalize) or queries
	// (attention) of one core's tile. Attention takes TK keys at a time, and TN features of their values; further
	// features take rounds of their own. A normalization whose rows do not fit a core takes TK columns of one row at a
	// time, once for every pass; TK 0 means whole rows.
	Tile  int
	Heads int // attention: heads worked on at once
	// FanOut is of how many heads the keys come on one stream, and the values on another, which mem
	// tiles part.
	FanOut int
	// Masked attention works on tiles of keys that a causal mask hides as on all others,
	// and masks their scores.
	Masked bool

	Depth int // buffers per input FIFO end: 2 is double buffering
	// Lanes is how many streams bring the arrays of a pointwise kernel or of rows to a core, which
	// share them; 0 is as many as it has channels for. Of a rearrangement it is the streams of a column; 0 is one.
	Lanes int
}

// Cores returns the number of cores used.
func (g Mapping) Cores() int { return g.Cols * g.Rows }

// FanOuts returns FanOutA and FanOutB, each at least 1.
func (g Mapping) FanOuts() (a, b int) { return max(1, g.FanOutA), max(1, g.FanOutB) }

// Across reports whether the columns of cores split M and the rows split N of a
// contraction, rather than the other way round. vertical says that cascades run
// along columns, as machine.Grid.VerticalCascade.
func (g Mapping) Across(vertical bool) bool {
	switch {
	case g.Stacked():
		return false
	case vertical:
		return g.PartsN != g.Cols
	}
	return g.PartsN*g.Cascade != g.Cols
}

// Stacked reports whether all cores split M of a contraction, with neighbouring parts in a column.
func (g Mapping) Stacked() bool {
	return g.PartsN == 1 && g.Cascade == 1 && min(g.Cols, g.Rows) > 1 && g.PartsM == g.Cores()
}

// Place returns the column and the row, in the grid of cores in use, of the core for part
// (m, n) and stage k of a product. vertical says that cascades run along columns,
// downwards; else they run along rows, from right to left in those named.
func (g Mapping) Place(m, n, k int, vertical bool, leftwards func(row int) bool) (col, row int) {
	if g.Stacked() {
		return m / g.Rows, m % g.Rows
	}
	col, row = n, m
	if g.Across(vertical) {
		col, row = m, n
	}
	switch {
	case vertical: // stage 0 is the top core of its group
		row = row*g.Cascade + g.Cascade - 1 - k
	case leftwards(row):
		col = col*g.Cascade + g.Cascade - 1 - k
	default:
		col = col*g.Cascade + k
	}
	return col, row
}

// String returns the mapping in one line, for example
// "4x4 tile 64x64x64 depth 2/2 vector".
func (g Mapping) String() string {
	s := fmt.Sprintf("%dx%d", g.Cols, g.Rows)
	if g.Col != 0 || g.Row != 0 {
		s += fmt.Sprintf(" at +%d+%d", g.Col, g.Row)
	}
	if g.Depth == 0 { // on a machine without programs, whose style is all there is to say
		return s + " " + g.Style
	}
	switch g.Kind {
	case workload.KindContraction, workload.KindConvolution:
		s += fmt.Sprintf(" parts %dx%d", g.PartsM, g.PartsN)
		if g.TM > 0 { // no tile was chosen where a mapping is refused before
			s += fmt.Sprintf(" tile %dx%dx%d", g.TM, g.TN, g.TK)
		}
		if g.OutRows > 0 {
			s += fmt.Sprintf(" positions %dx%d", g.OutRows, g.OutCols)
		}
		if g.ChannelTiles > 1 {
			s += fmt.Sprintf(" channel-tiles %d", g.ChannelTiles)
		}
		if g.KL2 > 0 {
			s += fmt.Sprintf(" l2k %d", g.KL2)
		}
		if g.Hold > 0 {
			s += fmt.Sprintf(" hold %d", g.Hold)
		}
		if g.Resident > 0 {
			s += fmt.Sprintf(" resident %d", g.Resident)
		}
		if a, b := g.FanOuts(); a > 1 || b > 1 {
			s += fmt.Sprintf(" fan-out %dx%d", a, b)
		}
		s += g.retained()
		if g.Cascade > 1 {
			s += fmt.Sprintf(" cascade %d", g.Cascade)
		}
		if g.StageM*g.StageN > 1 {
			s += fmt.Sprintf(" stage %dx%d", g.StageM, g.StageN)
		}
		return s + fmt.Sprintf(" depth %d/%d %s", g.Depth, g.OutDepth, g.Style)
	case workload.KindAttention:
		s += fmt.Sprintf(" heads %d", g.Heads)
		if g.Tile > 0 {
			s += fmt.Sprintf(" tile %dx%dx%d", g.Tile, g.TK, g.TN)
		}
		s += fmt.Sprintf(" cascade %d", g.Cascade)
		if g.FanOut > 1 {
			s += fmt.Sprintf(" fan-out %d", g.FanOut)
		}
		if g.Masked {
			s += " masked"
		}
	default:
		s += fmt.Sprintf(" tile %d", g.Tile)
		if g.TK > 0 {
			s += fmt.Sprintf(" x%d", g.TK)
		}
		if g.Lanes > 0 {
			s += fmt.Sprintf(" lanes %d", g.Lanes)
		}
		s += g.retained()
	}
	return s + fmt.Sprintf(" depth %d", g.Depth)
}

// Chunks returns the elements of the head dimension of attention that one call takes,
// and the number of calls.
func (g Mapping) Chunks(d int) (each, calls int) {
	if d > g.TN && d%g.TN == 0 {
		return g.TN, d / g.TN
	}
	return d, 1
}

// QueryTiles returns how many tiles of queries the cores of a head of attention hold: one for every cascade.
func (g Mapping) QueryTiles() int { return g.Cores() / (g.Heads * g.Cascade) }

// CascadeAt returns the column and the lowest row, in the grid of cores in use, of a cascade of attention. Those
// of the first head come first, and fill the columns one after the other.
func (g Mapping) CascadeAt(cascade int) (col, row int) {
	above := g.Rows / g.Cascade
	return cascade / above, cascade % above * g.Cascade
}

// MaskObjects returns how many tiles of keys are as long as a core's tile of the
// mask, which travels on their stream, and how many such tiles pass by.
func (g Mapping) MaskObjects(a *workload.Attention) (each, tiles int) {
	if a.Mask == nil {
		return 0, 0
	}
	if tiles = 1; a.Mask.Queries > 1 {
		tiles = g.QueryTiles()
	}
	chunk, _ := g.Chunks(a.D)
	key := chunk * a.DType.Size()
	return (a.Mask.Rows(g.Tile)*a.Mask.DType.Size() + key - 1) / key, tiles
}

// MasksJoin reports whether masks of several heads can come on one stream: tiles of them fill whole objects, by whole
// rows, or are a row.
func (g Mapping) MasksJoin(a *workload.Attention) bool {
	if a.Mask == nil || a.Mask.Queries == 1 {
		return true
	}
	chunk, _ := g.Chunks(a.D)
	key, row := chunk*a.DType.Size(), a.Mask.DType.Size()
	return key%row == 0 && g.Tile*row%key == 0
}

// SliceA is Slice for A, which may be held, or leave a retained array tile by tile.
func (g Mapping) SliceA(k int) int {
	if g.In.Row > 0 {
		return g.TK
	}
	if g.Hold > 0 {
		return (k + g.Cascade*g.TK - 1) / (g.Cascade * g.TK) * g.TK
	}
	return g.Slice(k)
}

// SliceB is Slice for B, which leaves mem tiles tile by tile, where it is resident.
func (g Mapping) SliceB(k int) int {
	if g.Resident > 0 {
		return g.TK
	}
	return g.Slice(k)
}

// Slice returns the elements of K that one staged object of an operand of a
// product holds for one core: as many whole steps as divide the core's range of K
// and do not exceed the slice asked for.
func (g Mapping) Slice(k int) int {
	steps := (k + g.Cascade*g.TK - 1) / (g.Cascade * g.TK)
	n := max(1, min(g.KL2/(g.Cascade*g.TK), steps))
	for steps%n != 0 {
		n--
	}
	return n * g.TK
}
