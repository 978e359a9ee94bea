package schedule

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
)

// Target has the facts of a processor that the plan of a nest depends on.
type Target struct {
	VectorBytes int
	Unroll      int // most vectors that one turn of the lane loop works on
	Longest     int // instructions of a body that a turn repeats, 0 for any number
	Reach       int // bytes that the vectors of a turn may lie apart, 0 for any number
	// InDouble reports whether an operation on operands of a type is computed in lanes of 8 bytes.
	InDouble func(kernel.Op, dtype.DType) bool
}

// Loops says which loop of a nest runs along the lanes and where the other loops are. Loops are numbered, the outer
// ones first.
type Loops struct {
	Nest      *kernel.Nest // canonical
	Lanes     int          // of a vector
	Lane      int          // the loop along the lanes
	LaneOuter bool         // each lane is an outer point of its own
	Row       int          // the outer loop that one call does a range of, -1 if none
	Fold      []int        // outer loops inside it that one call does as a whole
	Rest      []int        // the other outer loops, iterated in Go
	Seq       []int        // the inner loops other than Lane, outermost first
	Unroll    int          // vectors that a turn of the lane loop works on
}

// longestCall bounds the nanoseconds of a call, which nothing can interrupt.
const longestCall = 4e6

// NewLoops plans a nest. Its error wraps [kernel.ErrUnsupported] for extents of 0, for nests that no loop can fill
// lanes of, and for rows that take too long for one call.
func NewLoops(n *kernel.Nest, t Target) (*Loops, error) {
	p := &Loops{Nest: n.Canonical(), Row: -1, Unroll: 1}
	p.addLoops()
	loops := len(p.Nest.Outer) + len(p.Nest.Inner)
	for loop := range loops {
		if p.Nest.Extent(loop) == 0 {
			return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
		}
	}
	p.Lanes = t.VectorBytes / p.widest(t.InDouble)
	if !p.chooseLane(t) {
		return nil, fmt.Errorf("%w: no loop for the lanes", kernel.ErrUnsupported)
	}
	for loop := range loops {
		switch {
		case loop == p.Lane:
		case loop >= len(p.Nest.Outer):
			p.Seq = append(p.Seq, loop)
		default:
			p.Rest = append(p.Rest, loop)
		}
	}
	p.chooseRow()
	p.chooseUnroll(t)
	if p.callNanos() > longestCall {
		return nil, fmt.Errorf("%w: a row that takes too long for one call", kernel.ErrUnsupported)
	}
	return p, nil
}

