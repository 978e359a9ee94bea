package gemm

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/blocks"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/vector/stream"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// code is a compiled contraction.
type code struct {
	kernel.OnePhase
	*plan
	to       vector.Processor
	exec     *exec.Code
	stages   []stage // of the sum, one if it is done at once
	packer   panelPacker
	copier   rowCopier
	decoder  *blocks.Decoder    // of a B that is stored in blocks, without code for another one
	whole    *whole             // for units that do not suit pieces, nil if there are none
	streamer *streamer          // of a vector and a matrix, in place of all others
	deferred *schedule.Epilogue // by a loop nest, nil if inTiles is there
	inTiles  *kernel.Epilogue   // of sums in registers, nil if a loop nest has the epilogue
	block    int                // words of the longest call block of tiles, squares and streams
	blockAt  int                // bytes of scratch memory in front of the call block
	columns  int                // of units
	full     int                // panels
	band     int                // tiles of rows
}

// panelPacker packs count panels of B from panel first on; src is the first element of a batch entry.
type panelPacker interface {
	pack(src, dst unsafe.Pointer, first, count int)
}

// rowCopier copies count rows of A from row first on; src is the first element of a batch entry, dst
// the first copied row.
type rowCopier interface {
	copy(src, dst unsafe.Pointer, first, count int)
}

// A stage is a run of steps of the sum.
type stage struct {
	first   int                   // step
	tiles   [2]*tiles.Code        // of vectors, for full panels and for the last
	squares [2]*tiles.SquaresCode // likewise, of matrix tiles
	more    bool
	last    bool
	most    int // tiles in a call that is not too long
	fetch   int // bytes from the first place that a tile fetches to the next tile's
}

// Compile compiles c for the given processor. Contractions that are better left to another back end
// give an error that wraps kernel.ErrUnsupported.
func Compile(c *kernel.Contraction, f cpu.Features, to vector.Processor, nests schedule.Nests) (kernel.Code, error) {
	if f.Level == cpu.Portable {
		return nil, fmt.Errorf("%w: no vector instructions", kernel.ErrUnsupported)
	}
	p, err := newPlan(c, f)
	if err != nil {
		return nil, err
	}
	g := &code{plan: p, to: to}
	if nest.FitsEpilogueAlong(&c.Epilogue, c.Acc.Size(), p.laneLoop, p.rowLoop) {
		units := p.perUnit
		if p.arith.tiles {
			p.fitUnits()
		}
		g.inTiles = &c.Epilogue
		if err = g.load(); err == nil {
			return g, nil
		} else if !errors.Is(err, kernel.ErrUnsupported) {
			return nil, err
		}
		p.perUnit = units
	}
	g = &code{plan: p, to: to}
	if g.deferred, err = newDeferred(p, &c.Epilogue, nests); err != nil {
		return nil, err
	}
	if err := g.load(); err != nil {
		g.deferred.Close()
		return nil, err
	}
	return g, nil
}

// load makes the code.
func (g *code) load() (err error) {
	g.decoder = new(blocks.Decoder)
	if g.b.Stored() {
		if g.decoder, err = newDecoder(g.plan, g.to); err != nil {
			return err
		}
	}
	parts := g.to.Parts(g.features, false)
	if err = g.emit(parts); err == nil {
		g.exec, err = parts.Load()
	}
	if err != nil {
		g.decoder.Close()
		return err
	}
	g.blockAt = kernel.Aligned(g.packScratch() + g.rawScratch() + g.deferred.Scratch())
	g.columns, g.full, g.band = g.unitColumns(), g.n/g.width(), g.bandTiles()
	return nil
}

// unitWidth returns the columns of a unit.
func (p *plan) unitWidth() int { return p.perUnit * p.width() }

// rawRow returns the stride of sums in scratch memory. Tiles of sums are columns of lines of the cache, which should not
// fall on few sets.
func (p *plan) rawRow() int {
	if p.arith.tiles && p.perUnit > 1 {
		return p.unitWidth() + tileSide
	}
	return p.unitWidth()
}

