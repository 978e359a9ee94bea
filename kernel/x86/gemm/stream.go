package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// A streamer multiplies a vector by a matrix, which is read once, in the order in which it lies in
// memory. Rows of B that are contiguous are added up a few at a time, the sums of a unit staying in
// the first-level cache; columns that are contiguous give dot products. Elements that are narrower than
// the sums are widened in registers, so that a matrix of 16 bits costs half of the bytes of one of 32.
type streamer struct {
	*plan
	columns bool // dot products
	// entries: by place of the rows (first, middle, last, only), then full or last vectors
	entry [4][2]int
	sums  int // of dot products of far columns, whose epilogue the entries are
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
	x, y := widening{p.a.DType, t.a, p.features}, widening{p.b.DType, t.b, p.features}
	lanes, es, as, bs := p.features.Level.VectorBytes()/t.acc.Size(), t.acc.Size(), p.a.DType.Size(), p.b.DType.Size()
	switch {
	case p.m != 1 || p.k*p.n*es < 64<<10 || !x.possible() || !y.possible() || p.a.Col < 0:
		return t, false
	case p.b.Const && bs >= p.arith.b.Size(): // packed once, in no more bytes
		return t, false
	case p.arith.group > 2 && !t.acc.IsFloat(): // its instructions are several times as fast
		return t, false
	case p.b.Col == 1 && p.b.Row > 0:
		return t, p.b.Row*bs*(streamRows+1) < 1<<31 && p.a.Col*as*streamRows < 1<<31 && y.endsInside(p.n)
	}
	return t, p.b.Row == 1 && p.b.Col > 0 && p.b.Col*bs*2*(lanes+1) < 1<<31 && p.a.Col == 1 &&
		p.k*min(p.n, lanes)*bs <= longestDots && x.endsInside(p.k) && y.endsInside(p.k)
}

// longestDots bounds the bytes of a group of columns, which are one call.
const longestDots = 4 << 20

func newStreamer(p *plan, a *asm.Assembler, epi, raw *epilogue.Epilogue) *streamer {
	s := &streamer{plan: p, columns: p.b.Col != 1}
	if s.columns {
		emit := s.emitDots
		if s.far() {
			s.sums, emit = s.emitDotStreams(a), s.emitFinish
		}
		s.entry[3][0] = emit(a, epi, p.lanes)
		if tail := p.n % p.lanes; tail > 0 {
			s.entry[3][1] = emit(a, epi, tail)
		}
		return s
	}
	for place := range 4 {
		rows, out := streamRows, raw
		if place >= 2 {
			rows, out = (p.k-1)%streamRows+1, epi
		}
		if place < 3 && p.k <= streamRows || place == 3 && p.k > streamRows {
			continue
		}
		more := place == 1 || place == 2
		s.entry[place][0] = s.emitRows(a, out, rows, streamVecs, 0, more)
		if n := p.n % (streamVecs * p.lanes); n > 0 {
			vecs := divideUp(n, p.lanes)
			s.entry[place][1] = s.emitRows(a, out, rows, vecs, n%p.lanes, more)
		}
	}
	return s
}

// stream emits one piece of streaming code.
type stream struct {
	*streamer
	a     *asm.Assembler
	epi   *epilogue.Epilogue
	bytes int // of a vector
	vecs  int
	tail  int
}

// widenings are the loads of the vector and of the matrix.
func (s *stream) widenings() (x, y widening) {
	return widening{s.plan.a.DType, s.arith.a, s.features}, widening{s.b.DType, s.arith.b, s.features}
}

func (s *stream) vector(i int) asm.Reg { return asm.Vec(s.bytes, i) }

// open emits the entry: B in R8, the ports in their registers, the count in R11.
func (s *stream) open() int {
	a := s.a
	a.Align(64)
	entry := a.Len()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argA))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, argB))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argPanels))
	for i := range s.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, argBase+8*i))
	}
	if s.tail > 0 && s.features.Level >= cpu.AVX512 {
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<s.tail-1))
		a.Emit(asm.KMOVD, emit.Tail, asm.RAX.Dword())
	}
	return entry
}

