package scan

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	// most is the number of accumulators of the widest group of lines side by side.
	most = 8
	// rowBytes is about how much such a group reads of a row: of twice as much, running
	// extremes took 7 % longer.
	rowBytes = 256
	// mostApart is that of lines one behind the other, and the lines of a unit. It is 1 for
	// elements of 8 bytes: they wait for memory, which more lines at a time only slow down.
	mostApart = 4
	// rowsEach bounds the rows of one call, which cannot be preempted.
	rowsEach = 8192
	// unitLines is about how many lines a unit has.
	unitLines = 512
)

// code walks through the lines of a scan in groups of accumulators, each of lanes lines.
type code struct {
	k        *kernel.Scan
	lanes    int
	entry    map[int]int // by accumulators of the group: offset in the code
	forward  int         // offset in the code that goes along one line by vectors
	vector   int         // elements of such a vector; 0 if there is no such code
	blocks   int         // units side by side
	apart    bool        // lines lie one behind the other: a unit is some of them
	identity []byte      // of one accumulator
	kept     int         // registers of an accumulator: of elements, and of positions
	listing  *asm.Code
	exec     *exec.Code
}

// Compile generates the code of a scan whose lines fill at least one vector, or lie one
// behind the other.
func Compile(k *kernel.Scan, f cpu.Features) (kernel.Code, error) {
	g := generator{a: asm.New(), f: f, k: k, bytes: f.Level.VectorBytes()}
	if !g.pick() {
		return nil, fmt.Errorf("%w: %s of %s", kernel.ErrUnsupported, k.Fold, k.X.DType)
	}
	c := &code{k: k, lanes: g.bytes / g.acc.Size(), entry: map[int]int{}, kept: 1}
	g.between = g.bytes * k.X.DType.Size() / g.acc.Size()
	stride, widest := k.Inner*max(k.X.DType.Size(), k.Out.DType.Size()), min(most, rowBytes/g.between)
	if k.Positions {
		c.kept, widest = 2, min(widest, most/2)
	}
	if c.apart = k.Inner == 1; c.apart {
		c.lanes, g.bytes, g.between, widest = 1, 16, k.N*k.X.DType.Size(), mostApart
		if k.X.DType.Size() == 8 {
			widest = 1
		}
		if p, ok := prefixOf(g); ok && k.N >= p.lanes() {
			g.a.Align(64)
			widest, c.vector, c.forward = 1, p.lanes(), g.a.Len()
			p.emit()
		}
	}
	if k.Inner < c.lanes || max(stride, widest*g.between*k.Out.DType.Size()/k.X.DType.Size()) > math.MaxInt32/2 ||
		k.Positions && k.N > math.MaxInt32 {
		return nil, fmt.Errorf("%w: %d lines of %d side by side", kernel.ErrUnsupported, k.Inner, k.N)
	}
	c.blocks = max(1, k.Inner/unitLines)
	for n := widest; n >= 1; n /= 2 {
		g.a.Align(64)
		c.entry[n] = g.a.Len()
		g.group(n)
	}
	for range g.bytes / g.acc.Size() {
		c.identity = append(c.identity, binary.LittleEndian.AppendUint64(nil, g.identity)[:g.acc.Size()]...)
	}
	c.listing = g.a.Assemble()
	var err error
	if c.exec, err = exec.Load(c.listing.Bytes); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *code) Units() int {
	if c.apart {
		return (c.k.Outer + mostApart - 1) / mostApart
	}
	return c.k.Outer * c.blocks
}

func (c *code) UnitNanos() float64 {
	if c.apart {
		return 1.5 * float64(c.k.N)
	}
	return 0.5 * float64(c.k.N*c.k.Inner/c.blocks)
}

func (c *code) Scratch() int    { return most * c.kept * len(c.identity) }
func (c *code) Listing() string { return c.listing.String() }
func (c *code) Close()          { c.exec.Close() }

func (c *code) Run(args *kernel.Args, lo, hi int) {
	if c.apart {
		c.group(args, 0, lo*mostApart, min(hi*mostApart, c.k.Outer))
		return
	}
	each := c.k.Inner / c.blocks / c.lanes * c.lanes // lines of a unit; the last takes the rest
	for u := lo; u < hi; u++ {
		first, end := u%c.blocks*each, c.k.Inner
		if u%c.blocks < c.blocks-1 {
			end = first + each
		}
		c.group(args, u/c.blocks*c.k.N*c.k.Inner, first, end)
	}
}

// group does the lines from first to end, of an outer point that begins at element outer
// if they lie side by side. What does not fill a vector at the end is done with lines
// before it once more.
func (c *code) group(args *kernel.Args, outer, first, end int) {
	between := 1 // elements between lines
	if c.apart {
		between = c.k.N
	}
	for n := most; n >= 1; n /= 2 {
		if _, ok := c.entry[n]; !ok {
			continue
		}
		for ; first+n*c.lanes <= end; first += n * c.lanes {
			c.lines(args, outer+first*between, n)
		}
	}
	if first < end {
		c.lines(args, outer+end-c.lanes, 1)
	}
}

// lines does n accumulators of lines, some rows at a time.
func (c *code) lines(args *kernel.Args, at, n int) {
	state := unsafe.Slice((*byte)(args.Scratch), n*c.kept*len(c.identity))
	for i := range n {
		copy(state[i*len(c.identity):], c.identity)
	}
	clear(state[n*len(c.identity):])
	row := 0
	if c.vector > 0 {
		row = c.k.N / c.vector * c.vector
		c.rows(args, at, 0, row, c.vector, c.forward)
	}
	c.rows(args, at, row, c.k.N, 1, c.entry[n])
}

// rows calls a function for the rows from first to end, step of which it does at a time.
func (c *code) rows(args *kernel.Args, at, first, end, step, entry int) {
	for ; first < end; first += rowsEach * step {
		offset := at + first*c.k.Inner
		call := [5]uintptr{uintptr(args.Ptr[0]) + uintptr(offset*c.k.X.DType.Size()),
			uintptr(args.Ptr[1]) + uintptr(offset*c.k.Out.DType.Size()),
			uintptr(min(rowsEach, (end-first)/step)), uintptr(args.Scratch), uintptr(first)}
		c.exec.CallAt(entry, unsafe.Pointer(&call))
	}
}
