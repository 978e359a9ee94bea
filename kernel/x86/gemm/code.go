package gemm

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// code is a compiled contraction.
type code struct {
	*plan
	exec     *exec.Code
	product  *kernel.Contraction
	stages   []stage // of the sum, one if it is done at once
	packer   panelPacker
	copier   rowCopier
	decoders *decoders          // of a B that is stored in blocks, nil for another one
	whole    *whole             // for units that do not suit pieces, nil if there are none
	streamer *streamer          // of a vector and a matrix, in place of all others
	deferred *schedule.Epilogue // nil if the epilogue is emitted in line
	final    []epilogue.Port
	workers  sync.Pool
}

// panelPacker packs count panels of B from panel first on; src is the first element of a batch entry.
type panelPacker interface {
	pack(code *exec.Code, src, dst unsafe.Pointer, first, count int)
}

// rowCopier copies count rows of A from row first on; src is the first element of a batch entry, dst
// the first copied row.
type rowCopier interface {
	copy(code *exec.Code, src, dst unsafe.Pointer, first, count int)
}

// A stage is a run of steps of the sum.
type stage struct {
	first int    // step
	entry [2]int // of the code for full panels and for the last
	more  bool
	last  bool
	most  int // tiles in a call that is not too long
	fetch int // bytes from the first piece of the next panel that a tile fetches to that of the next tile
}

// Compile compiles c for the given processor. Contractions that are better left to another back end
// give an error that wraps kernel.ErrUnsupported.
func Compile(c *kernel.Contraction, f cpu.Features, nests schedule.Nests) (kernel.Code, error) {
	if f.Level < cpu.AVX2 {
		return nil, fmt.Errorf("%w: no vector instructions", kernel.ErrUnsupported)
	}
	p, err := newPlan(c, f)
	if err != nil {
		return nil, err
	}
	g := &code{plan: p, product: c}
	epi, inside := p.newEpilogue(c)
	if !inside {
		if g.deferred, err = newDeferred(p, &c.Epilogue, nests); err != nil {
			return nil, err
		}
	} else if p.arith.tiles {
		p.narrowUnits()
	}
	g.final = epi.Ports
	if p.b.Stored() {
		if g.decoders, err = newDecoders(p); err != nil {
			return nil, err
		}
	}
	a := asm.Unlisted()
	parts := emit.NewParts(f, a)
	if err = g.emit(a, parts, epi); err == nil {
		g.exec, err = exec.Load(a.Assemble().Bytes)
	}
	if err != nil {
		g.decoders.close()
		return nil, err
	}
	parts.Load(g.exec)
	g.workers.New = func() any { return g.newWorker() }
	return g, nil
}

// newEpilogue returns what tiles do with their sums, and whether that is the whole epilogue: else they store the sums.
func (p *plan) newEpilogue(c *kernel.Contraction) (epi *epilogue.Epilogue, inside bool) {
	epi, err := epilogue.New(&c.Epilogue, 2, p.rowLoop, p.laneLoop, c.Acc, p.features, p.temps())
	if err != nil {
		return epilogue.Raw(c.Acc, p.rawRow(), p.features), false
	}
	return epi, true
}

// rawRow returns the stride of sums in scratch memory.
func (p *plan) rawRow() int { return p.perUnit * p.width() }

// emit emits all code: for each stage of the sum the full and the last panel, and the packers.
func (g *code) emit(a *asm.Assembler, parts *emit.Parts, epi *epilogue.Epilogue) (err error) {
	tailRows := g.m % g.shape.rows
	var raw *epilogue.Epilogue
	switch {
	case !g.arith.tiles:
		raw = epilogue.Raw(g.arith.acc, g.rawRow(), g.features)
	case g.deferred != nil: // tiles leave their sums in scratch memory
		epi = nil
	}
	if g.b.mode == streamed {
		g.streamer = newStreamer(g.plan, a, epi, raw)
		return nil
	}
	g.emitStages(a, epi, raw, tailRows)
	if g.splits() {
		if g.packer, err = newPanelSplitter(g.plan, a, parts); err != nil {
			return err
		}
		g.whole = new(whole)
		g.copier, err = newRowSplitter(g.plan, a, parts)
		return err
	}
	if g.b.Stored() {
		g.packer, err = newBlockPacker(g.plan, g.decoders, parts)
	} else if !g.inPlace() {
		g.packer, err = newPacker(g.plan, parts)
	}
	if err == nil && g.a.mode != direct {
		g.copier, err = newCopier(g.plan, parts)
	}
	return err
}

