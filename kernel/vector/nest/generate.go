package nest

import (
	"slices"
	"sync"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// generator writes the program of a plan.
type generator struct {
	*plan
	b         *vector.Builder
	ports     []*port
	first     []int  // of each stage, the number of the first value that it leaves to other stages
	left      []left // by number
	keptBytes int
	rows      map[*kernel.Instr]vector.Val // where gathers read rows that are inside their ports, the offsets of these
	plain     map[*kernel.Reduction]bool   // extremes where neither NaN nor the sign of a zero matters

	inverse   map[divisor]reciprocal      // of divisors that loops do not change
	rounds    map[vector.Value]vector.Val // of values of the half types, what they are rounded from
	flushes   bool                        // stores of bf16 may have zeros for numbers below the least normal one
	streaming bool                        // stores are non-temporal
	summed    vector.Val                  // what an epilogue begins with
	lowering  lowering                    // memory for the body that is being written
	memory    *[]vector.Val               // for lists of values
}

// memories are lists of values that nothing needs any more.
var memories = sync.Pool{New: func() any {
	list := make([]vector.Val, 0, memoryValues)
	return &list
}}

// memoryValues is how many values are in a part of the memory of a generator at least.
const memoryValues = 256

// release gives the memory of a generator that is done to the next ones.
func (g *generator) release() {
	clear(*g.memory)
	*g.memory = (*g.memory)[:0]
	memories.Put(g.memory)
	g.memory = nil
}

// left is a value that a stage leaves to other stages: the result of a reduction, or a kept value.
type left struct {
	vals []vector.Val // for each copy of the body, of results and of kept values of once stages
	port *port        // the buffer of another kept value
}

// reduced returns what reduction n of a stage leaves.
func (g *generator) reduced(stage, n int) *left { return &g.left[g.first[stage]+n] }

// kept returns kept value n of a stage.
func (g *generator) kept(stage, n int) *left {
	return g.reduced(stage, len(g.Nest.Stages[stage].Reduce)+n)
}

// mostRows is how many rows go through the stages together at most.
const mostRows = 2

// leftIndex is the place of a body in lists of what earlier stages leave: the number of its copy, or of its row.
func (g *generator) leftIndex(l *lowering) int {
	if g.LaneOuter {
		return l.copy
	}
	return l.at.row
}

// set notes the value for one of the copies of a body.
func (g *generator) set(l *left, copy, copies int, v vector.Val) {
	if l.vals == nil {
		l.vals = g.list(copies)
	}
	l.vals[copy] = v
}

// list returns a list of n values.
func (g *generator) list(n int) []vector.Val {
	m := *g.memory
	if n > cap(m)-len(m) {
		m = make([]vector.Val, 0, max(memoryValues, n))
	}
	from := len(m)
	*g.memory = m[:from+n]
	return m[from : from+n : from+n]
}

// listOf returns a copy of a list.
func (g *generator) listOf(list []vector.Val) []vector.Val {
	to := g.list(len(list))
	copy(to, list)
	return to
}

// port is an operand in memory: of the nest, or a buffer of kept values.
type port struct {
	number  int
	dtype   dtype.DType
	strides []int // along each loop of the nest, in elements
	local   bool  // a kept buffer that is used again for every block of lanes
	length  int   // elements of the operand
	base    vector.Val
	still   bool // nothing writes it
	shared  bool // nor a store of an epilogue, which has equal loads once
	shift   int  // bytes from the address at a place
	nextRow int  // bytes from a buffer to the buffer of the other row
}

func (p *port) size() int { return p.dtype.Size() }

// place is a point of the loops whose code is being written.
type place struct {
	at     []vector.Val // address of each port
	index  []vector.Val // of each loop; the lane loop's is the index of lane 0
	copies int          // vectors of a turn
	count  int          // lanes in use, 0 for all
	single bool         // one element, at the start of the inner loops
	row    int          // which of the rows that go through the stages together
}

func newGenerator(p *plan) *generator {
	g := &generator{plan: p, memory: memories.Get().(*[]vector.Val), b: vector.NewBuilder(p.Nest.Name, p.Lanes).For(p.backend), first: make([]int, len(p.Nest.Stages))}
	leaves := 0
	for s := range p.Nest.Stages {
		stage := &p.Nest.Stages[s]
		g.first[s] = leaves
		leaves += len(stage.Reduce) + len(stage.Keep)
		for i := range stage.Reduce {
			if r := &stage.Reduce[i]; r.Type.IsFloat() && (r.Kind == kernel.ReduceMin || r.Kind == kernel.ReduceMax) && p.Exponent(s, i) && p.Absorbed(s, i) {
				if g.plain == nil {
					g.plain = map[*kernel.Reduction]bool{}
				}
				g.plain[r] = true
			}
		}
	}
	g.left = make([]left, leaves)
	g.addPorts()
	return g
}

// addPorts makes the ports of the nest.
func (g *generator) addPorts() {
	ports := make([]port, len(g.Nest.Access))
	loops := len(g.Nest.Outer) + len(g.Nest.Inner)
	strides := make([]int, 0, loops*len(ports))
	g.ports = make([]*port, len(ports))
	for i := range ports {
		a := &g.Nest.Access[i]
		if a.Len == 0 {
			unsupported()
		}
		strides = append(append(strides, a.Outer...), a.Inner...)
		ports[i] = port{number: i, dtype: a.DType, length: a.Len, base: g.b.Arg(g.baseWord(i)), still: !a.Write,
			strides: strides[i*loops:]}
		g.ports[i] = &ports[i]
	}
}

// generate writes the loops over outer points.
func (g *generator) generate() {
	for s, stage := range g.Nest.Stages {
		for k, n := range stage.Keep {
			if !stage.Once {
				g.keep(s, k, stage.Body[n].Type)
			}
		}
	}
	g.keptBytes = (g.keptBytes + 63) &^ 63
	b := g.b
	here := &place{at: g.list(len(g.ports)), index: g.list(len(g.Nest.Outer) + len(g.Nest.Inner))}
	for i := range g.Nest.Access {
		here.at[i] = b.Arg(i)
	}
	scratch := b.Arg(g.word(wordScratch))
	for _, p := range g.ports[len(g.Nest.Access):] {
		here.at[p.number] = b.Offset(scratch, p.length) // where a buffer is stands in its length
	}
	zero := b.Word(0)
	for loop := range here.index {
		if here.index[loop] = zero; loop < len(g.Nest.Outer) {
			here.index[loop] = b.Arg(g.indexWord(loop))
		}
	}
	if !g.streamsResults() {
		g.overRows(here)
		return
	}
	streams := b.Arg(g.word(wordStreams))
	b.When(streams, func() {
		g.streaming = true
		g.overRows(here)
		b.Do(vector.Fence)
		g.streaming = false
	})
	b.When(b.Op(vector.WordSub, b.Word(1), streams), func() { g.overRows(here) })
}

// overRows writes the loop over the rows of a call: of two rows, one is under way while the other combines its lanes.
func (g *generator) overRows(here *place) {
	if g.Row < 0 {
		g.folds(here, 0, 1)
		return
	}
	b, together, end := g.b, 1, g.b.Arg(g.word(wordRows))
	if g.pairs {
		together, end = 2, b.Arg(g.word(wordPairs))
	}
	b.Loop(end, together, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		g.folds(g.along(here, g.Row, i), 0, together)
		return nil
	})
	if g.pairs {
		b.When(b.Arg(g.word(wordOdd)), func() { g.folds(g.along(here, g.Row, end), 0, 1) })
	}
}

