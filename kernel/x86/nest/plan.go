package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector/function"
)

// plan says which loop runs over the lanes and where the other loops are.
type plan struct {
	n         *kernel.Nest // canonical
	isa       isa
	lane      int
	laneOuter bool  // each lane is an outer point of its own
	row       int   // the outer loop of which one call does a range, -1 if none
	fold      []int // outer loops inside it that one call does as a whole
	rest      []int // the other outer loops, iterated in Go
	seq       []int // the inner loops other than lane, outermost first
	unroll    int
	pairs     bool // two rows go through the stages together
}

func newPlan(n *kernel.Nest, f cpu.Features) *plan {
	p := &plan{n: n.Canonical(), row: -1, unroll: 1}
	p.addLoops()
	p.isa = isa{avx512: f.Level >= cpu.AVX512, lanes: f.Level.VectorBytes() / p.widest()}
	p.chooseLane()
	outer := len(p.n.Outer)
	for loop := range outer + len(p.n.Inner) {
		switch {
		case loop == p.lane:
		case loop >= outer:
			p.seq = append(p.seq, loop)
		default:
			p.rest = append(p.rest, loop)
		}
	}
	p.chooseRow()
	p.chooseUnroll()
	p.pairs = !p.laneOuter && p.row >= 0 && p.extent(p.row) > 1 && (p.busy() || p.brief()) &&
		p.reaches(p.row, 1)
	return p
}

// chooseRow folds the last of the outer loops into the code, as many as make a
// call worth its while, and takes the one before as the row.
func (p *plan) chooseRow() {
	nanos := p.pointNanos()
	if p.laneOuter {
		nanos *= float64(p.extent(p.lane))
	}
	for k := len(p.rest) - 1; k >= 0; k-- {
		loop := p.rest[k]
		nanos *= float64(p.extent(loop))
		if k == 0 || nanos > unitNanos/2 {
			p.row, p.rest = loop, p.rest[:k]
			return
		}
		p.fold = append([]int{loop}, p.fold...)
	}
}

// folded is the number of points of the folded loops.
func (p *plan) folded() int {
	n := 1
	for _, l := range p.fold {
		n *= p.extent(l)
	}
	return n
}

// busy reports whether the work is in instructions and not in memory: whether a
// function is computed at every inner point.
func (p *plan) busy() bool {
	for _, s := range p.n.Stages {
		for _, i := range s.Body {
			if function.Is(i.Op) && !s.Once {
				return true
			}
		}
	}
	return false
}

// brief reports whether a row has so few vectors that combining the lanes of its
// reductions takes as long.
func (p *plan) brief() bool { return product(p.n.Inner) <= 16*p.isa.lanes }

// addLoops gives a nest of a single point a loop for the lanes, and one of a
// single inner point a loop for its stages.
func (p *plan) addLoops() {
	n := p.n
	staged := len(n.Stages) > 1
	for _, s := range n.Stages {
		staged = staged || s.Once || len(s.Reduce) > 0 || len(s.Keep) > 0
	}
	inner := staged && len(n.Inner) == 0
	outer := len(n.Outer) == 0 && (inner || len(n.Inner) == 0)
	for i := range n.Access {
		a := &n.Access[i]
		if inner {
			a.Inner = []int{1}
		}
		if outer {
			a.Outer = []int{1}
		}
	}
	if inner {
		n.Inner = []int{1}
	}
	if outer {
		n.Outer = []int{1}
	}
}

// widest is the size of the longest type in the bodies.
func (p *plan) widest() int {
	size := 4
	wide := func(d dtype.DType) {
		if d == dtype.F64 || d == dtype.I64 {
			size = 8
		}
	}
	for _, s := range p.n.Stages {
		for _, i := range s.Body {
			wide(i.Type)
			if i.Op.Arity() > 0 && inDouble(i.Op, s.Body[i.A].Type) {
				size = 8
			}
		}
		for _, r := range s.Reduce {
			wide(r.Type)
			if r.Kind.IsArg() {
				wide(dtype.I64)
			}
		}
	}
	return size
}

func (p *plan) extent(loop int) int {
	if loop < len(p.n.Outer) {
		return p.n.Outer[loop]
	}
	return p.n.Inner[loop-len(p.n.Outer)]
}

func (p *plan) stride(access, loop int) int {
	a := &p.n.Access[access]
	if loop < len(p.n.Outer) {
		return a.Outer[loop]
	}
	return a.Inner[loop-len(p.n.Outer)]
}

func product(extents []int) int {
	n := 1
	for _, e := range extents {
		n *= e
	}
	return n
}

// maxKept bounds the bytes of kept values in scratch memory.
const maxKept = 1 << 20

