package mapper

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// flat enumerates kernels whose cores take equal shares of one dimension.
func (s *search) flat() {
	l := newLimits(s.machine)
	unit, extent := s.flatTile()
	for _, shape := range s.shapes() {
		g := mapping.Mapping{Kind: s.kernel.Kind, Cols: shape[0], Rows: shape[1], Depth: 2}
		if int64(g.Cores()) > extent {
			continue
		}
		if r, need, limit := s.flatChannels(&g, &l); need > limit {
			s.reject(&g, r, need, limit)
			continue
		}
		share := int((extent + int64(g.Cores()) - 1) / int64(g.Cores()))
		most := max(unit, int(float64(l.core)/s.flatBytes()))
		tried := 0
		for _, tile := range multiples(unit, share, most, s.full) {
			g.Tile = tile
			if s.fitFlat(&g, &l) {
				s.offer(g)
				tried++
			}
			if !s.full && tried == 3 {
				break
			}
		}
	}
}

// fitFlat makes the mapping fit by giving up double buffering if it must.
func (s *search) fitFlat(g *mapping.Mapping, l *limits) bool {
	for g.Depth = 2; g.Depth >= 1; g.Depth-- {
		need := program.FlatMemory(s.machine, s.kernel, *g)
		if need <= l.core {
			return true
		}
		s.reject(g, coreMemory, need, l.core)
	}
	return false
}

// flatTile returns the unit and the extent of the dimension that is split.
func (s *search) flatTile() (unit int, extent int64) {
	w := s.kernel
	switch w.Kind {
	case workload.KindNormalize:
		return 1, int64(w.Normalize.Rows)
	case workload.KindSerial:
		if w.Serial.Chains > 1 {
			return int(min(w.Serial.Elements/w.Serial.Chains, 1<<12)), w.Serial.Elements
		}
		return 32, w.Serial.Elements
	}
	return int(min(32, w.Pointwise.Elements)), w.Pointwise.Elements
}

// flatBytes is at most the bytes that a unit of the dimension occupies in a core.
func (s *search) flatBytes() float64 {
	_, extent := s.flatTile()
	var bytes float64
	for _, list := range [2][]workload.Stream{s.kernel.Inputs(), s.kernel.Outputs()} {
		for _, t := range list {
			bytes += max(float64(t.Bytes())/float64(extent), 1.0/64)
		}
	}
	return bytes
}

// flatChannels checks the DMA channels: inputs beyond the channels of a core
// take turns on them. A column's tiles are distributed and joined by its mem
// tile where there is one.
func (s *search) flatChannels(g *mapping.Mapping, l *limits) (reason, int, int) {
	ins := min(len(s.kernel.Inputs()), l.coreIn, l.shimOut)
	outs := min(len(s.kernel.Outputs()), l.coreOut, l.shimIn)
	if l.memRows == 0 {
		interfaces := min(l.shimCols, max(1, g.Cols))
		if n := up(ins*g.Cores(), interfaces); n > l.shimOut {
			return shimChannels, n, l.shimOut
		}
		return shimChannels, up(outs*g.Cores(), interfaces), l.shimIn
	}
	if g.Cols > l.shimCols {
		return shimChannels, g.Cols, l.shimCols
	}
	return l.distribute(ins, outs, g.Rows)
}

// distribute places the streams of a column in its mem tiles: an input comes in
// once and leaves for every row, an output the other way round. It returns the
// channels of the fullest tile.
func (l *limits) distribute(ins, outs, rows int) (reason, int, int) {
	type use struct{ in, out int }
	tiles := make([]use, l.memRows)
	limit := use{l.memIn / l.memRows, l.memOut / l.memRows}
	place := func(in, out int) int {
		best, left := 0, -1<<30
		for i, t := range tiles {
			if n := min(limit.in-t.in-in, limit.out-t.out-out); n > left {
				best, left = i, n
			}
		}
		tiles[best].in += in
		tiles[best].out += out
		return left
	}
	worst := limit.in
	for range ins {
		worst = min(worst, place(1, rows))
	}
	for range outs {
		worst = min(worst, place(rows, 1))
	}
	return memTileChannels, limit.in - worst, limit.in
}

// move tries every number of columns; no core takes part.
func (s *search) move() {
	cols, _ := s.machine.Grid.Usable()
	for _, c := range halves(min(cols, len(s.machine.Grid.ShimDMA)), s.full) {
		s.offer(mapping.Mapping{Kind: workload.KindMove, Cols: c, Rows: 1, Depth: 2,
			Tile: s.moveTile()})
	}
}

// moveTile is the elements that pass through a mem tile, or straight through an
// interface tile, at a time.
func (s *search) moveTile() int {
	const most = 16 << 10 // bytes; a few descriptors keep the channel busy
	size := s.kernel.Move.DType.Size()
	return int(min(int64(most/size), s.kernel.Move.Elements))
}