// keep makes room for a value at every inner point: the lane loop is innermost, the other inner loops follow.
func (g *generator) keep(stage, number int, t dtype.DType) {
	types := map[vector.Kind]dtype.DType{vector.F32: dtype.F32, vector.F64: dtype.F64, vector.I32: dtype.I32, vector.I64: dtype.I64}
	p := &port{number: len(g.ports), dtype: types[kindOf(t)], local: g.LaneOuter, strides: make([]int, len(g.Nest.Outer)+len(g.Nest.Inner)), length: g.keptBytes}
	p.strides[g.Lane] = 1
	step := g.Nest.Extent(g.Lane)
	if g.LaneOuter {
		step = g.Unroll * g.Lanes
	}
	for i := len(g.Seq) - 1; i >= 0; i-- {
		p.strides[g.Seq[i]] = step
		step *= g.Nest.Extent(g.Seq[i])
	}
	// The other row's buffer does not begin at the same place of a page: a load is not to wait for a store there.
	p.nextRow = (step*p.size() + 127) &^ 63
	if g.keptBytes += p.nextRow; g.pairs {
		g.keptBytes += p.nextRow
	}
	g.ports = append(g.ports, p)
	g.kept(stage, number).port = p
}

// along is a place some steps further along a loop. A loop of the code gives what it carries of addresses.
func (g *generator) along(from *place, loop int, steps vector.Val, carried ...vector.Val) *place {
	to := *from
	to.at, to.index = g.listOf(from.at), g.listOf(from.index)
	for i, p := range g.ports {
		switch {
		case p.local && loop == g.Lane:
		case len(carried) == 0 || !p.carries(loop):
			to.at[i] = g.b.Along(from.at[i], steps, p.strides[loop]*p.size())
		case g.distances:
			to.at[i] = g.b.Along(from.at[i], carried[slices.Index(g.carried(loop), p.strides[loop]*p.size())], 1)
		default:
			to.at[i], carried = carried[0], carried[1:]
		}
	}
	if loop < len(g.Nest.Outer) || loop == g.Lane {
		to.index[loop] = g.b.Op(vector.WordAdd, from.index[loop], steps)
	} else {
		to.index[loop] = steps
	}
	return &to
}