// addLoops gives a nest of a single point a loop for the lanes, and one of a single inner point a loop for its stages.
func (p *Loops) addLoops() {
	n := p.Nest
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
func (p *Loops) widest(inDouble func(kernel.Op, dtype.DType) bool) int {
	size := 4
	for _, s := range p.Nest.Stages {
		for _, i := range s.Body {
			size = max(size, laneBytes(i.Type))
			if i.Op.Arity() > 0 && inDouble(i.Op, s.Body[i.A].Type) {
				size = 8
			}
		}
		for _, r := range s.Reduce {
			size = max(size, laneBytes(r.Type))
			if r.Kind.IsArg() {
				size = 8
			}
		}
	}
	return size
}

// laneBytes is the length of a lane that a type is computed in.
func laneBytes(t dtype.DType) int {
	k, _ := vector.Element(t)
	return k.Size()
}

// InnerPoints is the number of points of the inner loops.
func (p *Loops) InnerPoints() int { return shape.Size(p.Nest.Inner) }

// mostKept bounds the bytes of kept values in scratch memory.
const mostKept = 1 << 20

// chooseLane takes the loop that costs least: contiguous, long enough to fill vectors, with lanes that are not too far
// apart to be addressed. Lanes along an inner loop pay for combining lanes at the end of every reduction. It reports
// whether there is a loop that can be taken.
func (p *Loops) chooseLane(t Target) bool {
	best := -1.0
	for loop := range len(p.Nest.Outer) + len(p.Nest.Inner) {
		outer := loop < len(p.Nest.Outer)
		kept := p.keptBytes() * p.InnerPoints()
		if outer {
			kept *= p.Lanes * t.Unroll
		}
		if kept > mostKept || t.Reach > 0 && !p.Reaches(loop, t.Unroll*p.Lanes, t.Reach) || p.storesOneElement(loop) {
			continue
		}
		e := p.Nest.Extent(loop)
		vectors := (e + p.Lanes - 1) / p.Lanes
		score := float64(e) / float64(vectors*p.Lanes) // share of lanes in use
		for i := range p.Nest.Access {
			switch s := p.Nest.Access[i].Stride(loop); {
			case s == 0 || s == 1:
			case p.Nest.Access[i].Write:
				score *= 0.25
			default:
				score *= 0.4
			}
		}
		if !outer && len(p.Nest.Outer) > 0 {
			score *= float64(vectors) / float64(vectors+2)
		}
		if score >= best {
			best, p.Lane, p.LaneOuter = score, loop, outer
		}
	}
	return best >= 0
}

// Reaches reports whether some steps of a loop lie within the given bytes in all accesses.
func (p *Loops) Reaches(loop, steps, bytes int) bool {
	for i := range p.Nest.Access {
		s := p.Nest.Access[i].Stride(loop)
		if max(s, -s)*p.Nest.Access[i].DType.Size()*steps > bytes {
			return false
		}
	}
	return true
}

// storesOneElement reports whether lanes along a loop would write to one element, where each point is to write.
func (p *Loops) storesOneElement(loop int) bool {
	for _, s := range p.Nest.Stages {
		if s.Once && loop >= len(p.Nest.Outer) {
			continue
		}
		for _, i := range s.Body {
			if i.Op == kernel.Store && p.Nest.Access[i.Port].Stride(loop) == 0 && p.Nest.Extent(loop) > 1 {
				return true
			}
		}
	}
	return false
}

// keptBytes is the bytes of kept values at one inner point.
func (p *Loops) keptBytes() int {
	n := 0
	for _, s := range p.Nest.Stages {
		for _, k := range s.Keep {
			if !s.Once {
				n += laneBytes(s.Body[k].Type)
			}
		}
	}
	return n
}

// chooseRow folds the last of the outer loops into the code, as many as make a call worth its while, and takes the one
// before as the row.
func (p *Loops) chooseRow() {
	nanos := p.pointNanos()
	if p.LaneOuter {
		nanos *= float64(p.Nest.Extent(p.Lane))
	}
	for k := len(p.Rest) - 1; k >= 0; k-- {
		loop := p.Rest[k]
		nanos *= float64(p.Nest.Extent(loop))
		if k == 0 || nanos > unitNanos/2 {
			p.Row, p.Rest = loop, p.Rest[:k]
			return
		}
		p.Fold = append([]int{loop}, p.Fold...)
	}
}

// long is how many instructions a body needs so that the loop's own take no time, if no turn waits for another: a
// processor works on several turns at once.
const long = 32

// chooseUnroll repeats the body so that short ones do not spend their time on the loop, and so that reductions have
// several accumulators.
func (p *Loops) chooseUnroll(t Target) {
	longest, arg := 0, false
	for _, s := range p.Nest.Stages {
		longest = max(longest, int(instructions(&s, 16)))
		for _, r := range s.Reduce {
			arg = arg || r.Kind.IsArg()
		}
	}
	limit := t.Unroll
	switch {
	case t.Longest > 0 && longest > t.Longest, longest > long && p.LaneOuter && len(p.Nest.Inner) == 0:
		limit = 1
	case longest > 16 || arg:
		limit = min(limit, 2)
	}
	for p.Unroll < limit && p.Nest.Extent(p.Lane) >= 2*p.Unroll*p.Lanes {
		p.Unroll *= 2
	}
}

// instructions estimates the length of the body of a stage, where a function has the given number beside its call.
func instructions(s *kernel.Stage, inFunction float64) float64 {
	n := 0.0
	for _, i := range s.Body {
		n++
		if function.Is(i.Op) {
			n += inFunction
		}
	}
	return n
}

// Invariant reports whether the address of an access is the same in all turns of the innermost loops: the inner loops,
// or the loop of the lanes if there are none.
func (p *Loops) Invariant(access int) bool {
	if len(p.Nest.Inner) == 0 {
		return p.Nest.Access[access].Stride(p.Lane) == 0
	}
	return !slices.ContainsFunc(p.Nest.Access[access].Inner, func(stride int) bool { return stride != 0 })
}

// CacheLine is the bytes of a line of a cache. Elements that lie in lines of their own take about lineNanos each.
const (
	CacheLine = 64
	lineNanos = 2
)

// pointNanos estimates the time of one outer point: the larger of instructions and memory.
func (p *Loops) pointNanos() float64 {
	inner := float64(p.InnerPoints())
	instrs, bytes, apart := 0.0, 0.0, 0.0
	for _, s := range p.Nest.Stages {
		n := instructions(&s, 14)
		if !s.Once {
			n *= inner
		}
		instrs += n
	}
	for i, a := range p.Nest.Access {
		b := float64(a.DType.Size()) * inner
		switch s := p.Nest.Access[i].Stride(p.Lane); {
		case s == 0:
			b /= float64(p.Lanes)
		case max(s, -s)*a.DType.Size() >= CacheLine:
			apart += b / float64(a.DType.Size())
		}
		bytes += b
	}
	nanos := max(instrs/float64(p.Lanes)*0.2, bytes/60) + apart*lineNanos
	if !p.LaneOuter {
		nanos += 5 * float64(len(p.Nest.Stages))
	}
	return max(nanos, 0.005)
}
