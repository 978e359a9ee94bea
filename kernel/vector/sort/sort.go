package sort

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// code sorts short lines. A unit is as many of them as two vectors have lanes.
type code struct {
	vector.Code
	machine *vector.Machine
	k       *kernel.Sort
	lanes   int  // of a vector of entries
	lines   int  // of a unit
	wide    bool // elements of 8 bytes
	pairs   int  // of the network
}

// longest is the length of a line, for each lane, beyond which sorting by digits is faster.
const longest = 64

// Compile makes code of a sort of short lines. Sorts of long lines, of fewer lines than a vector has lanes, or for a
// few places only are [kernel.ErrUnsupported]: passes over the elements do these in fewer steps.
func Compile(k *kernel.Sort, t vector.Backend) (kernel.Code, error) {
	c := &code{k: k, lanes: t.VectorBytes() / 8, wide: k.X.DType.Size() == 8}
	lines := k.Outer * k.Inner
	switch {
	case k.N < 2 || k.N > longest*c.lanes:
		return nil, fmt.Errorf("%w: sorts of lines of %d elements", kernel.ErrUnsupported, k.N)
	case lines < c.lanes:
		return nil, fmt.Errorf("%w: sorts of %d lines", kernel.ErrUnsupported, lines)
	case 4*(k.First+k.Count) < k.N:
		return nil, fmt.Errorf("%w: %d places of lines of %d elements", kernel.ErrUnsupported, k.First+k.Count, k.N)
	}
	c.lines = min(2, lines/c.lanes) * c.lanes
	c.pairs = len(network(k.N))
	vectors := c.lines / c.lanes
	if c.wide {
		vectors *= 3
	}
	c.machine = c.Build(t, c.program, words, wordFault)
	c.Count, c.Memory = kernel.Pieces(lines, c.lines), c.entriesAt()+k.N*c.entryBytes()
	c.Nanos = 2.5*float64(c.pairs*vectors) + 4*float64(k.N*c.lines)
	c.Title = fmt.Sprintf("%d lines at once, network of %d comparisons\n", c.lines, c.pairs)
	return c, c.Err()
}

// rawAt and entriesAt are where elements and entries lie behind the call block.
func (c *code) rawAt() int     { return c.BlockBytes() }
func (c *code) entriesAt() int { return c.rawAt() + 8*c.k.N*c.lines }

func (c *code) Run(args *kernel.Args, lo, hi int) {
	raw, entries := unsafe.Add(args.Scratch, c.rawAt()), unsafe.Add(args.Scratch, c.entriesAt())
	block := unsafe.Slice((*uintptr)(args.Scratch), words)
	block[wordRaw], block[wordEntries] = uintptr(raw), uintptr(entries)
	size := c.k.X.DType.Size()
	read, write := readers[size][c.signed()], writers[size]
	for u := lo; u < hi; u++ {
		c.each(u, func(lane, from, _ int) { read(c, raw, args.Ptr[0], lane, from) })
		c.machine.Call(args.Scratch)
		c.each(u, func(lane, from, to int) { write(c, args, entries, lane, from, to) })
	}
}

// each calls f for the lines of a unit, with the first element of a line and its first result.
func (c *code) each(unit int, f func(lane, from, to int)) {
	k := c.k
	for lane := range min(c.lines, k.Outer*k.Inner-unit*c.lines) {
		line := unit*c.lines + lane
		outer, inner := line/k.Inner, line%k.Inner
		f(lane, outer*k.N*k.Inner+inner, outer*k.Count*k.Inner+inner)
	}
}

// A reader copies a line to its lane, and a writer the places of a line that are asked for.
type (
	reader func(c *code, raw, x unsafe.Pointer, lane, from int)
	writer func(c *code, args *kernel.Args, entries unsafe.Pointer, lane, from, to int)
)

// Readers are by the bytes of an element, and by whether its sign is extended; writers are by the bytes.
var (
	readers = [...]map[bool]reader{
		1: {true: readLine[int8, int32], false: readLine[uint8, int32]}, 2: {true: readLine[int16, int32], false: readLine[uint16, int32]},
		4: {true: readLine[int32, int32], false: readLine[int32, int32]}, 8: {true: readLine[int64, int64], false: readLine[int64, int64]},
	}
	writers = [...]writer{1: writeLine[int8], 2: writeLine[int16], 4: writeLine[int32], 8: writeLine[int64]}
)

type number interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~int64
}

func readLine[T, Lane number](c *code, raw, x unsafe.Pointer, lane, from int) {
	in := unsafe.Slice((*T)(x), c.k.X.Len)
	out := unsafe.Slice((*Lane)(raw), c.k.N*c.lines)
	for i := range c.k.N {
		out[i*c.lines+lane] = Lane(in[from+i*c.k.Inner])
	}
}

func writeLine[T number](c *code, args *kernel.Args, entries unsafe.Pointer, lane, from, to int) {
	k, step := c.k, c.entryBytes()/8
	x, values := unsafe.Slice((*T)(args.Ptr[0]), k.X.Len), unsafe.Slice((*T)(args.Ptr[1]), k.Values.Len)
	positions := unsafe.Slice((*int64)(args.Ptr[2]), k.Positions.Len)
	sorted := unsafe.Slice((*uint64)(entries), k.N*step)
	if c.wide {
		lane += c.lines
	}
	for i := range k.Count {
		at := int(uint32(sorted[(k.First+i)*step+lane]))
		values[to+i*k.Inner], positions[to+i*k.Inner] = x[from+at*k.Inner], int64(at)
	}
}
