package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/vector/stream"
)

// A streamer multiplies a vector by a matrix, which is read once, in the order in which it lies in
// memory. Rows of B that are contiguous are added up a few at a time, the sums of a unit staying in
// the first-level cache; columns that are contiguous give dot products. Elements that are narrower than
// the sums are widened in registers, so that a matrix of 16 bits costs half of the bytes of one of 32.
type streamer struct {
	rows, last *stream.Code // of rows, and of the last of them, which may be fewer
	dots       *stream.Code // of columns, nil if B is read by rows
	finish     *stream.Code // the epilogue of sums of columns; nil if there is none
}

// streamRows is how many rows of B are added up at once.
const streamRows = 8

// streamVecs is how many vectors of the sums are held at once.
const streamVecs = 4

// streamArithmetic returns how a product of a vector and a matrix is streamed, in which both are widened
// in registers, and whether it is one that streamer takes.
func (p *plan) streamArithmetic() (arithmetic, bool) {
	t := arithmetic{acc: p.arith.acc, a: p.arith.acc, b: p.arith.acc, group: 1, pieces: [2]int{1, 1}, terms: p.arith.terms}
	if !t.acc.IsFloat() {
		t.temps = 1
	}
	widens := func(from dtype.DType) bool { return panel.Cells{From: from, To: t.acc, Group: 1}.Possible() }
	es, as, bs := t.acc.Size(), p.a.DType.Size(), p.b.DType.Size()
	switch {
	case p.m != 1 || p.k*p.n*es < 64<<10 || !widens(p.a.DType) || !widens(p.b.DType) || p.a.Col < 0:
		return t, false
	case p.packsPanels(): // once, in no more bytes
		return t, false
	case p.arith.a.Size() == 1: // its instructions are several times as fast
		return t, false
	case p.turns():
		return t, p.b.DType == t.acc && p.k%(p.features.Level.VectorBytes()/bs) == 0 && p.a.Col == 1 && p.k*stream.Streams*bs <= longestDots
	case p.b.Col == 1 && p.b.Row > 0:
		return t, p.b.Row*bs*(streamRows+1) < 1<<31 && p.a.Col*as*streamRows < 1<<31
	}
	return t, p.b.Row == 1 && p.b.Col > 0 && p.b.Col*bs < 1<<31 && p.a.Col == 1 && p.k*stream.Streams*bs <= longestDots
}

// packsPanels reports whether a constant B is read fastest from panels. A Zen 3 core reads 19 GB of a panel a second from
// memory, 29 of rows where they lie and 28 of columns in some streams, two cores 40, 37 and 55; caches give all as fast.
func (p *plan) packsPanels() bool {
	return p.packsOnce() && (p.features.Level != cpu.AVX2 || p.k*p.n*p.b.DType.Size() <= p.features.L2)
}

func (p *plan) packsOnce() bool { return p.b.Const && p.b.DType.Size() >= p.arith.b.Size() }

// turns reports whether rows of a constant B that is streamed are packed once, as columns.
func (p *plan) turns() bool { return p.packsOnce() && p.b.Col == 1 && p.b.Row > 0 }

// turn makes B columns that are packed once. A panel is the columns of some vectors of sums.
func (p *plan) turn() {
	size := p.b.DType.Size()
	p.b.mode, p.b.packed, p.b.copies, p.panel = packedOnce, p.k*p.n*size, p.b.Entries(p.batch), p.width()*p.k*size
	p.turned = &panels{p.cells(&p.b, p.b.DType), p.b.Row, 1, p.n, p.width(), p.panel, 0}
	p.b.Row, p.b.Col = 1, p.k
}

// longestDots bounds the bytes of the columns that are read at once, in one call.
const longestDots = 4 << 20

// newStreamer makes the code of a product that is streamed.
func (g *code) newStreamer(parts vector.Parts) (s *streamer, err error) {
	s = new(streamer)
	if of := g.turned; of != nil {
		k := &packer{plan: g.plan, panels: *of}
		k.other, err = panel.Strided{Cells: of.Cells, Depth: g.k, Side: g.n, Deep: of.deep, Across: 1, Out: of.bytes / of.each}.Build(parts)
		g.packer = k
	}
	waits := stream.Operands{Multiply: g.arith.ofTiles(), X: g.a.DType, Matrix: g.b.DType}
	ends := waits
	ends.Ending = g.ending(g.inTiles)
	build := func(of interface {
		Build(b vector.Backend) (*stream.Code, error)
	}) (code *stream.Code) {
		if err == nil {
			if code, err = of.Build(parts); err == nil {
				g.block = max(g.block, kernel.Pieces(code.BlockBytes(), 8))
			}
		}
		return code
	}
	size := g.b.DType.Size()
	if g.b.Col != 1 {
		s.dots = build(&stream.Dots{Operands: waits, Depth: g.k, Column: g.b.Col * size})
		if g.inTiles != nil {
			s.finish = build(&stream.Rows{Operands: ends, Vectors: 1, Columns: g.n % g.lanes})
		}
		return s, err
	}
	r := stream.Rows{Operands: waits, Rows: streamRows, XStep: g.a.Col * g.a.DType.Size(), Row: g.b.Row * size, Vectors: streamVecs,
		Columns: g.n % (streamVecs * g.lanes)}
	if g.k > streamRows {
		s.rows = build(&r)
	}
	r.Operands, r.Rows = ends, (g.k-1)%streamRows+1
	s.last = build(&r)
	return s, err
}

