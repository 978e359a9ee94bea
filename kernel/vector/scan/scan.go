package scan

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

const (
	// rowsEach bounds the rows of one call, which cannot be preempted.
	rowsEach = 8192
	// unitLines is about how many lines a unit has.
	unitLines = 512
)

// code walks through the lines of a scan in groups of accumulators.
type code struct {
	vector.Code
	*plan
	entry   map[int]*vector.Machine // by accumulators of the group
	forward *vector.Machine         // along one line by vectors; nil if there is none
	blocks  int                     // units side by side
	start   []byte                  // of an accumulator
}

// Compile makes code of a scan; a scan of nothing is [kernel.ErrUnsupported].
func Compile(k *kernel.Scan, t vector.Backend) (kernel.Code, error) {
	if k.Elements() == 0 {
		return nil, fmt.Errorf("%w: a scan of nothing", kernel.ErrUnsupported)
	}
	p, err := newPlan(k, t.VectorBytes())
	if err != nil {
		return nil, err
	}
	c := &code{plan: p, entry: map[int]*vector.Machine{}, blocks: max(1, k.Inner/unitLines)}
	if k.Inner == 1 && k.N >= p.vector && p.goesByVectors() {
		p.most = 1
		c.forward = c.Build(t, p.prefix, words, wordFault)
	}
	for n := p.most; n >= 1; n /= 2 {
		if c.needs(n) {
			c.entry[n] = c.Build(t, func() *vector.Program { return p.rows(n) }, words, wordFault)
		}
	}
	if c.Err() != nil {
		return nil, c.Err()
	}
	c.Count, c.Nanos, c.Memory = c.units(), c.unitNanos(), c.stateBytes()+c.BlockBytes()
	c.Title = fmt.Sprintf("; %d lanes, up to %d accumulators\n", c.lanes, c.most)
	for range stateBytes / p.acc.Size() {
		c.start = binary.LittleEndian.AppendUint64(c.start, p.fold.Identity(p.acc))[:len(c.start)+p.acc.Size()]
	}
	return c, nil
}

func (c *code) units() int {
	if c.apart {
		return kernel.Pieces(c.k.Outer, mostApart)
	}
	return c.k.Outer * c.blocks
}

func (c *code) unitNanos() float64 {
	nanos := 0.5 * float64(c.k.N*c.k.Inner/c.blocks)
	if c.apart {
		nanos = 1.5 * float64(c.k.N)
	}
	if c.k.Fold == kernel.FoldLogAddExp {
		nanos *= 20
	}
	return nanos
}

func (c *code) stateBytes() int { return c.most * c.kept() * stateBytes }

func (c *code) Run(args *kernel.Args, lo, hi int) {
	defer runtime.KeepAlive(args.Ptr)
	if c.apart {
		c.group(args, 0, lo*mostApart, min(hi*mostApart, c.k.Outer))
		return
	}
	each := c.linesEach()
	for u := lo; u < hi; u++ {
		first, end := u%c.blocks*each, c.k.Inner
		if u%c.blocks < c.blocks-1 {
			end = first + each
		}
		c.group(args, u/c.blocks*c.k.N*c.k.Inner, first, end)
	}
}

// linesEach is the lines of a unit where units lie side by side; the last takes the rest.
func (c *code) linesEach() int { return c.k.Inner / c.blocks / c.lanes * c.lanes }

// needs reports whether a unit has a group of n accumulators, or an end that one does once more.
func (c *code) needs(n int) bool {
	accumulators := func(count int) bool { return n == c.most && count >= n || n < c.most && count&n != 0 }
	if c.apart {
		return accumulators(min(c.k.Outer, c.most)) || accumulators(c.k.Outer%c.most)
	}
	unit := func(lines int) bool { return accumulators(lines/c.lanes) || n == 1 && lines%c.lanes != 0 }
	each := c.linesEach()
	return c.blocks > 1 && unit(each) || unit(c.k.Inner-(c.blocks-1)*each)
}

// group does the lines from first to end, of an outer point that begins at element outer if they lie side by side, or
// those outer points. A rest of lines that fills no vector is done once more with lines before it.
func (c *code) group(args *kernel.Args, outer, first, end int) {
	lines, between := c.lanes, 1 // of an accumulator, and elements from one to the next
	if c.apart {
		lines, between = 1, c.between
	}
	for n := c.most; n >= 1; n /= 2 {
		for ; first+n*lines <= end; first += n * lines {
			c.lines(args, outer+first*between, n)
		}
	}
	if first < end {
		c.lines(args, outer+end-lines, 1)
	}
}

// lines does n accumulators of lines, some rows at a time.
func (c *code) lines(args *kernel.Args, at, n int) {
	state := unsafe.Slice((*byte)(args.Scratch), n*c.kept()*stateBytes)
	clear(state[n*stateBytes:])
	for i := range n {
		copy(state[i*stateBytes:], c.start)
	}
	row := 0
	if c.forward != nil {
		row = c.k.N / c.vector * c.vector
		c.rowsOf(args, at, 0, row, c.vector, c.forward)
	}
	c.rowsOf(args, at, row, c.k.N, 1, c.entry[n])
}

// rowsOf calls a program for the rows from first to end, step rows at a time.
func (c *code) rowsOf(args *kernel.Args, at, first, end, step int, m *vector.Machine) {
	block := unsafe.Add(args.Scratch, c.stateBytes())
	b := unsafe.Slice((*uintptr)(block), words)
	for ; first < end; first += rowsEach * step {
		offset := at + first*c.k.Inner
		b[wordX] = uintptr(unsafe.Add(args.Ptr[0], offset*c.k.X.DType.Size()))
		b[wordOut] = uintptr(unsafe.Add(args.Ptr[1], offset*c.k.Out.DType.Size()))
		b[wordRows], b[wordState], b[wordFirst] = uintptr(min(rowsEach, (end-first)/step)), uintptr(args.Scratch), uintptr(first)
		m.Call(block)
	}
}