// emitStages emits the stages of a sum.
func (g *code) emitStages(a *asm.Assembler, epi, raw *epilogue.Epilogue, tailRows int) {
	known := map[variant][2]int{}
	for first := 0; first < g.steps; first += g.chunk {
		s := stage{first: first, more: first > 0, last: first+g.chunk >= g.steps}
		v := variant{vecs: g.shape.vecs, depth: min(g.chunk, g.steps-first), more: s.more}
		flops := 2 * float64(g.shape.rows*g.width()) * float64(max(1, v.depth)*g.arith.group)
		s.most = max(1, int(callFlops*float64(g.lanes)/16/flops))
		if g.fetchesByPanel() {
			s.fetch = g.ahead(v.depth).run()
		}
		key := v
		if s.last {
			key.tail = -1
		}
		entry, ok := known[key]
		if !ok {
			out := raw
			if s.last {
				out = epi
			}
			entry = g.emitColumns(a, v, out, tailRows)
			known[key] = entry
		}
		s.entry = entry
		g.stages = append(g.stages, s)
	}
}

// emitColumns emits a variant for full panels and one for the last panel if it is not full.
func (g *code) emitColumns(a *asm.Assembler, v variant, epi *epilogue.Epilogue, tailRows int) [2]int {
	var entry [2]int
	one := func(v variant) int {
		a.Align(64)
		at := a.Len()
		a.Notef("%d vectors, tail %d, %d steps", v.vecs, v.tail, v.depth)
		if g.arith.tiles {
			g.newTileCode(a, v, epi).emit()
			return at
		}
		b := block{plan: g.plan, variant: v, a: a, epi: epi, rawRow: g.rawRow()}
		b.emit(tailRows)
		return at
	}
	if g.n >= g.width() {
		entry[0] = one(v)
	}
	if n := g.n % g.width(); n > 0 {
		v.vecs, v.tail = divideUp(n, g.lanes), n%g.lanes
		entry[1] = one(v)
	}
	return entry
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

// Scratch implements kernel.Code.
func (g *code) Scratch() int {
	size := g.packScratch() + g.rawScratch()
	if g.deferred != nil {
		size += g.deferred.Scratch()
	}
	return size
}

func (g *code) packScratch() int {
	switch g.b.mode {
	case unitPacked:
		return round64(g.perUnit*g.panel) + g.valueBytes() + g.decoders.scratch()
	case tilePacked:
		return round64(g.panel)
	}
	return 0
}

func (g *code) rawScratch() int {
	waits := len(g.stages) > 1 || g.arith.tiles || g.streamer != nil && (!g.streamer.columns || g.streamer.far())
	if !waits && g.deferred == nil {
		return 0
	}
	return round64(g.Joined() * g.perBlock * g.shape.rows * g.rawRow() * g.arith.acc.Size())
}

func round64(n int) int { return (n + 63) &^ 63 }

// Listing implements kernel.Code. It emits the code once more: who runs it needs no listing.
func (g *code) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; tile %d×%d, panels %d, A %v, B %v, units %d\n",
		g.shape.rows, g.width(), g.panels, g.a.mode, g.b.mode, g.Units())
	if g.splits() {
		fmt.Fprintf(&b, "; %v in %d pieces, %v in %d\n", g.a.DType, g.arith.pieces[0], g.b.DType, g.arith.pieces[1])
	}
	a := asm.New()
	epi, _ := g.newEpilogue(g.product)
	_ = (&code{plan: g.plan, deferred: g.deferred}).emit(a, emit.NewParts(g.features, a), epi) // as before
	a.Assemble().WriteTo(&b)
	b.WriteString(g.decoders.listing())
	return b.String()
}

func (m mode) String() string {
	return [...]string{"in place", "packed once", "copied first", "packed by units",
		"packed by first tiles", "streamed"}[m]
}

// Close implements kernel.Code.
func (g *code) Close() {
	g.exec.Close()
	if g.deferred != nil {
		g.deferred.Close()
	}
	if g.whole != nil {
		g.whole.close()
	}
	g.decoders.close()
}

// worker is what a goroutine needs to run units.
type worker struct {
	args callArgs
	nest kernel.Args
}

func (g *code) newWorker() *worker {
	w := new(worker)
	if g.deferred != nil {
		w.nest = g.deferred.Args()
	}
	return w
}