// emit emits all code: for each stage of the sum the full and the last panel, and the packers.
func (g *code) emit(parts vector.Parts) (err error) {
	if g.b.mode == streamed || g.turned != nil {
		g.streamer, err = g.newStreamer(parts)
		return err
	}
	if err = g.makeStages(parts); err != nil {
		return err
	}
	if g.splits() {
		if g.packer, err = newPanelSplitter(g.plan, parts); err != nil {
			return err
		}
		g.whole = new(whole)
		g.copier, err = newRowSplitter(g.plan, parts)
		return err
	}
	if g.b.Stored() {
		g.packer, err = newBlockPacker(g.plan, g.decoder, parts)
	} else if !g.inPlace() {
		g.packer, err = newPacker(g.plan, parts)
	}
	if err != nil || g.a.mode == direct {
		return err
	}
	switch {
	case g.rounded:
		g.copier, err = newRowRounder(g.plan, parts)
	case g.interleaved() > 1:
		var p *packer
		p, err = newPanels(g.plan, g.panelsOfA(), parts)
		g.copier = rowPanels{p}
	default:
		g.copier, err = newCopier(g.plan, parts)
	}
	return err
}

// makeStages makes the stages of a sum.
func (g *code) makeStages(parts vector.Parts) (err error) {
	known := map[variant]stage{}
	for first := 0; first < g.steps; first += g.chunk {
		s := stage{first: first, more: first > 0, last: first+g.chunk >= g.steps}
		v := variant{vecs: g.shape.vecs, depth: min(g.chunk, g.steps-first), more: s.more}
		flops := 2 * float64(g.shape.rows*g.width()) * float64(max(1, v.depth)*g.arith.group)
		s.most, s.fetch = max(1, int(callFlops*float64(g.lanes)/16/flops)), g.ahead(v.depth).Bytes()
		key := v
		if s.last {
			key.tail = -1
		}
		made, ok := known[key]
		if !ok {
			if made, err = g.stageOf(parts, v, s.last); err != nil {
				return err
			}
			known[key] = made
		}
		s.tiles, s.squares = made.tiles, made.squares
		g.stages = append(g.stages, s)
	}
	return nil
}

// lastColumns returns a variant for the last panel, and whether there is one that is not full.
func (g *code) lastColumns(v variant) (variant, bool) {
	n := g.n % g.width()
	v.vecs, v.tail, v.one, v.last = kernel.Pieces(n, g.lanes), n%g.lanes, true, true
	return v, n > 0
}

// stageOf makes the code of a stage for full panels, and for the last panel if that panel is not full.
func (g *code) stageOf(parts vector.Parts, v variant, last bool) (s stage, err error) {
	e := g.inTiles
	if !last {
		e = nil
	}
	one := func(i int, v variant) {
		bytes := 0
		switch {
		case err != nil:
			return
		case g.arith.tiles:
			if s.squares[i], err = g.squares(v, e).Build(parts); err == nil {
				bytes = s.squares[i].BlockBytes()
			}
		default:
			if s.tiles[i], err = g.tiles(v, e).Build(parts); err == nil {
				bytes = s.tiles[i].BlockBytes()
			}
		}
		g.block = max(g.block, kernel.Pieces(bytes, 8))
	}
	if g.n >= g.width() {
		v.one, v.last = g.n < 2*g.width(), g.n == g.width()
		one(0, v)
	}
	if v, ok := g.lastColumns(v); ok {
		one(1, v)
	}
	return s, err
}

// Units implements kernel.Code.
func (g *code) Units() int { return g.entries * g.blocks * g.unitColumns() }

// UnitNanos implements kernel.Code.
func (g *code) UnitNanos() float64 {
	flops := 2 * float64(g.m) * float64(g.n) * float64(g.k) / float64(g.blocks*g.unitColumns())
	rate := 60.0 * float64(g.features.Level.VectorBytes()) / 16 * float64(g.arith.group)
	if g.arith.tiles { // two terms of pieces, whose tiles are shared, take the time of one
		rate *= 2 / max(1, float64(len(g.arith.terms))/2)
	}
	bytes := float64(g.n*g.k*g.b.DType.Size()) / float64(g.unitColumns())
	return flops/rate + bytes/60
}

// Scratch implements kernel.Code. The call block comes last, with the operands of the epilogue.
func (g *code) Scratch() int { return g.blockAt + kernel.Aligned(8*(g.block+len(g.access))) }

