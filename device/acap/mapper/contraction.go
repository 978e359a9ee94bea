package mapper

import (
	"math"
	"sort"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// product enumerates the mappings of one contraction.
type product struct {
	*search
	limits
	c            *workload.Contraction
	sizeAcc      int
	sizeOut      int               // of all results
	mm, kk, nn   int               // of the matrix instruction, or a cell of a packed operand if that is larger
	rate         float64           // multiply-accumulates of a core in a cycle, 0 if there is none
	in           string            // what the multipliers take
	convA, convB *workload.Operand // as a core converts them; nil if it does not
	extras       int               // bytes of one core's tile of the epilogue's inputs, per element of output
	addsToA      bool              // an input of the epilogue comes on the stream of A
	fanOut       bool              // grids are tried whose streams come several as one
	most         int               // cores of the largest grid whose streams come one by one
}

func (s *search) newProduct(c *workload.Contraction) *product {
	p := &product{search: s, limits: newLimits(s.machine), c: c,
		in: timing.Multiplied(s.machine, c), sizeAcc: c.Acc.Size(), sizeOut: c.Epilogue.ResultBytes(c.Out)}
	p.mm, p.kk, p.nn = s.machine.ShapeOf(p.in)
	kA, unitM, _ := c.A.Cell()
	kB, unitN, _ := c.B.Cell()
	p.mm, p.kk, p.nn = max(p.mm, unitM), max(p.kk, kA, kB), max(p.nn, unitN)
	p.rate, _ = timing.Rate(s.machine, c)
	p.convA, p.convB = timing.Converted(s.machine, c)
	for _, in := range c.Epilogue.In {
		if in.Elements > 1 {
			p.extras += in.DType.Size()
			_, alongN := c.Varies(in).Along()
			p.addsToA = p.addsToA || !alongN
		}
	}
	return p
}

func (s *search) contraction(c *workload.Contraction) {
	m, p := s.machine, s.newProduct(c)
	p.grids(func(style string) {
		vector := m.Compute.Styles[style].Vector
		for _, shape := range s.fitting() {
			if shape[0]*shape[1] <= s.above {
				continue
			}
			along := shape[1]
			if !m.Grid.VerticalCascade {
				along = shape[0]
			}
			for _, cascade := range halves(min(along, 8), s.full) {
				if along%cascade != 0 || vector && cascade > 1 {
					continue
				}
				p.parts(style, shape[0], shape[1], cascade, vector)
			}
		}
	})
}

// styles lists the kernel styles that handle the types, by name.
func (p *product) styles() []string {
	var names []string
	vector := p.c.N == 1 && p.kernel.Kind == workload.KindContraction
	for name, s := range p.machine.Compute.Styles {
		if s.Accumulate != "" && p.c.Acc != dtype.F32 || !s.Takes(p.in) || s.Reference || !p.machine.Suits(&s, p.in, p.kernel.Kind == workload.KindContraction) {
			continue
		}
		// A second launch is a program of its own; a conversion needs two types.
		if s.Cast.Value > 0 || s.Convert.Value > 0 && p.c.Acc == p.c.Out {
			continue
		}
		// A kernel that leaves the accumulator's type has no other output.
		if s.Accumulate != "" && s.Convert.Value == 0 && p.c.Acc != p.c.Out {
			continue
		}
		if s.Vector != vector && p.hasVector() {
			continue
		}
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (p *product) hasVector() bool {
	for _, s := range p.machine.Compute.Styles {
		if s.Vector {
			return true
		}
	}
	return false
}

// parts tries both ways to give rows and columns of cores to M and N.
func (p *product) parts(style string, cols, rows, cascade int, vector bool) {
	unitM, unitN := p.mm, p.nn
	if vector {
		// A core's results must fill whole words.
		_, unitM, _ = p.c.A.Cell()
		_, unitN, _ = p.c.B.Cell()
		for _, t := range p.c.Epilogue.Results(p.c.Out) {
			unitM = max(unitM, 4/t.Size())
		}
	} else {
		for _, t := range p.c.Epilogue.Results(p.c.Out) { // as rows of their tiles do
			unitN = max(unitN, 4/t.Size())
		}
	}
	grid := mapping.Mapping{Style: style, Cols: cols, Rows: rows, Cascade: cascade}
	p.orient(grid, up(p.c.M, unitM), up(p.c.N, unitN), func(g mapping.Mapping) {
		p.tiles(g, unitM, unitN)
	})
}

// orient visits the legal ways to give the rows and columns of cores of g to unitsM units of M and unitsN units of N,
// without the ways that cannot be among the best.
func (p *product) orient(g mapping.Mapping, unitsM, unitsN int, visit func(mapping.Mapping)) {
	g.Kind, g.StageM, g.StageN, g.Depth = p.kernel.Kind, 1, 1, 2
	g.Resident, g.In, g.Out = p.residentRow, p.retention.In, p.retention.Out
	rows, cols := g.Rows, g.Cols
	if p.machine.Grid.VerticalCascade {
		rows /= g.Cascade
	} else {
		cols /= g.Cascade
	}
	for _, across := range [2]bool{false, true} {
		g.PartsM, g.PartsN = rows, cols
		if across {
			g.PartsM, g.PartsN = cols, rows
		}
		if across && g.PartsM == g.PartsN || p.retention.Block > 0 && !g.ByRows(p.machine.Grid.VerticalCascade) {
			continue
		}
		if p.retention.Block == 0 && (idle(g.PartsM, unitsM) || idle(g.PartsN, unitsN)) || g.Cascade > up(p.c.K, p.kk) {
			continue // a smaller grid does the same
		}
		if p.gainless(p.least(g)) {
			p.pruned++
			continue
		}
		if p.streams(&g) {
			visit(g)
		}
	}
	g.PartsM, g.PartsN, g.FanOutA, g.FanOutB = g.Cores(), 1, g.Rows, 0
	if g.Stacked() && p.stacks(&g, unitsM, unitsN) {
		visit(g)
	}
}

// idle reports whether units fill fewer parts of the same length, so that the last of the parts have none.
func idle(parts, units int) bool { return parts > up(units, up(units, parts)) }

// stacks reports whether all cores can split M: N is a single tile, and there are channels for that.
func (p *product) stacks(g *mapping.Mapping, unitsM, unitsN int) bool {
	if p.fanOut || p.memRows == 0 || p.retention.Block > 0 || g.In.Row > 0 || p.kernel.Kind != workload.KindContraction ||
		unitsN > 1 || g.PartsM > unitsM || g.Rows > p.memOut/p.memRows {
		return false
	}
	_, need, limit := p.channels(g)
	return need <= limit
}

// tiles tries tile sizes for the grid of parts in g.
func (p *product) tiles(g mapping.Mapping, unitM, unitN int) {
	rows := multiples(unitM, up(p.c.M, g.PartsM), p.core*p.mm/(2*p.tileA(p.mm, p.kk)), p.full)
	if n := p.retention.Block; n > 0 {
		rows = []int{n}
	}
	for _, tm := range rows {
		g.TM = tm
		for _, tn := range multiples(unitN, up(p.c.N, g.PartsN), p.core*p.nn/(2*p.tileB(p.kk, p.nn)), p.full) {
			g.TN = tn
			if p.gainless(p.floor(&g)) {
				p.pruned++
				continue
			}
			for depth := 2; depth >= 1; depth-- {
				g.OutDepth = depth
				p.depths(g)
			}
		}
	}
}

// gainless reports whether mappings that take at least the given seconds need not be looked at: none is among the best,
// or in a coarse search shorter than the best so far by more than a percent of the array's time.
func (p *product) gainless(least float64) bool {
	const share = 0.01
	if n := len(p.best); p.full {
		return n == p.kept() && least > p.best[n-1].Seconds
	}
	return p.hopeless(least + float64(share*(least-p.machine.Host.Launch.Value)))
}

// floor is a time that no mapping with these tiles can beat: padded arithmetic
// at the peak rate, and the right operand from the memory outside for every row of blocks.
func (p *product) floor(g *mapping.Mapping) float64 {
	blocksM, blocksN := up(p.c.M, g.PartsM*g.TM), up(p.c.N, g.PartsN*g.TN)
	macs := float64(p.c.Batch*blocksM*blocksN) * float64(g.TM) * float64(g.TN) * float64(up(p.c.K, g.Cascade))
	rate := p.rate
	style := p.model.Style(g.Style)
	if style.Vector { // which wait for the memory
		return p.machine.Host.Launch.Value + p.moving(g, blocksM, blocksN)
	}
	if rate == 0 {
		return 0
	}
	efficiency := style.EfficiencyOf(p.in)
	work := macs / (p.machine.RateOf(style, p.in, rate) * efficiency * p.machine.Clock.Value)
	return p.machine.Host.Launch.Value + max(work, p.moving(g, blocksM, blocksN))
}

// least is a time that no mapping with these parts can beat: each core has a single tile, of its share of the result.
func (p *product) least(g mapping.Mapping) float64 {
	g.TM, g.TN = up(p.c.M, g.PartsM), up(p.c.N, g.PartsN)
	return p.floor(&g)
}

// moving is seconds that the memory outside takes at least: for the right operand, again for every row of blocks
// unless cores can keep it, at the rate that its rows get, once for the left one, and for the results.
func (p *product) moving(g *mapping.Mapping, blocksM, blocksN int) float64 {
	left, right := float64(p.c.Batch)*float64(p.tileA(p.c.M, p.c.K)), float64(p.c.Batch)*float64(p.tileB(p.c.K, p.c.N))
	written := float64(p.c.Batch * p.c.M * p.c.N * p.sizeOut)
	run := *g
	if p.memRows == 0 { // staging memory serves some blocks, and has whole rows read
		run.TN = p.c.N
		left *= float64(blocksN) / float64(min(blocksN, mostStaged))
	}
	switch {
	case blocksN == 1:
	case p.memRows == 0:
		right *= float64(blocksM) / float64(min(blocksM, mostStaged))
	default:
		right *= float64(blocksM)
	}
	read := right / timing.RightShare(p.machine, p.model.Style(g.Style), p.c, &run)
	if g.Resident > 0 {
		read = 0
	}
	if p.kernel.Kind == workload.KindContraction && g.In.Row == 0 {
		read += left / timing.LeftShare(p.model.Style(g.Style), p.c)
	}
	if g.Out.Row > 0 {
		written = 0
	}
	d := &p.machine.DDR
	return max(read/d.Read.Value, written/d.Write.Value, d.Both(read, written))
}

// depths tries slices of K for one tile of the output, the longest first: shorter ones
// fill the array sooner and call the kernel more often, so that a coarse search ends
// when some in a row are no faster.
func (p *product) depths(g mapping.Mapping) {
	left := p.core - p.output(&g)
	slice := p.operands(&g, p.kk)
	if left < slice {
		g.TK = p.kk
		p.reject(&g, coreMemory, p.core-left+slice, p.core)
		return
	}
	const patience = 5
	p.search.fastest = math.Inf(1)
	defer func() { p.search.fastest = 0 }()
	fastest, behind := math.Inf(1), 0
	for _, tk := range multiples(p.kk, up(p.c.K, g.Cascade), left/slice*p.kk, p.full) {
		g.TK, g.KL2 = tk, tk*g.Cascade
		seconds := p.model.FloorUpTo(&g, 0) // of cores, whatever is staged
		if !p.gainless(seconds) {
			seconds = p.staged(g)
		}
		switch {
		case math.IsInf(seconds, 1):
			continue
		case seconds < fastest:
			fastest, behind = seconds, 0
		default:
			behind++
		}
		if !p.full && behind == patience {
			break
		}
	}
}

// output is the bytes of a core for the output tile: its buffers, and one for
// the accumulator when that has another type or several results leave.
func (p *product) output(g *mapping.Mapping) int {
	n := g.TM * g.TN
	bytes := g.OutDepth * n * p.sizeOut
	if p.c.Acc != p.c.Out || len(p.c.Epilogue.Also) > 0 {
		bytes += n * p.sizeAcc
	}
	return bytes + n*p.extras
}

// staged tries how much of K the mem tiles hold at a time, and returns the seconds of
// the fastest, +Inf if nothing fits.
func (p *product) staged(g mapping.Mapping) float64 {
	if p.memRows == 0 {
		return p.outside(g)
	}
	fastest, before := math.Inf(1), 0
	step := g.TK * g.Cascade
	for _, f := range [...]int{1, 2, 4, 8, 16} {
		g.KL2 = step * f
		slice := g.Slice(p.c.K)
		if slice == before {
			continue // this number of steps does not divide K
		}
		if before = slice; !p.fits(&g) {
			break
		}
		fastest = min(fastest, p.offer(g))
		fastest = min(fastest, p.held(g))
	}
	return fastest
}

// held tries to hold strips of A in the mem tiles, where the memory outside would keep the
// cores waiting.
func (p *product) held(g mapping.Mapping) float64 {
	fastest := math.Inf(1)
	blocksM, blocksN := up(p.c.M, g.PartsM*g.TM), up(p.c.N, g.PartsN*g.TN)
	_, again := p.model.Style(g.Style).SetOf(blocksM, blocksN)
	reads := float64(p.c.Batch*blocksM*blocksN) * float64(p.tileA(g.PartsM*g.TM, p.c.K)+p.tileB(p.c.K, g.PartsN*g.TN))
	const slack = 0.7 // of what cores need; below that the memory does not matter
	if again == 1 || p.addsToA || g.In.Row > 0 || reads/p.machine.DDR.Read.Value < slack*p.floor(&g) {
		return fastest
	}
	for g.Hold = 2; g.Hold > 0; g.Hold-- {
		if p.fits(&g) {
			fastest = min(fastest, p.offer(g))
		}
	}
	return fastest
}

// mostStaged is the blocks along M and along N at most that the staging memory beside the array holds.
const mostStaged = 8

// outside tries how many blocks the staging memory beside the array holds.
func (p *product) outside(g mapping.Mapping) float64 {
	fastest := math.Inf(1)
	step := g.TK * g.Cascade
	for blocks := 1; blocks <= mostStaged; blocks *= 2 {
		stageM, stageN := min(blocks, up(p.c.M, g.PartsM*g.TM)), min(blocks, up(p.c.N, g.PartsN*g.TN))
		if blocks > 1 && stageM == g.StageM && stageN == g.StageN {
			break // there are no more
		}
		g.StageM, g.StageN = stageM, stageN
		rows, cols := g.StageM*g.PartsM*g.TM, g.StageN*g.PartsN*g.TN
		bytes := g.Depth*(p.tileA(rows, step)+p.tileB(step, cols)) + rows*cols*p.sizeAcc
		if blocks > 1 && bytes > p.staging {
			p.reject(&g, stagingMemory, bytes, p.staging)
			break
		}
		if g.KL2 = 0; blocks > 1 {
			g.KL2 = step
		}
		if p.fits(&g) {
			fastest = min(fastest, p.offer(g))
		}
	}
	return fastest
}

// fits checks mem tiles and descriptors.
func (p *product) fits(g *mapping.Mapping) bool {
	run := max(g.KL2, g.TK*g.Cascade)
	sliceA := g.SliceA(p.c.K)
	if words := up(p.tileA(1, run), 4); words > p.wrap && g.Hold == 0 {
		p.reject(g, descriptorSize, words, p.wrap)
		return false
	}
	if words := up(p.tileB(1, g.TN), 4); words > p.wrap {
		p.reject(g, descriptorSize, words, p.wrap)
		return false
	}
	if words := up(max(p.tileA(1, p.c.K), p.tileB(1, p.c.N)), 4); words > p.step {
		p.reject(g, descriptorStep, words, p.step)
		return false
	}
	if words := up(max(p.tileA(g.TM, g.TK), p.tileB(g.TK, g.TN), g.TM*g.TN*p.sizeOut), 4); words > p.length {
		p.reject(g, descriptorLength, words, p.length)
		return false
	}
	if p.memRows == 0 {
		return true
	}
	if !p.model.Parts(g) {
		p.reject(g, parts, 2, 1)
		return false
	}
	if words := up(max(p.tileA(g.TM, sliceA), p.tileB(run/g.Cascade, g.TN)), 4); words > p.memLength {
		p.reject(g, descriptorLength, words, p.memLength)
		return false
	}
	_, joined := timing.Joined(p.machine, g)
	fanOutA, fanOutB := g.FanOuts()
	depthA := g.Depth
	if g.Hold > 0 {
		depthA = g.Hold
		if n := p.strips(g) + 4 + 2*joined; n > p.memBDs/p.memRows/2 {
			p.reject(g, descriptors, n, p.memBDs/p.memRows/2)
			return false
		}
	}
	return p.stages(g, depthA*p.tileA(fanOutA*g.TM, sliceA), g.Depth*p.tileB(run/g.Cascade, fanOutB*g.TN),
		2*joined*g.TM*g.TN*p.sizeOut)
}

// residentBytes is the bytes of B in a mem tile, biases aside.
func (p *product) residentBytes(g *mapping.Mapping) int {
	k := up(p.c.K, g.Cascade*g.TK) * g.TK
	if g.OutRows > 0 {
		patch := mapping.PatchOf(&p.kernel.Convolution, g)
		k = patch.K
	}
	return p.c.Batch * up(p.c.N, g.PartsN*g.TN) * p.tileB(k, g.TN) * up(g.PartsN*g.Cascade, g.Cols)
}

// strips is the descriptors that send strips of A which are held, of a mem tile.
func (p *product) strips(g *mapping.Mapping) int {
	_, again := p.model.Style(g.Style).SetOf(up(p.c.M, g.PartsM*g.TM), up(p.c.N, g.PartsN*g.TN))
	fanOutA, _ := g.FanOuts()
	streams, _ := p.sent(g)
	return g.Hold * again * up(fanOutA, 2) * up(streams, p.interfaces(g))
}