// Run implements kernel.Code.
func (g *code) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*worker)
	if g.streamer != nil {
		g.streamUnits(w, args, lo, hi)
		lo = hi
	}
	for lo < hi {
		units := g.together(lo, hi)
		g.unit(w, args, lo, units)
		lo += units
	}
	if w.nest.Fault != 0 {
		args.Fault, w.nest.Fault = 1, 0
	}
	clear(w.nest.Ptr)
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// together returns how many units of few rows are computed as one from unit u on: columns of one entry that wait for
// nothing in scratch memory.
func (g *code) together(u, hi int) int {
	if g.m > fewRows || g.blocks > 1 || g.b.mode == unitPacked || g.arith.tiles || len(g.stages) > 1 || g.deferred != nil {
		return 1
	}
	return min(hi-u, g.unitColumns()-u%g.unitColumns())
}

// unit computes some units from unit u on.
func (g *code) unit(w *worker, args *kernel.Args, u, units int) {
	column := u % g.unitColumns()
	u /= g.unitColumns()
	block, entry := u%g.blocks, u/g.blocks
	first := column * g.perUnit
	count := min(units*g.perUnit, g.panels-first)
	b := g.unitB(args, entry, first, count)
	if g.b.mode == unitPacked {
		w.args.fetch = g.nextUnitB(args, entry, column+1)
	}
	a := g.unitA(args, entry)
	row0 := block * g.perBlock * g.shape.rows
	rows := min(g.m-row0, g.perBlock*g.shape.rows)
	raw := unsafe.Add(args.Scratch, g.packScratch())
	inPieces := g.whole == nil || g.unitFits(args, entry, row0, rows, first, count)
	if !inPieces {
		g.whole.run(g, args, entry, row0, rows, first*g.width(), raw)
	}
	for _, s := range g.stages {
		from := a + uintptr(row0*g.aStride()+s.first*g.aStep())
		to := b + uintptr(s.first*g.bStep())
		switch {
		case !g.arith.tiles:
			g.stage(w, args, s, entry, row0, rows, first, count, from, to)
		case inPieces || s.last:
			g.tileStage(w, args, s, entry, row0, rows, first, count, from, to, !inPieces)
		}
	}
	if g.deferred != nil {
		g.finish(w, args, entry, row0, rows, first*g.width())
	}
}

// stage runs one stage of the sum for a unit, panel by panel, in calls that are not too long.
func (g *code) stage(w *worker, args *kernel.Args, s stage, entry, row0, rows, first, count int,
	a, b uintptr) {
	tiles := divideUp(rows, g.shape.rows)
	rowsAtOnce, panelsAtOnce := min(tiles, s.most)*g.shape.rows, max(1, s.most/tiles)
	full := min(count, max(0, g.n/g.width()-first))
	w.args.packed = uintptr(args.Scratch)
	for done := 0; done < count; {
		n, kind := min(full-done, panelsAtOnce), 0
		if n <= 0 {
			n, kind = 1, 1
		}
		w.args.b = b + uintptr(done*g.panelBytes())
		for row := 0; row < rows; row += rowsAtOnce {
			height := min(rows-row, rowsAtOnce)
			w.args.panels, w.args.tiles, w.args.tail = n, height/g.shape.rows, 0
			if height%g.shape.rows > 0 {
				w.args.tail = 1
			}
			w.args.first = 0
			if row == 0 {
				w.args.first = 1
			}
			w.args.a = a + uintptr(row*g.aStride())
			if g.fetchesByPanel() {
				w.args.fetch = w.args.b + uintptr(g.panelBytes()+row/g.shape.rows*s.fetch)
			}
			g.ports(w, args, s, entry, row0, row, first*g.width(), done*g.width())
			g.exec.CallAt(s.entry[kind], unsafe.Pointer(&w.args))
		}
		done += n
	}
}

// ports sets the addresses of the epilogue's operands and of the waiting sums for the tile at row
// and col of the unit that begins at row0 and col0.
func (g *code) ports(w *worker, args *kernel.Args, s stage, entry, row0, row, col0, col int) {
	size := g.arith.acc.Size()
	raw := uintptr(args.Scratch) + uintptr(g.packScratch()) +
		uintptr((row*g.rawRow()+col)*size)
	w.args.base[ports-1] = raw
	if !s.last || g.deferred != nil {
		w.args.base[0] = raw
		return
	}
	for i := range g.access {
		at := g.access[i].EntryAt(g.batch, entry) + (row0+row)*g.final[i].Row +
			(col0+col)*g.final[i].Lane
		w.args.base[i] = uintptr(args.Ptr[2+i]) + uintptr(at*g.final[i].DType.Size())
	}
}
