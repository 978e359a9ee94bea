package gemm

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// operand is A or B as the plan uses it.
type operand struct {
	kernel.Matrix
	port   int
	mode   mode
	packed int // bytes of one batch entry in packed form
	copies int // batch entries of the packed form
}

// mode says where an operand is read from.
type mode uint8

const (
	direct     mode = iota // in place
	packedOnce             // constant, from Args.Packed
	prologued              // copied or packed by the first phase to shared memory
	unitPacked             // into scratch memory: B by each unit, A by each call of Run
	tilePacked             // B: packed by the first tile of each panel, while it computes
	streamed               // B: read once in place, by streamer
)

// plan is a contraction with all decisions made.
type plan struct {
	features cpu.Features
	arith    arithmetic
	batch    []int
	entries  int // product of batch
	m, n, k  int
	steps    int // of the sum: k cells, rounded up
	chunk    int // steps done at once; the sums of the others wait in scratch memory
	a, b     operand
	rowLoop  int // loops of the kernel that became rows and lanes
	laneLoop int
	access   []kernel.Access
	shape    shape
	lanes    int
	panel    int  // bytes of a packed panel of B
	panels   int  // panels along n
	rounded  bool // rows of A are rounded as they are copied
	perUnit  int  // panels of a unit
	blocks   int  // blocks of rows
	perBlock int  // tiles of a block

	turned *panels // what a constant B was that is packed as columns and streamed, nil if B is not
}

const (
	chunkBytes  = 512 << 10 // of a panel of B, which stay in the second-level cache
	enoughUnits = 4         // that a product should have, for threads to share
	unitFlops   = 1e6       // multiplications and additions that a unit should have at least, twice as many in matrix tiles
	unitBytes   = 64 << 10  // of packed B that are enough for a unit of few rows, which take the time of their reading
	callFlops   = 30e6      // and that one native call may have at most, with 16 lanes
	directBytes = 320 << 10 // of B that may be read in place by many tiles
	packedRun   = 256       // bytes of a row of B that a unit should pack at least

	// With at most this many rows, most traffic of the memory is B: tiles are high and narrow, and a panel is packed on
	// the way, since packing it first would take time that counts. With more rows it is A: tiles are wide, so that it
	// is read less often. Constant B, which lies packed, comes fast enough for fewer rows.
	someRows     = 240
	someRowsOnce = 80
)

// newPlan decides how to compute c.
func newPlan(c *kernel.Contraction, f cpu.Features) (*plan, error) {
	p := &plan{features: f, batch: c.Batch, m: c.M, n: c.N, k: c.K, access: c.Epilogue.Access, rounded: c.Rounded}
	p.entries = 1
	for _, e := range c.Batch {
		p.entries *= e
	}
	if p.entries == 0 || p.m == 0 || p.n == 0 || p.k == 0 {
		return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
	}
	p.a, p.b = operand{Matrix: c.A, port: 0}, operand{Matrix: c.B, port: 1}
	p.rowLoop, p.laneLoop = len(c.Batch), len(c.Batch)+1
	if p.rounded && (!p.b.Stored() || p.a.DType == dtype.F64) {
		return nil, fmt.Errorf("%w: rows of %v that are to be rounded", kernel.ErrUnsupported, p.a.DType)
	}
	values := p.b.DType
	if p.b.Stored() {
		values = dtype.F32
	} else if p.wantsSwap() {
		p.swap()
		values = p.b.DType
	}
	arith, ok := chooseArithmetic(p.a.DType, values, c.Acc, f)
	if !ok {
		return nil, fmt.Errorf("%w: sums of %v × %v in %v", kernel.ErrUnsupported, c.A.DType, c.B.DType, c.Acc)
	}
	p.arith = arith
	if arith, ok := p.streamArithmetic(); ok && !p.b.Stored() && !f.Fixed {
		p.arith, p.steps, p.lanes = arith, p.k, f.Level.VectorBytes()/arith.acc.Size()
		p.chooseStream()
		return p, p.checkReach()
	}
	p.steps = kernel.Pieces(p.k, arith.group)
	switch {
	case p.b.Stored():
	case p.suitsSplit():
		p.useSplit()
	case p.suitsTiles():
		p.useTiles()
	}
	p.lanes = f.Level.VectorBytes() / arith.acc.Size()
	p.chooseModes()
	if p.arith.tiles {
		p.chooseTileUnits()
		return p, p.checkReach()
	}
	p.chunk = p.steps
	if p.steps > p.longestChunk() && !p.arith.squares() { // whose sums wait for nothing
		most := chunkBytes / (p.width() * p.arith.cell())
		chunks := kernel.Pieces(p.steps, most)
		p.chunk = (p.steps/chunks + 63) &^ 63
	}
	p.chooseUnits()
	return p, p.checkReach()
}

