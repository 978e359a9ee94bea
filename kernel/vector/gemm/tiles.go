package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// With few rows the product is as fast as packed B comes from memory, which is faster with prefetches ahead: far ahead with
// AVX-512, and less far on processors with AVX2 alone (a Zen 3 core is 5 to 15 % faster with 1 KiB than with 8 KiB or none).
// Where the second-level cache has all of B, prefetches take the ports of the loads and fetch what lies behind B.
const (
	fewRows   = 12
	farAhead  = 8192
	nearAhead = 1024
)

// rowsAhead is how far ahead a tile that packs fetches rows of B: they lie on other pages, where
// the processor does not look.
const rowsAhead = 10

// A variant is one block of code.
type variant struct {
	vecs  int  // vectors in a row of the panel
	tail  int  // elements in the last of them; 0 means all
	depth int  // steps of the sum
	more  bool // start from the waiting sums rather than from zero
	one   bool // only one panel has the code
	last  bool // the panel is the last one
}

// tiles returns what the code of a variant depends on, with the epilogue if the variant ends the sum.
func (p *plan) tiles(v variant, epilogue *kernel.Epilogue) *tiles.Tiles {
	_, low := p.heights(p.m)
	t := &tiles.Tiles{
		Multiply: p.arith.ofTiles(), Rows: p.shape.rows, Low: low, Vectors: v.vecs, Tail: v.tail, Depth: v.depth,
		OnePanel: v.one, OneTile: p.oneTile(),
		ARow: p.aStride(), AStep: p.aStep(), BStep: p.bStep(), Panel: p.panelBytes(), Columns: p.width(), Masked: p.b.mode == direct,
		Starts: p.correctsColumns() && !v.more, Waits: v.more, FarA: p.farA(), Sums: p.rawRow() * p.arith.acc.Size(),
		Ending: p.ending(epilogue),
	}
	if p.arith.crossed {
		t.RowStarts = p.rowStarts()
	}
	switch p.b.mode {
	case direct:
		if !p.smallB() && p.reachesAhead() && !p.conflicts(rowsAhead, p.bRow()) {
			t.RowAhead = rowsAhead * p.bRow()
		}
	case tilePacked:
		if p.lastInPlace(v) {
			t.BStep, t.Masked = p.bRow(), true
			break
		}
		t.Packs, t.Alone = p.bRow(), p.lowAlone()
		if !p.nearB() && (p.features.Level != cpu.AVX2 || !p.conflicts(rowsAhead, p.bRow())) { // a window has rows of one line
			t.PackingAhead = rowsAhead * p.bRow()
		}
	default:
		t.Head = p.correctionBytes()
		if p.b.mode == packedOnce && p.m <= fewRows && p.b.packed*p.b.copies > p.features.L2 {
			if t.RowAhead = nearAhead; p.features.Level != cpu.AVX2 {
				t.RowAhead = farAhead
			}
		}
	}
	if p.features.Level >= cpu.AVX512 && p.arith.acc.IsFloat() {
		t.EachEmbeds = func(row int) bool { return v.vecs == 1 || v.vecs <= 3 && row%2 == 1 }
	}
	if !v.last || p.b.copies > 1 || !p.fetchesByPanel() { // there is a panel behind this one
		t.Fetch = p.ahead(v.depth)
	}
	return t
}

// lowAlone reports whether the last block of rows has a lower tile and no other one.
func (p *plan) lowAlone() bool {
	all, _ := p.heights(p.m)
	return (p.blocks-1)*p.perBlock == all
}

// lastInPlace reports whether all tiles of the last panel read B in place: one instruction reads the last vector of a row, as
// if it were packed, and the first-level cache keeps the rows for the tiles that follow.
func (p *plan) lastInPlace(v variant) bool {
	size := p.b.DType.Size()
	bytes := v.tail * size
	return v.last && bytes&(bytes-1) == 0 && bytes != 1 && bytes != 2 && p.keepsRows(((v.vecs-1)*p.lanes+(v.tail+p.lanes-1)%p.lanes+1)*size)
}

// oneTile reports whether one tile has all rows.
func (p *plan) oneTile() bool { return p.m == p.shape.rows }

// ending returns what becomes of sums that an epilogue has, or that wait if there is none.
func (p *plan) ending(epilogue *kernel.Epilogue) tiles.Ending {
	return tiles.Ending{Epilogue: epilogue, Port: 2, RowLoop: p.rowLoop, LaneLoop: p.laneLoop, Flush: p.features.FlushesBF16()}
}

// farA reports whether A comes from so far that the next tile's rows are fetched early: from memory, or in bands that a
// crossed step reads eight bytes of. Where rows lie together, the processor does so.
func (p *plan) farA() bool {
	return p.interleaved() == 1 && (p.m*p.aStride() > p.features.L3/4 || p.arith.crossed && p.suitsBands(p.m))
}

// ofTiles returns how a step of a tile multiplies.
func (t *arithmetic) ofTiles() tiles.Multiply {
	kind, _ := vector.Element(t.acc)
	op := t.operation()
	return tiles.Multiply{Kind: kind, Op: op, Shifted: t.shiftedA, Crossed: t.crossed, ColumnsFirst: (op == vector.MatMixed || op == vector.DotMixed) && t.b == dtype.U8}
}

func (t *arithmetic) operation() vector.Op {
	switch {
	case t.byLane != vector.Invalid:
		return t.byLane
	case t.acc.IsFloat() && t.group > 1:
		return vector.DotBrain
	case t.acc.IsFloat():
		return vector.MulAdd
	case t.pairs():
		return vector.SumPairs
	case t.group == 4:
		return vector.DotMixed
	}
	return vector.Mul
}
