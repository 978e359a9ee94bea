package portable

import (
	"fmt"
	"slices"
	"sync"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// nestCode is a compiled nest. If the lanes run along an inner loop, each outer point is worked on alone and
// reductions combine lanes at the end; if they run along an outer loop, each lane is an outer point of its own.
type nestCode struct {
	described
	nest      *kernel.Nest // canonical
	lane      int          // the loop that runs over the lanes; -1 if there is no loop
	laneOuter bool
	along     []int // how far [Lanes] lanes move each operand
	points    int   // outer points, or blocks of them
	perUnit   int
	nanos     float64
	stages    []stage
	regs      registers
	kept      []int // words of each buffer of kept values
	empty     bool  // an outer loop has no points
	fixed     bool  // sums are in order, see fixed.go
	frames    sync.Pool
}

type stage struct {
	once    bool
	before  []step // what does not depend on the inner loops
	spread  []spread
	main    []step
	reduce  []reduction
	spreads []spread // after a once stage with the lanes inside: its kept values
}

// spread is a register whose lane 0 is copied to all lanes.
type spread struct {
	reg   int
	dtype dtype.DType
}

func init() { register(compileNest) }

func compileNest(n *kernel.Nest, fixed bool) kernel.Code {
	c := &nestCode{nest: n.Canonical()}
	if c.fixed = fixed && slices.ContainsFunc(c.nest.Stages, kernel.Stage.Accumulates); c.fixed {
		c.fixLane()
	} else {
		c.chooseLane()
	}
	c.described = described{how: fmt.Sprintf("%d lanes along loop %d", Lanes, c.lane), kernel: c.nest}
	if c.lane >= 0 {
		for i := range c.nest.Access {
			c.along = append(c.along, Lanes*c.nest.Access[i].Stride(c.lane))
		}
	}
	newNestCompiler(c).compile()
	c.split()
	c.frames.New = func() any { return c.regs.frame(len(n.Access), len(n.Outer)+len(n.Inner), c.kept) }
	return c
}

// maxKeptBytes bounds the kept values of one worker when every lane keeps its own.
const maxKeptBytes = 256 << 10

// chooseLane picks the loop along which the most lanes are filled and the most operands lie side by side.
func (c *nestCode) chooseLane() {
	c.lane = -1
	best := 0.0
	inner := shape.Size(c.nest.Inner)
	for loop := range len(c.nest.Outer) + len(c.nest.Inner) {
		outer := loop < len(c.nest.Outer)
		if outer && c.keeps() && inner*Lanes*8 > maxKeptBytes {
			continue
		}
		n := min(c.nest.Extent(loop), Lanes)
		score := float64(n) / float64(n+8)
		for i := range c.nest.Access {
			if s := c.nest.Access[i].Stride(loop); s != 0 && s != 1 {
				score *= 0.7
			}
		}
		if score >= best {
			best, c.lane, c.laneOuter = score, loop, outer
		}
	}
}

func (c *nestCode) keeps() bool {
	return slices.ContainsFunc(c.nest.Stages, func(s kernel.Stage) bool { return len(s.Keep) > 0 && !s.Once })
}

// split chooses how many outer points make a unit of work: about 50 µs.
func (c *nestCode) split() {
	c.points = 1
	for i, e := range c.nest.Outer {
		if i == c.lane {
			e = kernel.Pieces(e, Lanes)
		}
		c.points *= e
	}
	c.empty = c.points == 0
	lanes := float64(shape.Size(c.nest.Inner))
	if c.laneOuter {
		lanes *= float64(min(c.nest.Extent(c.lane), Lanes))
	}
	nanos := 20.0
	for i := range c.nest.Stages {
		s := &c.nest.Stages[i]
		cost := bodyNanos(s.Body) + float64(len(s.Reduce))
		if s.Once {
			nanos += cost
		} else {
			nanos += cost * lanes
		}
	}
	c.perUnit = max(1, min(c.points, int(50e3/nanos)))
	c.nanos = nanos * float64(c.perUnit)
}

// bodyNanos estimates the time of one lane of a body.
func bodyNanos(b kernel.Body) float64 {
	n := 0.0
	for _, i := range b {
		n += 0.6
		if f := i.Op.Function(); f != nil && f.Operands == 1 && i.Op != kernel.Sqrt {
			n += 12
		}
		if _, ok := functions2[i.Op]; ok {
			n += 25
		}
	}
	return n
}

func (c *nestCode) Units() int {
	if c.empty {
		return 0
	}
	return kernel.Pieces(c.points, c.perUnit)
}

func (c *nestCode) UnitNanos() float64 { return c.nanos }

func (c *nestCode) Run(args *kernel.Args, lo, hi int) {
	f := c.frames.Get().(*frame)
	f.begin(args)
	for p := lo * c.perUnit; p < min(hi*c.perUnit, c.points); p++ {
		c.point(f, p)
	}
	f.end(args)
	c.frames.Put(f)
}

// point does outer point p, or block p of outer points.
func (c *nestCode) point(f *frame, p int) {
	for i := range c.nest.Access {
		f.outer[i] = c.nest.Access[i].Offset
	}
	n := 1
	for loop := len(c.nest.Outer) - 1; loop >= 0; loop-- {
		e := c.nest.Outer[loop]
		var at int
		if loop == c.lane {
			blocks := kernel.Pieces(e, Lanes)
			at = p % blocks * Lanes
			p /= blocks
			n = min(e-at, Lanes)
		} else {
			at = p % e
			p /= e
		}
		f.index[loop] = at
		for i := range c.nest.Access {
			f.outer[i] += at * c.nest.Access[i].Outer[loop]
		}
	}
	for i := range c.stages {
		c.runStage(f, &c.stages[i], n)
	}
}

func (c *nestCode) runStage(f *frame, s *stage, n int) {
	copy(f.base, f.outer)
	clear(f.index[len(c.nest.Outer):])
	f.pos, f.n = 0, n
	run(s.before, f)
	across := !s.once && !c.laneOuter && c.lane >= 0 // lanes are combined in the end
	if across {
		c.spreadAll(f, s.spread)
		if f.n = Lanes; !c.fixed { // where lanes without elements count as well
			f.n = max(1, min(c.nest.Extent(c.lane), Lanes))
		}
	}
	lanes := f.n
	for i := range s.reduce {
		s.reduce[i].begin(f)
	}
	if s.once {
		run(s.main, f)
		c.fold(f, s)
	} else {
		c.inner(f, s, n)
	}
	for i := range s.reduce {
		r := &s.reduce[i]
		if across {
			r.across(f, lanes)
			f.n = 1
		}
		if r.finish(f); across && r.spread {
			wordsOf[widened(r.Result()).Size()].fill(f.reg[r.result], Lanes)
		}
	}
	c.spreadAll(f, s.spreads)
}

func (c *nestCode) fold(f *frame, s *stage) {
	for i := range s.reduce {
		s.reduce[i].fold(f)
	}
}

func (c *nestCode) spreadAll(f *frame, regs []spread) {
	for _, r := range regs {
		wordsOf[widened(r.dtype).Size()].fill(f.reg[r.reg], min(c.nest.Extent(c.lane), Lanes))
	}
}

// inner runs the main steps of a stage over the inner loops. With the lanes
// outside, every inner point is a block of n lanes.
func (c *nestCode) inner(f *frame, s *stage, n int) {
	if shape.Size(c.nest.Inner) == 0 {
		return
	}
	first := len(c.nest.Outer)
	for {
		if c.laneOuter || c.lane < 0 {
			f.n = max(n, 1)
			run(s.main, f)
			c.fold(f, s)
			f.pos += Lanes
		} else {
			c.block(f, s)
		}
		loop := first + len(c.nest.Inner) - 1
		for ; loop >= first; loop-- {
			if loop != c.lane && c.advance(f, loop) {
				break
			}
		}
		if loop < first {
			return
		}
	}
}

// block runs the main steps along the whole lane loop.
func (c *nestCode) block(f *frame, s *stage) {
	e := c.nest.Extent(c.lane)
	for at := 0; at < e; at += Lanes {
		f.index[c.lane] = at
		f.n = min(e-at, Lanes)
		run(s.main, f)
		c.fold(f, s)
		for i, step := range c.along {
			f.base[i] += step
		}
		f.pos += f.n
	}
	c.shift(f, c.lane, -kernel.Pieces(e, Lanes)*Lanes)
	f.index[c.lane] = 0
}

// shift moves all operands by a number of steps of a loop.
func (c *nestCode) shift(f *frame, loop, steps int) {
	for i := range f.base {
		f.base[i] += steps * c.nest.Access[i].Stride(loop)
	}
}

// advance steps a loop and reports whether it has not come to its end.
func (c *nestCode) advance(f *frame, loop int) bool {
	f.index[loop]++
	if f.index[loop] < c.nest.Extent(loop) {
		c.shift(f, loop, 1)
		return true
	}
	c.shift(f, loop, 1-f.index[loop])
	f.index[loop] = 0
	return false
}