// wantsSwap: the transposed product suits results whose rows are contiguous, and those with too few
// columns for a vector.
func (p *plan) wantsSwap() bool {
	rows, lanes := false, false
	for _, a := range p.access {
		rows = rows || a.Write && a.Outer[p.rowLoop] == 1
		lanes = lanes || a.Write && a.Outer[p.laneLoop] == 1
	}
	if !lanes && rows {
		return !p.idlesSwapped()
	}
	return p.n == 1 && p.m > 1 && rows
}

// idlesSwapped reports whether lanes that the transposed product leaves idle take more time than an epilogue behind the
// sums, which reads them across their rows.
func (p *plan) idlesSwapped() bool {
	const across = 40 // steps of a sum in the time of one element of such an epilogue
	lanes := p.features.Level.VectorBytes() / p.a.DType.Size()
	taken := func(n int) float64 { return float64(kernel.Pieces(n, lanes)*lanes) / float64(n) } // lanes for one element
	return p.a.DType == dtype.F32 && p.b.DType == dtype.F32 && float64(p.k)*(taken(p.m)-taken(p.n)) > across
}

func (p *plan) swap() {
	p.a, p.b = p.b, p.a
	p.a.Row, p.a.Col = p.a.Col, p.a.Row
	p.b.Row, p.b.Col = p.b.Col, p.b.Row
	p.m, p.n = p.n, p.m
	p.rowLoop, p.laneLoop = p.laneLoop, p.rowLoop
}

// sets returns in how many sets of the first-level cache, of 64 with lines of 64 bytes, rows that far apart begin.
func sets(stride int) int { return max(1, 64/spacing(stride)) }

// spacing returns on one of how many sets of a cache with lines of 64 bytes such rows begin.
func spacing(stride int) int {
	if stride == 0 || stride%64 != 0 {
		return 1
	}
	line := stride / 64
	return line & -line
}

// ways returns how many ways of a set of the first-level cache there are for each that rows so far apart take.
func (p *plan) ways(rows, stride int) float64 {
	n := sets(stride)
	return float64(p.features.L1D/(64*64)) / float64(kernel.Pieces(rows, n))
}

// conflicts reports whether rows that far apart take more than half of the ways of a set of the
// first-level cache: they would evict each other before their lines are used up.
func (p *plan) conflicts(rows, stride int) bool { return rows >= 4 && p.ways(rows, stride) < 2 }

// chooseModes picks the tile and where A and B are read from.
func (p *plan) chooseModes() {
	t := &p.arith
	switch {
	case p.b.Stored():
		p.b.mode = unitPacked
	case p.b.Const:
		p.b.mode = packedOnce
	case p.arith.tiles && !p.servesOnce():
		p.b.mode = prologued
	case p.arith.tiles:
		p.b.mode = unitPacked
	case p.directB():
		p.b.mode = direct
	case p.packsOnTheWay():
		p.b.mode = tilePacked
	default:
		p.b.mode = unitPacked
	}
	prefer := p.wide()
	if p.features.Level >= cpu.AVX512 && p.m <= p.narrowRows() {
		prefer = 2
	}
	p.shape = chooseShape(p.m, p.n, p.lanes, prefer, t, p.features)
	if t.tiles {
		p.shape = shape{p.squaresHigh() * tileSide, blockColumns / p.lanes}
	}
	switch {
	case p.b.mode != tilePacked:
	case p.oneTile() && !p.conflicts(rowsAhead, p.bRow()): // no other tile follows
		p.b.mode = direct
	case p.steps > p.longestChunk():
		p.b.mode = unitPacked
	}
	p.panels = kernel.Pieces(p.n, p.width())
	p.panel = p.correctionBytes() + p.steps*p.packedRow()
	p.b.packed, p.b.copies = p.panels*p.panel, p.b.Entries(p.batch)
	p.a.packed, p.a.copies = kernel.Pieces(p.m, p.interleaved())*p.interleaved()*p.rowBytes(), p.a.Entries(p.batch)
	if p.splits() {
		p.a.packed += kernel.Pieces(p.m, rowsPerUnit) * maximaBytes
	}
	switch {
	case p.directA():
		p.a.mode = direct
	case p.a.Const:
		p.a.mode = packedOnce
	case p.splits() && p.eachSplitsA():
		p.a.mode = unitPacked
	default:
		p.a.mode = prologued
	}
}

