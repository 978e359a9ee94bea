package nest

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
)

func unsupported() { panic(kernel.ErrUnsupported) }

// plan is where the loops of a nest are in the program.
type plan struct{ *schedule.Loops }

// mostUnrolled bounds the vectors that one turn of the lane loop works on.
const mostUnrolled = 4

func newPlan(n *kernel.Nest, vectorBytes int) (*plan, error) {
	loops, err := schedule.NewLoops(n, schedule.Target{VectorBytes: vectorBytes, Unroll: mostUnrolled, Longest: 64, InDouble: function.InDouble})
	return &plan{loops}, err
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