// close emits the epilogue of the sums in the first registers and the move to the next ones.
func (s *stream) close(loop asm.Label, firstTemp, columns, step int) {
	a := s.a
	t := &epilogue.Tile{
		Rows: 1, Vecs: s.vecs, Tail: s.tail, Pointers: portRegs[:len(s.epi.Ports)],
		Acc: func(_, j int) asm.Reg { return s.vector(j) },
	}
	for i := firstTemp; i < s.features.Level.VectorRegisters(); i++ {
		t.Temps = append(t.Temps, s.vector(i))
	}
	s.epi.Emit(a, t)
	for i, p := range s.epi.Ports {
		if p.Lane != 0 {
			a.Emit(asm.ADD, portRegs[i], asm.Imm(columns*p.Lane*p.DType.Size()))
		}
	}
	a.Emit(asm.ADD, asm.R8, asm.Imm(step))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// emitRows emits sums += Σ x[r]·B[r, …] over a few rows, for groups of vecs vectors.
func (k *streamer) emitRows(a *asm.Assembler, epi *epilogue.Epilogue, rows, vecs, tail int,
	more bool) int {
	s := &stream{
		streamer: k, a: a, epi: epi, bytes: k.features.Level.VectorBytes(), vecs: vecs, tail: tail,
	}
	entry := s.open()
	if more {
		a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, argBase+8*(ports-1)))
	}
	wide, narrow := s.widenings()
	for r := range rows {
		wide.broadcast(a, s.vector(vecs+r), asm.Ptr(asm.RSI, r*k.a.Col*k.a.DType.Size()))
	}
	loop := a.Here()
	for j := range vecs {
		if more {
			a.Emit(asm.VMOVUPS, s.vector(j), asm.Ptr(asm.RDX, j*s.bytes))
		} else {
			a.Emit(asm.VXORPS, s.vector(j), s.vector(j), s.vector(j))
		}
	}
	x, temp := s.vector(vecs+rows), s.vector(vecs+rows+1)
	bs := k.b.DType.Size()
	for r := range rows {
		for j := range vecs {
			lanes := 0
			if j == vecs-1 {
				lanes = tail
			}
			narrow.load(a, x, asm.Ptr(asm.R8, (r*k.b.Row+j*k.lanes)*bs), lanes)
			k.arith.multiply(a, s.vector(j), s.vector(vecs+r), x, temp)
		}
	}
	if more {
		a.Emit(asm.ADD, asm.RDX, asm.Imm(vecs*s.bytes))
	}
	s.close(loop, vecs+rows, vecs*k.lanes, vecs*k.lanes*bs)
	return entry
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
	p.blocks, p.perBlock = 1, 1
	p.panels = divideUp(p.n, p.width())
	bs := p.b.DType.Size()
	run := min(max(p.n*bs/(2*enoughUnits), shortestRun), longestRun)
	if p.b.Col != 1 { // dot products read columns, whatever their length, and the units of each thread are many
		run = min(max(p.k*p.n*bs/16, 64<<10), 256<<10) / max(p.k, 1)
	}
	p.perUnit = min(max(run/(p.width()*bs), 1), p.panels)
}

// Joined implements [kernel.Joiner]. Each run of a row begins with pages that the processor has to look up and lines that
// the processor has not fetched ahead: memory gives more bytes in a second to long runs. Dot products read whole columns,
// and the nests of an epilogue have the extents of one unit.
func (g *code) Joined() int {
	if g.streamer == nil || g.streamer.columns || g.deferred != nil {
		return 1
	}
	return max(longestRun/(g.rawRow()*g.b.DType.Size()), 1)
}

// streamUnits computes units lo to hi-1, as many at once as are joined.
func (g *code) streamUnits(w *worker, args *kernel.Args, lo, hi int) {
	for most, all := g.Joined(), g.unitColumns(); lo < hi; {
		entry, column := lo/all, lo%all
		units := min(hi-lo, all-column, most)
		first := column * g.rawRow()
		g.runStream(w, args, entry, first, min(units*g.rawRow(), g.n-first))
		if g.deferred != nil {
			g.finish(w, args, entry, 0, 1, first)
		}
		lo += units
	}
}

// runStream computes count columns from first on.
func (g *code) runStream(w *worker, args *kernel.Args, entry, first, count int) {
	k := g.streamer
	as, bs := g.a.DType.Size(), g.b.DType.Size()
	b := uintptr(g.sourceB(args, entry)) + uintptr(first*g.b.Col*bs)
	a := g.unitA(args, entry)
	if k.columns {
		if k.far() {
			g.runDotStreams(w, args, entry, first, count, a, b)
			return
		}
		g.runDots(w, args, entry, first, count, a, b)
		return
	}
	for row := 0; row < g.k; row += streamRows {
		place := 1
		switch last := row+streamRows >= g.k; {
		case row == 0 && last:
			place = 3
		case row == 0:
			place = 0
		case last:
			place = 2
		}
		s := stage{last: place >= 2}
		full := count / (streamVecs * g.lanes)
		w.args.a, w.args.b = a+uintptr(row*g.a.Col*as), b+uintptr(row*g.b.Row*bs)
		w.args.panels = full
		g.ports(w, args, s, entry, 0, 0, first, 0)
		if full > 0 {
			g.exec.CallAt(k.entry[place][0], unsafe.Pointer(&w.args))
		}
		if done := full * streamVecs * g.lanes; done < count {
			w.args.panels = 1
			w.args.b += uintptr(done * bs)
			g.ports(w, args, s, entry, 0, 0, first, done)
			g.exec.CallAt(k.entry[place][1], unsafe.Pointer(&w.args))
		}
	}
}

// runDots computes dot products, a few groups of columns in each call.
func (g *code) runDots(w *worker, args *kernel.Args, entry, first, count int, a, b uintptr) {
	es := g.b.DType.Size()
	atOnce := max(1, (1<<20)/(g.k*g.lanes*es))
	for done := 0; done < count; {
		n, kind := min((count-done)/g.lanes, atOnce), 0
		if n == 0 {
			n, kind = 1, 1
		}
		w.args.a, w.args.b = a, b+uintptr(done*g.b.Col*es)
		w.args.panels = n
		g.ports(w, args, stage{last: true}, entry, 0, 0, first, done)
		g.exec.CallAt(g.streamer.entry[3][kind], unsafe.Pointer(&w.args))
		done += n * g.lanes
	}
}
