package scan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/device/kernel/x86/exec"
)

// ErrUnsupported is wrapped by the errors of Compile for what is left to another back
// end.
var ErrUnsupported = errors.New("scan: not supported")

const (
	// most is the number of accumulators of the widest group of lines side by side.
	most = 8
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
	blocks   int         // units side by side
	apart    bool        // lines lie one behind the other: a unit is some of them
	identity []byte      // of one accumulator
	listing  *asm.Code
	exec     *exec.Code
}

// Compile generates the code of a scan whose lines fill at least one vector, or lie one
// behind the other.
func Compile(k *kernel.Scan, f cpu.Features) (kernel.Code, error) {
	g := generator{a: asm.New(), f: f, k: k, bytes: f.Level.VectorBytes()}
	if !g.pick() {
		return nil, fmt.Errorf("%w: %s of %s", ErrUnsupported, k.Fold, k.X.DType)
	}
	c := &code{k: k, lanes: g.bytes / g.acc.Size(), entry: map[int]int{}}
	stride, widest := k.Inner*k.X.DType.Size(), most
	g.between = g.bytes * k.X.DType.Size() / g.acc.Size()
	if c.apart = k.Inner == 1; c.apart {
		c.lanes, g.bytes, g.between, widest = 1, 16, k.N*stride, mostApart
		if stride == 8 {
			widest = 1
		}
	}
	if k.Inner < c.lanes || max(stride, widest*g.between) > math.MaxInt32/2 {
		return nil, fmt.Errorf("%w: %d lines side by side", ErrUnsupported, k.Inner)
	}
	c.blocks = max(1, k.Inner/unitLines)
	for n := widest; n >= 1; n /= 2 {
		g.a.Align(64)
		c.entry[n] = g.a.Len()
		g.group(n, stride)
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

func (c *code) Scratch() int    { return most * len(c.identity) }
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
	size := c.k.X.DType.Size()
	for i := range n {
		copy(unsafe.Slice((*byte)(unsafe.Add(args.Scratch, i*len(c.identity))), len(c.identity)), c.identity)
	}
	for row := 0; row < c.k.N; row += rowsEach {
		offset := (at + row*c.k.Inner) * size
		call := [4]uintptr{uintptr(args.Ptr[0]) + uintptr(offset), uintptr(args.Ptr[1]) + uintptr(offset),
			uintptr(min(rowsEach, c.k.N-row)), uintptr(args.Scratch)}
		c.exec.CallAt(c.entry[n], unsafe.Pointer(&call))
	}
}