// carries reports whether a loop of the code carries the address of a port: no access adds up such steps itself.
func (p *port) carries(loop int) bool {
	switch bytes := p.strides[loop] * p.size(); bytes {
	case 0, 1, 2, 4, 8:
		return false
	default:
		return -reach < bytes && bytes < reach
	}
}

// carried lists the bytes of a step along a loop for each value that a loop of the code carries for addresses: for the
// address of each port, or for the distance from where it began, which all ports with such steps have in common.
func (g *generator) carried(loop int) (steps []int) {
	for _, p := range g.ports {
		bytes := p.strides[loop] * p.size()
		if p.carries(loop) && !(g.distances && slices.Contains(steps, bytes)) {
			steps = append(steps, bytes)
		}
	}
	return steps
}

// walk writes a loop from 0 to n in steps along a loop of the nest. Its body is at a place, and gets and returns what
// the loop carries.
func (g *generator) walk(at *place, loop, n, step int, acc []vector.Val, body func(at *place, acc []vector.Val) []vector.Val) []vector.Val {
	carried, steps := append([]vector.Val(nil), acc...), g.carried(loop)
	for i, p := range g.ports {
		if !g.distances && p.carries(loop) {
			carried = append(carried, at.at[i])
		}
	}
	for g.distances && len(carried) < len(acc)+len(steps) {
		carried = append(carried, g.b.Word(0))
	}
	return g.b.Loop(g.b.Word(n), step, carried, func(i vector.Val, c []vector.Val) []vector.Val {
		next := append([]vector.Val(nil), body(g.along(at, loop, i, c[len(acc):]...), c[:len(acc)])...)
		for n, bytes := range steps {
			next = append(next, g.b.Offset(c[len(acc)+n], step*bytes))
		}
		return next
	})[:len(acc)]
}

// folds writes the outer loops that a call does as a whole, for a number of rows together.
func (g *generator) folds(at *place, depth, rows int) {
	if depth == len(g.Fold) {
		g.point(at, rows)
		return
	}
	loop := g.Fold[depth]
	g.b.Loop(g.b.Word(g.Nest.Extent(loop)), 1, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		g.folds(g.along(at, loop, i), depth+1, rows)
		return nil
	})
}

// point writes the work of one outer point, of the points of two rows, or of all points that the lanes run along.
func (g *generator) point(at *place, rows int) {
	if g.LaneOuter && len(g.Nest.Inner) == 0 {
		g.alongRows(at, func() { g.lanes(at) })
		return
	}
	if g.LaneOuter {
		g.lanes(at)
		return
	}
	places := []*place{at}
	if rows == 2 {
		next := *at
		next.row, next.at, next.index = 1, g.list(len(at.at)), g.listOf(at.index)
		for i, p := range g.ports {
			next.at[i] = g.b.Offset(at.at[i], p.strides[g.Row]*p.size()+p.nextRow)
		}
		next.index[g.Row] = g.b.Offset(at.index[g.Row], 1)
		places = append(places, &next)
	}
	for s := range g.Nest.Stages {
		for _, at := range places {
			g.stageInside(at, s, rows)
		}
	}
}

