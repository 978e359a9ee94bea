package nest

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
)

func unsupported() { panic(kernel.ErrUnsupported) }

// plan says which loop runs over the lanes and where the other loops are.
type plan struct {
	n         *kernel.Nest // canonical
	lanes     int
	lane      int
	laneOuter bool  // each lane is an outer point of its own
	row       int   // the outer loop of which one call does a range, -1 if none
	fold      []int // outer loops inside it that one call does as a whole
	rest      []int // the other outer loops, iterated in Go
	seq       []int // the inner loops other than lane, outermost first
	unroll    int
}

func newPlan(n *kernel.Nest, vectorBytes, unroll int) *plan {
	p := &plan{n: n.Canonical(), row: -1, unroll: 1}
	p.addLoops()
	p.lanes = vectorBytes / p.widest()
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
	p.chooseUnroll(unroll)
	return p
}

// addLoops gives a nest of a single point a loop for the lanes, and one of a single inner point a loop for its stages.
func (p *plan) addLoops() {
	n := p.n
	staged := len(n.Stages) > 1
	for _, s := range n.Stages {
		staged = staged || s.Once || len(s.Reduce) > 0 || len(s.Keep) > 0
	}
	inner := staged && len(n.Inner) == 0
	outer := len(n.Outer) == 0 && (inner || len(n.Inner) == 0)
	for i := range n.Access {
		if inner {
			n.Access[i].Inner = []int{1}
		}
		if outer {
			n.Access[i].Outer = []int{1}
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
			if i.Op.Arity() > 0 && function.InDouble(i.Op, s.Body[i.A].Type) {
				size = 8
			}
		}
		for _, r := range s.Reduce {
			wide(r.Type)
			if r.Kind.IsArg() {
				size = 8
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

// chooseLane takes the loop that costs least: contiguous, and long enough to fill vectors. Lanes along an inner loop pay
// for combining lanes at the end of every reduction.
func (p *plan) chooseLane() {
	best := -1.0
	inner := product(p.n.Inner)
	for loop := range len(p.n.Outer) + len(p.n.Inner) {
		outer := loop < len(p.n.Outer)
		kept := p.keptBytes() * inner
		if outer {
			kept *= p.lanes * mostUnrolled
		}
		if kept > maxKept {
			continue
		}
		e := p.extent(loop)
		vectors := (e + p.lanes - 1) / p.lanes
		score := float64(e) / float64(vectors*p.lanes) // share of lanes in use
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
		if score >= best && !p.storesOneElement(loop) {
			best, p.lane, p.laneOuter = score, loop, outer
		}
	}
	if best < 0 {
		unsupported()
	}
}

// storesOneElement reports whether lanes along a loop would write to one element, where each point is to write.
func (p *plan) storesOneElement(loop int) bool {
	for _, s := range p.n.Stages {
		if s.Once && loop >= len(p.n.Outer) {
			continue
		}
		for _, i := range s.Body {
			if i.Op == kernel.Store && p.stride(i.Port, loop) == 0 && p.extent(loop) > 1 {
				return true
			}
		}
	}
	return false
}

// mostUnrolled bounds the vectors that one turn of the lane loop works on.
const mostUnrolled = 4

// keptBytes is the bytes of kept values at one inner point.
func (p *plan) keptBytes() int {
	n := 0
	for _, s := range p.n.Stages {
		for _, k := range s.Keep {
			if !s.Once {
				n += kindOf(s.Body[k].Type).Size()
			}
		}
	}
	return n
}

// chooseRow folds the last of the outer loops into the code, as many as make a call worth its while, and takes the one
// before as the row.
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

// chooseUnroll repeats the body so that short ones do not spend their time on the loop, and so that reductions have
// several accumulators.
func (p *plan) chooseUnroll(limit int) {
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
	switch {
	case longest > 64:
		limit = 1
	case longest > 16 || arg:
		limit = min(limit, 2)
	}
	for p.unroll < limit && p.extent(p.lane) >= 2*p.unroll*p.lanes {
		p.unroll *= 2
	}
}

// Elements that lie in cache lines of their own take about lineNanos each.
const (
	cacheLine = 64
	lineNanos = 2
)

// pointNanos estimates the time of one outer point: the larger of instructions and memory.
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
		if !s.Once {
			n *= inner
		}
		instrs += n
	}
	for i, a := range p.n.Access {
		b := float64(a.DType.Size()) * inner
		switch s := p.stride(i, p.lane); {
		case s == 0:
			b /= float64(p.lanes)
		case max(s, -s)*a.DType.Size() >= cacheLine:
			apart += b / float64(a.DType.Size())
		}
		bytes += b
	}
	nanos := max(instrs/float64(p.lanes)*0.2, bytes/60) + apart*lineNanos
	if !p.laneOuter {
		nanos += 5 * float64(len(p.n.Stages))
	}
	return max(nanos, 0.005)
}

// The call block: addresses of the ports, then these words, then for each outer loop where a call begins.
const (
	wordScratch = iota
	wordFault
	wordRows
	wordBlocks  // elements of the lane loop in whole turns
	wordSingles // elements behind them in single vectors
	wordTail    // 1 if there are more
	fixedWords
)

func (p *plan) word(n int) int         { return len(p.n.Access) + n }
func (p *plan) indexWord(loop int) int { return len(p.n.Access) + fixedWords + loop }
func (p *plan) baseWord(port int) int  { return p.indexWord(len(p.n.Outer)) + port }
func (p *plan) words() int             { return p.baseWord(len(p.n.Access)) }

// kindOf returns what lanes of a type are computed as. A bool is a mask.
func kindOf(t dtype.DType) vector.Kind {
	k, _ := vector.Element(t)
	return k
}

// memOf returns what a type is in memory.
func memOf(t dtype.DType) vector.Mem {
	_, m := vector.Element(t)
	return m
}