// wide returns how many vectors a row of a tile best has where B comes from a cache close by.
func (p *plan) wide() int {
	switch {
	case p.arith.byLane != vector.Invalid:
		return 3
	case p.features.Level >= cpu.AVX512:
		return 4
	}
	return 2
}

// narrowRows returns with how many rows tiles are high and narrow.
func (p *plan) narrowRows() int {
	switch {
	case p.b.mode == direct && p.smallB():
		return 0
	case p.b.mode == tilePacked && (p.bRow()%64 == 0 || p.k*p.bRow() > p.features.L2/2):
		return 4 * fewRows
	case p.b.mode == packedOnce:
		return someRowsOnce
	}
	return someRows
}

// longestChunk returns the number of steps that are done at once rather than in two chunks.
func (p *plan) longestChunk() int {
	return (chunkBytes + chunkBytes/2) / (p.width() * p.arith.cell())
}

func (p *plan) width() int { return p.shape.vecs * p.lanes }

func (p *plan) directA() bool {
	size := p.arith.a.Size()
	if p.rounded || p.arith.byLane != vector.Invalid || p.a.DType != p.arith.a || p.k != p.steps*p.arith.group || p.a.Row < 0 || p.a.Col < 0 {
		return false
	}
	if p.arith.group > 1 {
		return p.a.Col == 1
	}
	if p.a.Col == 1 {
		return !p.conflicts(p.shape.rows, p.a.Row*size) || p.n <= 2*p.width()
	}
	if p.a.Row == 1 { // a tile reads one short run for every step
		return p.k*p.a.Col*size <= directBytes
	}
	return p.k*p.m <= 1<<14
}

// directB reports whether tiles read B in place: few of them, or all from panels that the first-level cache keeps.
func (p *plan) directB() bool {
	if p.b.DType != p.arith.b || p.arith.group > 1 || p.b.Col != 1 || p.b.Row < 0 {
		return false
	}
	if p.features.Level < cpu.AVX512 && p.n%p.lanes != 0 {
		return false // the last vector of a row would need a mask
	}
	near := p.features.Level == cpu.NEON || p.features.Level == cpu.AVX512 && p.m <= 4*fewRows && sets(p.bRow()) > 1
	return p.m <= p.rowsInPlace() || p.smallB() && (near || p.keepsB())
}

// rowsInPlace returns how many rows are best multiplied by a B in place, even if B is large: fewer where its rows evict
// each other from the caches. Long vectors are loaded faster than they are stored for the tiles that follow.
func (p *plan) rowsInPlace() int {
	onOne, onFew, onMany := 4, 96, 384 // sets, where no tile packs on the way
	switch p.features.Level {
	case cpu.AVX512:
		if onOne, onMany = 64, 192; p.smallB() || sets(p.bRow()) == 1 && !p.fits(p.k, p.bRow()) {
			return fewRows // one tile; others would read distant rows from the third-level cache
		}
	case cpu.AVX2:
		if onFew, onMany = fewRows, 4*fewRows; !p.fits(p.k, p.bRow()) {
			return onOne
		}
	}
	switch n := sets(p.bRow()); {
	case n == 1:
		return onOne
	case n < 4:
		return onFew
	}
	return onMany
}

// keepsB reports whether the first-level cache keeps a panel of B in place for all tiles as well as a packed one: the
// panel takes at most half of the ways of the sets on which its lines fall; the cache holds all of B, and no panel of single
// lines on few sets; or it is too small for either panel. A panel of whole rows is fetched in time.
func (p *plan) keepsB() bool {
	stride, row := p.bRow(), min(p.n, p.wide()*p.lanes)*p.b.DType.Size()
	all, spread := p.k*stride <= p.features.L1D, row > 64 || sets(stride) > 8
	return stride <= row || all && spread || p.k*row > p.features.L1D*3/4 && sets(stride) > 1 || p.keepsRows(row)
}

// keepsRows reports whether such bytes of all rows of B in place take at most half of the ways of the sets on which they fall.
func (p *plan) keepsRows(row int) bool {
	stride := p.bRow()
	lines := float64(row-min(64, stride&-stride))/64 + 1 // of a row, on average
	taken := min(64, float64(sets(stride))*min(lines, float64(spacing(stride))))
	return float64(p.k)*lines/taken <= p.ways(1, stride)/2
}

