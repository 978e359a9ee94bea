package lookup

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

const (
	// Block divides the number of keys.
	Block = 32
	// mostQueries is how many queries there are at most: for more of them, keys that are transposed once are faster.
	mostQueries = 16
	// group is how many keys are multiplied at once.
	group = 4
)

// Words of the call block.
const (
	wordQ      = iota // the first query
	wordK             // key 0
	wordV             // value 0
	wordPlaces        // the place of the first key
	wordMask          // of the first query and the first key
	wordScores        // likewise
	wordOut           // the first row of the result
	wordKeys          // how many
	wordFault
	words
)

// Code is the two programs of an attention.
type Code struct {
	vector.Code
	program
	scores, sums *vector.Machine
}

// program has the facts that both programs are written from.
type program struct {
	*vector.Builder // while a program is being written
	a               *kernel.Attention
	scoreRow        int // bytes from the scores of a query to the next query's
	lanes           int
	registers       int
}

// Operands are where a call finds what it reads and writes: the rows of an entry of the batch from its first query, key,
// value and result on, the places and the mask from the first key on that is seen.
type Operands struct {
	Q, K, V, Out, Places, Mask, Scores unsafe.Pointer
	Keys                               int // a multiple of Block
}

// Compile makes code of an attention with an index, whose rows of scores are scoreRow bytes apart. Other attentions are
// [kernel.ErrUnsupported].
func Compile(a *kernel.Attention, scoreRow int, t vector.Backend) (*Code, error) {
	c := &Code{program: program{a: a, scoreRow: scoreRow, lanes: t.VectorBytes() / 4, registers: t.Registers()}}
	switch {
	case a.Index == nil || a.Queries > mostQueries || a.Causal || a.Acc != dtype.F32:
		return nil, fmt.Errorf("%w: attention of %d queries", kernel.ErrUnsupported, a.Queries)
	case a.Dim%c.lanes != 0 || a.VDim%c.lanes != 0:
		return nil, fmt.Errorf("%w: keys of %d and values of %d elements", kernel.ErrUnsupported, a.Dim, a.VDim)
	case a.Q.DType != dtype.F32 || a.O.DType != dtype.F32 || !wide(&a.K) || !wide(&a.V):
		return nil, fmt.Errorf("%w: keys of %v for queries of %v", kernel.ErrUnsupported, a.K.DType, a.Q.DType)
	case a.Mask != nil && (a.Mask.Col != 1 || !a.MaskIsBool && !wide(a.Mask)):
		return nil, fmt.Errorf("%w: a mask of %v", kernel.ErrUnsupported, a.Mask.DType)
	}
	for _, m := range []*kernel.Matrix{&a.Q, &a.K, &a.V, &a.O} {
		if m.Col != 1 || max(m.Row*m.DType.Size(), scoreRow)*mostQueries > math.MaxInt32/2 {
			return nil, fmt.Errorf("%w: elements %d and rows %d apart", kernel.ErrUnsupported, m.Col, m.Row)
		}
	}
	c.scores = c.Build(t, c.program.scores, words, wordFault)
	c.sums = c.Build(t, c.program.sums, words, wordFault)
	if c.Err() != nil {
		return nil, c.Err()
	}
	c.Memory = c.BlockBytes()
	return c, nil
}

// wide reports whether the elements of a matrix are computed as f32.
func wide(m *kernel.Matrix) bool {
	return !m.Stored() && (m.DType == dtype.F32 || m.DType == dtype.F16 || m.DType == dtype.BF16)
}

// Scores writes the scores of all queries. It returns false if there is no such place.
func (c *Code) Scores(scratch unsafe.Pointer, o *Operands) bool { return call(c.scores, scratch, o) }

// Sums writes the result from what became of the scores. It returns false if there is no such place.
func (c *Code) Sums(scratch unsafe.Pointer, o *Operands) bool { return call(c.sums, scratch, o) }

func call(m *vector.Machine, scratch unsafe.Pointer, o *Operands) bool {
	b := unsafe.Slice((*uintptr)(scratch), words)
	b[wordQ], b[wordK], b[wordV], b[wordOut] = uintptr(o.Q), uintptr(o.K), uintptr(o.V), uintptr(o.Out)
	b[wordPlaces], b[wordMask], b[wordScores] = uintptr(o.Places), uintptr(o.Mask), uintptr(o.Scores)
	b[wordKeys], b[wordFault] = uintptr(o.Keys), 0
	m.Call(scratch)
	return b[wordFault] == 0
}