// packScratch is for panels of B, and then for A.
func (g *code) packScratch() int {
	if g.a.mode == unitPacked {
		return g.scratchOfB() + kernel.Aligned(g.a.packed)
	}
	return g.scratchOfB()
}

func (g *code) scratchOfB() int {
	switch g.b.mode {
	case unitPacked:
		size := kernel.Aligned(g.perUnit * g.panel)
		if g.b.Stored() {
			size += g.valueBytes() + kernel.Aligned(g.decoder.Scratch())
		}
		return size
	case tilePacked:
		return kernel.Aligned(g.panel)
	}
	return 0
}

func (g *code) rawScratch() int {
	waits := len(g.stages) > 1 || g.arith.tiles || g.streamer != nil
	if !waits && g.deferred == nil {
		return 0
	}
	return kernel.Aligned(g.joinedStreams() * g.perBlock * g.shape.rows * g.rawRow() * g.arith.acc.Size())
}

// Listing implements kernel.Code. It emits the code once more: who runs it needs no listing.
func (g *code) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; tile %d×%d, panels %d, A %v, B %v, units %d\n",
		g.shape.rows, g.width(), g.panels, g.a.mode, g.b.mode, g.Units())
	if g.splits() {
		fmt.Fprintf(&b, "; %v in %d pieces, %v in %d\n", g.a.DType, g.arith.pieces[0], g.b.DType, g.arith.pieces[1])
	}
	parts := g.to.Parts(g.features, true)
	_ = g.again(parts) // as before
	b.WriteString(parts.Listing())
	b.WriteString(g.decoder.Listing())
	return b.String()
}

// again emits the code once more.
func (g *code) again(parts vector.Parts) error {
	return (&code{plan: g.plan, to: g.to, decoder: g.decoder, deferred: g.deferred, inTiles: g.inTiles}).emit(parts)
}

func (m mode) String() string {
	return [...]string{"in place", "packed once", "copied first", "packed by units",
		"packed by first tiles", "streamed"}[m]
}

// Close implements kernel.Code.
func (g *code) Close() {
	g.exec.Close()
	g.deferred.Close()
	if g.whole != nil {
		g.whole.close()
	}
	g.decoder.Close()
}

// worker has the memory that a goroutine needs to run units.
type worker struct {
	stream  stream.Call
	tiles   tiles.Call
	squares tiles.SquaresCall
	ports   []uintptr // of the epilogue
	block   []uintptr // the call block of tiles, squares and streams
	unit    unit
	splits  int // the batch entry of A in scratch memory, -1 if there is none
}

// Run implements kernel.Code.
func (g *code) Run(args *kernel.Args, lo, hi int) {
	words := unsafe.Slice((*uintptr)(unsafe.Add(args.Scratch, g.blockAt)), g.block+len(g.access))
	w := &worker{block: words[:g.block], ports: words[g.block:], splits: -1}
	if g.streamer != nil {
		g.streamUnits(w, args, lo, hi)
		lo = hi
	}
	for lo < hi {
		units := g.together(lo, hi)
		g.runUnits(w, args, lo, units)
		lo += units
	}
	runtime.KeepAlive(args)
}

// together returns how many units of few rows are computed as one from unit u on: columns of one entry that wait for
// nothing in scratch memory.
func (g *code) together(u, hi int) int {
	if g.m > fewRows || g.blocks > 1 || g.b.mode == unitPacked || g.arith.tiles || len(g.stages) > 1 || g.deferred != nil {
		return 1
	}
	return min(hi-u, g.columns-u%g.columns)
}

// unit is a block of the result that is computed at once, and the addresses of its operands.
type unit struct {
	entry        int // of the batch
	row, rows    int
	first, count int     // panels of B
	a, b         uintptr // the first row of A in the entry, the first panel of B in the unit
}