// smallB reports whether B stays in the caches wherever its rows lie.
func (p *plan) smallB() bool { return p.k*p.bRow() <= directBytes }

// packsOnTheWay reports whether the first tile of a panel of B can read its rows in place and leave them packed for the
// other tiles, in less time than packing them first: with few tiles, or where A leaves room in the second-level cache
// and the rows that are fetched ahead do so in the first-level; for long vectors one of both is enough.
func (p *plan) packsOnTheWay() bool {
	near, apart := p.m*p.k*p.arith.a.Size() <= p.features.L2/2, p.ways(rowsAhead, p.bRow()) > 1
	if p.features.Level == cpu.AVX2 && p.m > 3*fewRows && !p.smallB() && (!p.fits(p.k, p.bRow()) || p.conflicts(rowsAhead, p.bRow())) {
		return false // a row of a narrow panel is one line: better many of them at once than one by one from far
	}
	return p.features.Level >= cpu.AVX2 && p.b.DType == p.arith.b && p.arith.group == 1 &&
		p.b.Col == 1 && p.b.Row > 0 && p.reachesAhead() &&
		(p.m <= someRows || near && apart || p.features.Level == cpu.AVX512 && (near || apart))
}

// reachesAhead reports whether rows of B that are fetched early are within a displacement of an instruction.
func (p *plan) reachesAhead() bool {
	reach := math.MaxInt32
	if p.features.Level == cpu.NEON { // beyond it an address takes two instructions
		reach = 1 << 15
	}
	return p.bRow()*(tiles.Unroll+rowsAhead+1) < reach
}

// inPlace reports whether panels of B are addressed where it lies.
func (p *plan) inPlace() bool { return p.b.mode == direct || p.b.mode == tilePacked }

// chooseUnits divides the result into units of work.
func (p *plan) chooseUnits() {
	flops := 2 * float64(p.m) * float64(p.width()) * float64(p.k)
	least := p.unitFlops()
	p.perUnit = int(math.Ceil(least / flops))
	if p.b.mode == packedOnce && p.m <= fewRows {
		p.perUnit = min(p.perUnit, kernel.Pieces(unitBytes, p.panel))
	}
	if p.b.mode == unitPacked {
		p.perUnit = max(p.perUnit, packedRun/(p.width()*p.b.DType.Size()))
		p.perUnit = min(p.perUnit, p.keptPanels())
	}
	p.perUnit = min(max(p.perUnit, p.bandPanels()), p.panels)
	tiles := kernel.Pieces(p.m, p.shape.rows)
	p.blocks = 1
	if units := p.entries * p.unitColumns(); units < enoughUnits && flops*float64(p.perUnit) > 2*least {
		p.blocks = min(tiles, kernel.Pieces(enoughUnits, units), int(flops*float64(p.perUnit)/least))
	}
	if p.b.mode != unitPacked && p.unitColumns() == 1 {
		most := max(1, int(least/(flops/float64(tiles)*float64(p.perUnit))))
		p.blocks = max(p.blocks, kernel.Pieces(tiles, most))
	}
	p.perBlock = kernel.Pieces(tiles, p.blocks)
	p.blocks = kernel.Pieces(tiles, p.perBlock)
}

// heights returns how many tiles of a unit have all rows, and the rows of each lower tile. Blocks are equal.
func (p *plan) heights(rows int) (all, low int) {
	return p.shape.divide(rows, p.blocks == 1 && p.arith.byLane == vector.Invalid)
}

// unitFlops returns how many multiplications and additions a unit should have at least.
func (p *plan) unitFlops() float64 {
	if p.arith.tiles {
		return 2 * unitFlops
	}
	return unitFlops
}

// unitColumns returns the number of units side by side.
func (p *plan) unitColumns() int { return kernel.Pieces(p.panels, p.perUnit) }

// checkReach refuses strides that do not fit the displacements of the code.
func (p *plan) checkReach() error {
	rows := p.shape.rows
	for _, d := range []int{
		p.aStride() * (2*rows + 1), p.aStep() * (p.chunk + tiles.Unroll),
		p.bStep() * (tiles.Unroll + 1), p.panel,
	} {
		if d < 0 || d > math.MaxInt32 {
			return fmt.Errorf("%w: strides too long", kernel.ErrUnsupported)
		}
	}
	if !p.arith.acc.IsFloat() && p.arith.acc != dtype.I32 && p.arith.acc != dtype.I64 {
		return fmt.Errorf("%w: sums in %v", kernel.ErrUnsupported, p.arith.acc)
	}
	return nil
}
