package nest

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
)

func unsupported() { panic(kernel.ErrUnsupported) }

// plan is where the loops of a nest are in the program.
type plan struct {
	*schedule.Loops
	backend vector.Backend
	pairs   bool // two rows go through each stage, one after the other

	// Loops carry how far addresses are from where they began, one value for all ports with the same steps, and not the
	// address of each port: more instructions, and fewer registers.
	distances bool
}

const (
	// mostUnrolled bounds the vectors that one turn of the lane loop works on.
	mostUnrolled = 4
	// reach is how far displacements of code go, with room for others beside them.
	reach = math.MaxInt32 / 4
)

func newPlan(n *kernel.Nest, b vector.Backend) (*plan, error) {
	t := schedule.Target{VectorBytes: b.VectorBytes(), Unroll: mostUnrolled, Longest: 64, Reach: reach, InDouble: function.InDouble}
	if !b.Has(vector.Quot, vector.I32, vector.None) {
		t.InDouble = inDouble
	}
	loops, err := schedule.NewLoops(n, t)
	if err != nil {
		return nil, err
	}
	p := &plan{Loops: loops, backend: b}
	p.pairs = !p.LaneOuter && p.Row >= 0 && p.Nest.Extent(p.Row) > 1 && (p.busy() || p.brief()) && p.Reaches(p.Row, 1, reach)
	return p, nil
}

// brief reports whether a row has so few vectors that combining the lanes of its reductions takes as long.
func (p *plan) brief() bool { return p.InnerPoints() <= 16*p.Lanes }

// inDouble reports whether an operation on operands of type t is computed in f64: quotients of integers of 32 bits,
// too.
func inDouble(op kernel.Op, t dtype.DType) bool {
	switch op {
	case kernel.Div, kernel.FloorDiv, kernel.Rem, kernel.Mod:
		if t == dtype.I32 {
			return true
		}
	}
	return function.InDouble(op, t)
}

// busy reports whether the work is in instructions and not in memory: whether a function is computed at every inner
// point.
func (p *plan) busy() bool {
	for _, s := range p.Nest.Stages {
		for _, i := range s.Body {
			if function.Is(i.Op) && !s.Once {
				return true
			}
		}
	}
	return false
}

// gathers reports whether a port is read at offsets.
func (p *plan) gathers(port int) bool {
	return slices.ContainsFunc(p.Nest.Stages, func(s kernel.Stage) bool { return uses(s.Body, kernel.LoadAt, port) })
}

// gathered returns the ports that are read at offsets.
func (p *plan) gathered() (ports []int) {
	for i := range p.Nest.Access {
		if p.gathers(i) {
			ports = append(ports, i)
		}
	}
	return ports
}

// The call block: addresses of the ports, then these words, then for each outer loop where a call begins.
const (
	wordScratch = iota
	wordFault
	wordRows
	wordPairs   // rows that go through the stages two by two
	wordOdd     // 1 if one more follows
	wordBlocks  // elements of the lane loop in whole turns
	wordSingles // elements behind them in single vectors
	wordTail    // 1 if there are more
	wordStreams // 1 if stores are non-temporal
	fixedWords
)

func (p *plan) word(n int) int         { return len(p.Nest.Access) + n }
func (p *plan) indexWord(loop int) int { return len(p.Nest.Access) + fixedWords + loop }
func (p *plan) baseWord(port int) int  { return p.indexWord(len(p.Nest.Outer)) + port }
func (p *plan) words() int             { return p.baseWord(len(p.Nest.Access)) }

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