// lanes writes the lane loop over outer points.
func (g *generator) lanes(at *place) {
	b := g.b
	ahead := g.pageAhead()
	for s := range g.Nest.Stages {
		if len(g.Nest.Inner) == 0 {
			g.reciprocals(at, s, 1)
		}
	}
	vectors := func(at *place, copies, count int) {
		at.copies, at.count = copies, count
		for n := range copies {
			g.prefetch(ahead, at, n)
		}
		for n := range g.left {
			g.left[n].vals = nil
		}
		for s := range g.Nest.Stages {
			g.stageOutside(at, s)
		}
	}
	step := g.Unroll * g.Lanes
	blocks, singles := b.Arg(g.word(wordBlocks)), b.Arg(g.word(wordSingles))
	if g.Nest.Extent(g.Lane) >= step {
		b.Loop(blocks, step, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			vectors(g.along(at, g.Lane, i), g.Unroll, 0)
			return nil
		})
	}
	if g.Nest.Extent(g.Lane)/g.Lanes%g.Unroll > 0 { // units but the last are whole turns
		b.Loop(singles, g.Lanes, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			vectors(g.along(at, g.Lane, b.Op(vector.WordAdd, blocks, i)), 1, 0)
			return nil
		})
	}
	if tail := g.Nest.Extent(g.Lane) % g.Lanes; tail > 0 {
		b.When(b.Arg(g.word(wordTail)), func() {
			vectors(g.along(at, g.Lane, b.Op(vector.WordAdd, blocks, singles)), 1, tail)
		})
	}
}

// loops writes the inner loops other than the loop of the lanes. Sums that would add more than some hundred numbers in
// one register are cut: the sums of a run of the innermost loop are added to the other sums at its end.
func (g *generator) loops(at *place, s *kernel.Stage, depth int, acc []vector.Val, body func(*place, []vector.Val) []vector.Val) []vector.Val {
	switch {
	case depth == len(g.Seq):
		return body(at, acc)
	case depth == 0 && g.isShort(s):
		return g.straight(at, acc, body)
	}
	loop := g.Seq[depth]
	if depth < len(g.Seq)-1 || !g.LaneOuter {
		return g.walk(at, loop, g.Nest.Extent(loop), 1, acc, func(at *place, acc []vector.Val) []vector.Val {
			return g.loops(at, s, depth+1, acc, body)
		})
	}
	return g.sums(at, s, turning{loop, g.Nest.Extent(loop), 1, g.InnerPoints()}, acc, body)
}

// longSum is how many numbers a register sums before it is added to others.
const longSum = 256

// turning is a loop from 0 to n in steps, which folds a number of values into each accumulator.
type turning struct{ loop, n, step, folds int }

// sums writes a loop. Accumulators of sums of floats are cut if there are more than longSum folds in all.
func (g *generator) sums(at *place, s *kernel.Stage, t turning, acc []vector.Val, body func(at *place, acc []vector.Val) []vector.Val) []vector.Val {
	b := g.b
	turns, of := (t.n+t.step-1)/t.step, g.accumulated(s)
	if t.folds <= longSum || !slices.ContainsFunc(of, isSum) {
		return g.walk(at, t.loop, t.n, t.step, acc, body)
	}
	part := func(at *place, n int, acc []vector.Val) []vector.Val {
		begin := append([]vector.Val(nil), acc...)
		for i := range begin {
			if isSum(of[i%len(of)]) {
				begin[i] = b.Bits(begin[i].Kind, 0)
			}
		}
		end := g.walk(at, t.loop, n, t.step, begin, body)
		for i := range end {
			if isSum(of[i%len(of)]) {
				end[i] = b.Op(vector.Add, acc[i], end[i])
			}
		}
		return end
	}
	long := longSum * t.step
	if turns > longSum {
		acc = g.walk(at, t.loop, t.n/long*long, long, acc, func(at *place, acc []vector.Val) []vector.Val {
			return part(at, long, acc)
		})
	}
	if rest := t.n % long; turns <= longSum || rest > 0 {
		if turns <= longSum {
			rest = t.n
		}
		acc = part(g.along(at, t.loop, b.Word(t.n-rest)), rest, acc)
	}
	return acc
}
