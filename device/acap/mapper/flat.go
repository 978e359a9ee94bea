package mapper

import (
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// flat enumerates kernels whose cores take equal shares of one dimension.
func (s *search) flat() {
	l := newLimits(s.machine)
	unit, extent := s.flatTile()
	lanes := s.lanes()
	for _, shape := range s.flatShapes(extent) {
		g := mapping.Mapping{Kind: s.kernel.Kind, Cols: shape[0], Rows: shape[1], Depth: 2, In: s.retention.In, Out: s.retention.Out}
		if int64(g.Cores()) > extent {
			continue
		}
		share := int((extent + int64(g.Cores()) - 1) / int64(g.Cores()))
		for _, g.Lanes = range lanes {
			ins, outs := len(s.kernel.Inputs()), len(s.kernel.Outputs())
			if g.Lanes > 0 {
				ins = g.Lanes
			}
			if r, need, limit := s.flatChannels(&g, &l, ins, outs); need > limit {
				s.reject(&g, r, need, limit)
				continue
			}
			s.flatTiles(g, &l, unit, share)
		}
	}
	if n := &s.kernel.Normalize; len(s.best) == 0 && s.kernel.Kind == workload.KindNormalize &&
		(n.Split == workload.SplitMerges || n.Split == workload.SplitRanges) {
		s.cut(&l)
	}
}

// flatShapes lists the shapes to try. To the shapes of any kernel it adds shapes whose sides are powers of two, and,
// for a short extent, shapes with as many columns as one, two, three or four pieces of the extent fill. A larger array,
// whose halves are other shapes, gets these as well.
func (s *search) flatShapes(extent int64) [][2]int {
	out := s.shapes()
	if s.full || s.retention.Block > 0 {
		return out
	}
	for c := 1; c <= s.cols; c *= 2 {
		out = s.also(out, c)
	}
	if extent <= int64(4*s.cols) {
		for _, c := range inParts(int(extent), s.cols) {
			out = s.also(out, c)
		}
	}
	return out
}

// inParts lists the numbers of columns, at most cols, that share an extent by one, two, three or four pieces each.
func inParts(extent, cols int) (out []int) {
	for each := 1; each <= 4; each++ {
		if c := up(extent, each); c <= cols {
			out = append(out, c)
		}
	}
	return out
}

// also adds the shapes of cols columns whose number of rows is a power of two.
func (s *search) also(shapes [][2]int, cols int) [][2]int {
	for r := 1; r <= min(s.machine.Grid.Tallest(cols), s.rows); r *= 2 {
		if shape := [2]int{cols, r}; !slices.Contains(shapes, shape) {
			shapes = append(shapes, shape)
		}
	}
	return shapes
}

// lanes lists the numbers of streams into a core to try: as many as there are channels, and a single stream. A single
// stream leaves channels of a mem tile for more cores. It is tried if no operand needs a stream of its own.
func (s *search) lanes() []int {
	in, _ := timing.Members(s.machine, s.kernel)
	own := func(m timing.Member) bool { return m.Length > 0 || m.Passes }
	if s.machine.Grid.MemRows == 0 || len(in) < 2 || slices.ContainsFunc(in, own) {
		return []int{0}
	}
	return []int{0, 1}
}

// cut divides a line that does not fit a core into pieces, one for each core. A core has two streams in and one out.
func (s *search) cut(l *limits) {
	for _, shape := range s.shapes() {
		g := mapping.Mapping{Kind: s.kernel.Kind, Cols: shape[0], Rows: shape[1]}
		if r, need, limit := s.flatChannels(&g, l, 2, 1); need > limit {
			s.reject(&g, r, need, limit)
			continue
		}
		s.wide(g, l)
	}
}

// flatTiles tries tile sizes with two buffers, or with one when not even the smallest tile fits twice. The memory
// needed grows linearly with the tile. Rows that do not fit twice are also tried in pieces, and so are long rows where
// a core has few of them, because the first result of a piece comes sooner.
func (s *search) flatTiles(g mapping.Mapping, l *limits, unit, share int) {
	inPieces := s.kernel.Kind == workload.KindNormalize && s.kernel.Normalize.Split == workload.SplitPasses && s.retention.Block == 0
	if inPieces && (s.strict || s.fewLongRows(share)) { // rows fit a core that are too long for one descriptor
		s.wide(g, l)
		inPieces = false
	}
	for g.Depth = 2; g.Depth >= 1; g.Depth-- {
		g.Tile = unit
		one := build.FlatMemory(s.machine, s.kernel, g)
		if one > l.core {
			s.reject(&g, coreMemory, one, l.core)
			if inPieces {
				s.wide(g, l)
				inPieces = false
			}
			continue
		}
		g.Tile = 1025 * unit
		each := (build.FlatMemory(s.machine, s.kernel, g)-one)/1024 + 1
		most := unit * (1 + (l.core-one)/each)
		tiles := multiples(unit, share, most, s.full)
		if n := s.retention.Block; n > 0 { // every core has the same number of tiles of the block
			tiles = slices.DeleteFunc(tiles, func(tile int) bool { return up(share, tile)*tile*g.Rows != n })
		}
		// Large tiles come first. The search goes on past a few slower tiles, so that more memory, which adds larger
		// tiles, does not hide the best one.
		const patience = 4
		fastest, behind := math.Inf(1), 0
		for _, tile := range tiles {
			g.Tile = tile
			switch seconds := s.offer(g); {
			case seconds < fastest:
				fastest, behind = seconds, 0
			default:
				behind++
			}
			if behind == patience && !s.full {
				break
			}
		}
		return
	}
}

// fewLongRows reports whether a core has few rows to do, which are long.
func (s *search) fewLongRows(share int) bool {
	const few, long = 4, 2048 // rows, columns
	return share <= few && s.kernel.Normalize.Cols >= long
}

// wide takes rows that do not fit a core in pieces. The largest pieces are tried first, then smaller ones while the
// time falls. A small piece is tried even where larger ones would use more of the memory.
func (s *search) wide(g mapping.Mapping, l *limits) {
	const unit, patience = 32, 3
	g.Tile, g.Depth = 1, 2
	fastest, behind := math.Inf(1), 0
	for units := up(s.kernel.Normalize.Cols, unit); units >= 1 && behind < patience; units /= 2 {
		g.TK = units * unit
		if build.WideMemory(s.machine, s.kernel, g) > l.core {
			continue
		}
		if seconds := s.offer(g); seconds < fastest {
			fastest, behind = seconds, 0
		} else {
			behind++
		}
	}
}

// flatTile returns the unit and the extent of the dimension that is split.
func (s *search) flatTile() (unit int, extent int64) {
	if w := s.kernel; w.Kind == workload.KindNormalize {
		return s.together(), int64(w.Normalize.Rows)
	}
	n := s.kernel.Pointwise.Elements
	return int(min(32, up(int(min(32, n)), s.together())*s.together())), n
}

// together is how many points or rows make whole words of every array that is sent tile by tile.
func (s *search) together() int {
	in, out := timing.Members(s.machine, s.kernel)
	n := 1
	for _, m := range append(in, out...) {
		for m.Length == 0 && !m.Passes && m.Bytes(n)%workload.Word != 0 {
			n *= 2
		}
	}
	return n
}

// flatChannels checks the DMA channels of the streams into a core and out of it: inputs beyond the channels of a core
// take turns on them. A column's tiles are distributed and joined by its mem tile where there is one.
func (s *search) flatChannels(g *mapping.Mapping, l *limits, ins, outs int) (reason, int, int) {
	ins, outs = min(ins, l.coreIn, l.shimOut), min(outs, l.coreOut, l.shimIn)
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

// move tries numbers of columns, of channels of each, and of objects that pass through a channel one after
// the other; no core takes part.
func (s *search) move() {
	const most = 16 << 10 // bytes of an object; a few descriptors keep the channel busy
	m, v := s.machine, &s.kernel.Move
	word := max(1, 4/v.DType.Size()) // elements of what a DMA moves
	for _, lanes := range halves(max(1, min(m.Shim.In.Int(), m.Shim.Out.Int())), true) {
		for _, c := range halves(min(s.cols, len(m.Grid.ShimDMA)), s.full) {
			last := 0
			for objects := 1; objects <= 64; objects *= 2 {
				tile := up(up(int(v.Elements), c*lanes*objects), word) * word
				if tile = min(tile, most/v.DType.Size(), int(v.Elements)); tile == last {
					continue
				}
				last = tile
				s.offer(mapping.Mapping{Kind: workload.KindMove, Cols: c, Rows: 1, Lanes: lanes, Tile: tile, Depth: 2})
			}
		}
	}
}