// Runs of rows of B, in bytes: the shortest one of a unit, and the longest one of joined units.
const (
	shortestRun = 2 << 10
	longestRun  = 16 << 10
)

// chooseStream sets the plan of a streamed product: a unit is a run of columns.
func (p *plan) chooseStream() {
	p.b.mode, p.a.mode = streamed, direct
	p.chunk = p.steps
	p.shape = shape{1, streamVecs}
	if p.turns() {
		p.turn()
	}
	p.blocks, p.perBlock = 1, 1
	p.panels = kernel.Pieces(p.n, p.width())
	bs := p.b.DType.Size()
	run := min(max(p.n*bs/(2*enoughUnits), shortestRun), longestRun)
	if p.b.Col != 1 { // dot products read columns, whatever their length, and the units of each thread are many
		run = min(max(p.k*p.n*bs/16, 64<<10), 256<<10) / max(p.k, 1)
	}
	p.perUnit = min(max(run/(p.width()*bs), 1), p.panels)
}

func (g *code) Joined() (units, least int) {
	if g.a.mode == unitPacked {
		return unitsPerSplit, unitsPerSplit
	}
	return g.joinedStreams(), 1
}

// joinedStreams returns how many units are streamed at once. Each run of a row begins with pages that the processor has
// to look up and lines that the processor has not fetched ahead: memory gives more bytes in a second to long runs, and to
// columns in long streams. The nests of an epilogue have the extents of one unit.
func (g *code) joinedStreams() int {
	run, unit := longestRun, g.unitWidth()*g.b.DType.Size()
	switch {
	case g.streamer == nil || g.deferred != nil:
		return 1
	case g.streamer.dots != nil:
		run, unit = stream.Longest, unit*g.k
	}
	return max(run/unit, 1)
}

// streamUnits computes units lo to hi-1, as many at once as are joined.
func (g *code) streamUnits(w *worker, args *kernel.Args, lo, hi int) {
	for most, all := g.joinedStreams(), g.columns; lo < hi; {
		entry, column := lo/all, lo%all
		units := min(hi-lo, all-column, most)
		first := column * g.unitWidth()
		g.runStream(w, args, entry, first, min(units*g.unitWidth(), g.n-first))
		g.finish(args, entry, 0, first)
		lo += units
	}
}

// runStream computes count columns from first on.
func (g *code) runStream(w *worker, args *kernel.Args, entry, first, count int) {
	as, bs := g.a.DType.Size(), g.b.DType.Size()
	c := &w.stream
	*c = stream.Call{X: g.unitA(args, entry), Matrix: uintptr(g.sourceB(args, entry)) + uintptr(first*g.b.Col*bs), Sums: g.waiting(args, 0, 0),
		Ports: g.portsAt(w, args, true, entry, 0, first)}
	if g.streamer.dots != nil {
		g.runDots(w, count)
		return
	}
	clear(unsafe.Slice((*byte)(unsafe.Add(args.Scratch, g.packScratch())), count*g.arith.acc.Size()))
	x, b, width := c.X, c.Matrix, streamVecs*g.lanes
	c.Groups, c.Tail = count/width, count%width > 0
	for row := 0; row < g.k; row += streamRows {
		code := g.streamer.rows
		if row+streamRows >= g.k {
			code = g.streamer.last
		}
		c.X, c.Matrix = x+uintptr(row*g.a.Col*as), b+uintptr(row*g.b.Row*bs)
		code.Run(c, w.block)
	}
}

// runDots computes dot products of some columns, a part of each stream in each call, and then the epilogue.
func (g *code) runDots(w *worker, count int) {
	c, b, to := &w.stream, w.stream.Matrix, w.stream.Sums
	column, size := g.b.Col*g.b.DType.Size(), g.arith.acc.Size()
	stream.Columns(count, g.k, stream.Streams, func(first, columns, apart int) {
		c.Groups, c.Matrix, c.Sums = columns, b+uintptr(first*column), to+uintptr(size*first)
		c.Apart, c.SumsApart = uintptr(apart*column), uintptr(size*apart)
		g.streamer.dots.Run(c, w.block)
	})
	if g.streamer.finish != nil {
		c.Sums, c.Groups, c.Tail = to, count/g.lanes, count%g.lanes > 0
		g.streamer.finish.Run(c, w.block)
	}
}
