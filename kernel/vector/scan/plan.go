package scan

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

const (
	// rowBytes is about how much a group of lines side by side reads of a row: of twice as much, running extremes took 7 %
	// longer.
	rowBytes = 256
	// mostApart is the lines of a group one behind the other, and of their unit. It is 1 for elements of 8 bytes: they wait
	// for memory, which more lines at a time only slow down.
	mostApart = 4
	// stateBytes is the memory of an accumulator between calls.
	stateBytes = 64
)

// plan says which lines go forward together.
type plan struct {
	k      *kernel.Scan
	fold   fold.Fold
	acc    vector.Kind // of accumulators
	vector int         // lanes of a vector of them

	lanes   int  // of accumulators, each of a line
	count   int  // lanes in use, 0 for all
	apart   bool // lines lie one behind the other, and a unit is some of them
	between int  // elements from an accumulator's to the next accumulator's
	most    int  // accumulators that go forward together
}

func newPlan(k *kernel.Scan, vectorBytes int) (*plan, error) {
	p := &plan{k: k, fold: fold.Of(k.Fold, k.X.DType, k.Unsigned)}
	p.acc, _ = vector.Element(k.X.DType)
	if p.acc.IsFloat() && !p.fold.IsExtreme() {
		p.acc = vector.F64
	}
	if k.Positions && k.N > math.MaxInt32 {
		return nil, fmt.Errorf("%w: positions along %d elements", kernel.ErrUnsupported, k.N)
	}
	p.vector = vectorBytes / p.acc.Size()
	p.lanes, p.between = p.vector, p.vector
	p.most = min(8, rowBytes/(p.between*k.X.DType.Size()))
	if k.Positions {
		p.most = min(p.most, 4)
	}
	if p.apart = k.Inner < p.vector; p.apart {
		p.lanes, p.between, p.most = max(2, p.vector), k.N*k.Inner, mostApart
		if k.Inner <= 2 {
			p.lanes = 2
		}
		if k.X.DType.Size() == 8 {
			p.most = 1
		}
		p.count = k.Inner % p.lanes
	}
	return p, nil
}

// goesByVectors reports whether elements may be folded in any order, floats as integers in the same order, and whether
// that is faster: extremes of eight bytes take many instructions where vectors are short.
func (p *plan) goesByVectors() bool {
	if p.fold.IsExtreme() && p.acc.Size() == 8 && p.vector < 8 {
		return !p.acc.IsFloat() && !p.k.Positions
	}
	return !p.acc.IsFloat() || p.fold.IsExtreme()
}

// kept is the registers of an accumulator: of elements, and of positions.
func (p *plan) kept() int {
	if p.k.Positions {
		return 2
	}
	return 1
}