// chooseLane takes the loop that costs least: contiguous, long enough to fill
// vectors, with lanes that are not too far apart to be addressed. Lanes along an inner loop pay for combining lanes at the end of
// every reduction.
func (p *plan) chooseLane() {
	best := -1.0
	inner := product(p.n.Inner)
	for loop := range len(p.n.Outer) + len(p.n.Inner) {
		outer := loop < len(p.n.Outer)
		kept := p.keptBytes() * inner
		if outer {
			kept *= p.isa.lanes * 4
		}
		if kept > maxKept || !p.reaches(loop, mostUnrolled*p.isa.lanes) {
			continue
		}
		e := p.extent(loop)
		vectors := (e + p.isa.lanes - 1) / p.isa.lanes
		score := float64(e) / float64(vectors*p.isa.lanes) // share of lanes in use
		for i := range p.n.Access {
			switch s := p.stride(i, loop); {
			case s == 0 || s == 1:
			case p.n.Access[i].Write:
				score *= 0.25
			default:
				score *= 0.4
			}
		}
		if !outer && len(p.n.Outer) > 0 {
			score *= float64(vectors) / float64(vectors+2)
		}
		if score >= best {
			best, p.lane, p.laneOuter = score, loop, outer
		}
	}
	if best < 0 {
		unsupported()
	}
}

// mostUnrolled bounds the vectors that one pass of the lane loop works on.
const mostUnrolled = 4

// reaches reports whether so many steps of a loop are within the displacements of code, with room for
// others beside them.
func (p *plan) reaches(loop, steps int) bool {
	for i := range p.n.Access {
		if abs(p.stride(i, loop))*p.n.Access[i].DType.Size()*steps > math.MaxInt32/4 {
			return false
		}
	}
	return true
}

// keptBytes is the bytes of kept values at one inner point.
func (p *plan) keptBytes() int {
	n := 0
	for _, s := range p.n.Stages {
		for _, k := range s.Keep {
			if !s.Once {
				n += kindOf(s.Body[k].Type).size()
			}
		}
	}
	return n
}

// chooseUnroll repeats the body so that short ones do not spend their time on
// the loop, and so that reductions have several accumulators.
func (p *plan) chooseUnroll() {
	if p.laneOuter && len(p.n.Inner) > 0 && (p.keptBytes() > 0 || p.hoists()) {
		return
	}
	longest, arg := 0, false
	for _, s := range p.n.Stages {
		n := 0
		for _, i := range s.Body {
			n++
			if function.Is(i.Op) {
				n += 12
			}
		}
		longest = max(longest, n)
		for _, r := range s.Reduce {
			arg = arg || r.Kind.IsArg()
		}
	}
	limit := mostUnrolled
	if longest > 16 || arg {
		limit = 2
	}
	for p.unroll < limit && p.extent(p.lane) >= 2*p.unroll*p.isa.lanes {
		p.unroll *= 2
	}
}

// hoists reports whether a stage over inner loops computes something that does not depend
// on them: for several vectors of outer points it would be computed at every inner point.
func (p *plan) hoists() bool {
	for _, s := range p.n.Stages {
		if s.Once {
			continue
		}
		still := make([]bool, len(s.Body)) // by instruction
		for n, i := range s.Body {
			operands := []int{i.A, i.B, i.C}[:i.Op.Arity()]
			switch i.Op {
			case kernel.Index:
				return true
			case kernel.Const, kernel.Acc, kernel.Kept:
				still[n] = true
			case kernel.Load:
				still[n] = p.invariant(i.Port)
			default:
				moves := len(operands) == 0 || i.Op == kernel.LoadAt
				for _, o := range operands {
					moves = moves || !still[o]
				}
				if !moves {
					return true
				}
			}
		}
	}
	return false
}

// spreads reports whether a stage over inner loops works on several vectors of outer points
// at a time. What does not depend on the loops is read in them then.
func (p *plan) spreads() bool { return p.laneOuter && len(p.n.Inner) > 0 && p.unroll > 1 }

// invariant reports whether the address of an access does not depend on the
// loops that run after the hoisted part of a stage.
func (p *plan) invariant(access int) bool {
	if len(p.n.Inner) == 0 {
		return p.stride(access, p.lane) == 0
	}
	for _, s := range p.n.Access[access].Inner {
		if s != 0 {
			return false
		}
	}
	return true
}

// Elements that lie in cache lines of their own take about lineNanos each.
const (
	cacheLine = 64
	lineNanos = 2
)

// pointNanos estimates the time of one outer point: the larger of instructions
// and memory.
func (p *plan) pointNanos() float64 {
	inner := float64(product(p.n.Inner))
	instrs, bytes, apart := 0.0, 0.0, 0.0
	for _, s := range p.n.Stages {
		n := 0.0
		for _, i := range s.Body {
			n++
			if function.Is(i.Op) {
				n += 14
			}
		}
		if s.Once {
			instrs += n
		} else {
			instrs += n * inner
		}
	}
	for i, a := range p.n.Access {
		b := float64(a.DType.Size())
		for _, e := range p.n.Inner {
			b *= float64(e)
		}
		switch s := p.stride(i, p.lane); {
		case s == 0:
			b /= float64(p.isa.lanes)
		case max(s, -s)*a.DType.Size() >= cacheLine:
			apart += b / float64(a.DType.Size())
		}
		bytes += b
	}
	lanes := float64(p.isa.lanes)
	nanos := max(instrs/lanes*0.2, bytes/60) + apart*lineNanos
	if !p.laneOuter {
		nanos += 5 * float64(len(p.n.Stages))
	}
	return max(nanos, 0.005)
}