// runUnits computes some units, from the one with a number on, as one unit.
func (g *code) runUnits(w *worker, args *kernel.Args, number, units int) {
	column := number % g.columns
	number /= g.columns
	u := &w.unit
	*u = unit{entry: number / g.blocks, row: number % g.blocks * g.perBlock * g.shape.rows, first: column * g.perUnit}
	u.rows, u.count = min(g.m-u.row, g.perBlock*g.shape.rows), min(units*g.perUnit, g.panels-u.first)
	u.b = g.unitB(args, u.entry, u.first, u.count)
	if g.b.mode == unitPacked {
		w.tiles.Fetch = g.nextUnitB(args, u.entry, column+1)
	}
	if g.a.mode == unitPacked {
		g.splitA(w, args, u.entry)
	}
	u.a = g.unitA(args, u.entry)
	inPieces := g.whole == nil || g.unitFits(args, u)
	if !inPieces {
		g.whole.run(g, args, u)
	}
	if g.arith.tiles {
		for _, s := range g.stages {
			if inPieces || s.last {
				g.tileStage(w, args, s, u, !inPieces)
			}
		}
	} else {
		band, tiles := g.band, kernel.Pieces(u.rows, g.shape.rows)
		for first := 0; first < tiles; first += band {
			for i := range g.stages {
				g.stage(w, args, &g.stages[i], u, first, min(tiles, first+band))
			}
		}
	}
	g.finish(args, u.entry, u.row, u.first*g.width())
}

// operands returns where a stage of a unit begins to read A and B.
func (g *code) operands(s *stage, u *unit) (a, b uintptr) {
	return u.a + uintptr(u.row*g.aStride()+s.first*g.aStep()), u.b + uintptr(s.first*g.bStep())
}

// stage runs one stage of the sum for tiles first to end-1 of a unit, panel by panel, in calls that are not too long.
func (g *code) stage(w *worker, args *kernel.Args, s *stage, u *unit, first, end int) {
	a, b := g.operands(s, u)
	all, low := g.heights(u.rows)
	panelsAtOnce, full := max(1, s.most/(end-first)), min(u.count, max(0, g.full-u.first))
	w.tiles.Packed = uintptr(args.Scratch)
	for done := 0; done < u.count; {
		n, kind := min(full-done, panelsAtOnce), 0
		if n <= 0 {
			n, kind = 1, 1
		}
		w.tiles.B, w.tiles.Panels = b+uintptr(done*g.panelBytes()), n
		for tile := first; tile < end; tile += s.most {
			count, row := min(end-tile, s.most), min(tile, all)*g.shape.rows+max(0, tile-all)*low
			w.tiles.Tiles = min(count, max(0, all-tile))
			w.tiles.Low, w.tiles.First = count-w.tiles.Tiles, tile == first
			w.tiles.A = a + uintptr(row*g.aStride())
			if g.fetchesByPanel() {
				w.tiles.Fetch = w.tiles.B + uintptr(g.panelBytes()+(tile-first)*s.fetch)
			}
			w.tiles.Sums, w.tiles.Ports = g.waiting(args, row, done*g.width()), g.portsAt(w, args, s.last, u.entry, u.row+row, (u.first+done)*g.width())
			s.tiles[kind].Run(&w.tiles, w.block)
			if !g.fetchesByPanel() {
				w.tiles.Fetch += uintptr(n * count * s.fetch)
			}
		}
		done += n
	}
}

// waiting returns where the sums of a tile at a row and a column of a unit wait.
func (g *code) waiting(args *kernel.Args, row, col int) uintptr {
	return uintptr(args.Scratch) + uintptr(g.packScratch()) + uintptr((row*g.rawRow()+col)*g.arith.acc.Size())
}

// portAt returns where an operand of the epilogue is for a row and a column of the result.
func (g *code) portAt(args *kernel.Args, i, entry, row, col int) uintptr {
	a := &g.access[i]
	at := a.EntryAt(g.batch, entry) + row*a.Outer[g.rowLoop] + col*a.Outer[g.laneLoop]
	return uintptr(args.Ptr[2+i]) + uintptr(at*a.DType.Size())
}

// portsAt returns where the operands of the epilogue are for a row and a column of the result, if a stage has the
// epilogue.
func (g *code) portsAt(w *worker, args *kernel.Args, last bool, entry, row, col int) []uintptr {
	if g.inTiles == nil || !last {
		return nil
	}
	for i := range g.access {
		w.ports[i] = g.portAt(args, i, entry, row, col)
	}
	return w.ports
}
