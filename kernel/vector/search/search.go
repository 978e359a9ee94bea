package search

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Words of the call block.
const (
	wordLine   = iota
	wordValues // of the unit
	wordPlaces
	wordBytes // of the places of whole vectors of values
	wordRest  // 1 if a vector with fewer values follows
	wordFault
	words
)

// code looks for values in lines. A unit is some values of a line.
type code struct {
	vector.Code
	machine *vector.Machine
	k       *kernel.Search
	lanes   int
	width   int // values of a unit
	units   int // of a line
}

// unitValues bounds the values of a unit: a multiple of all lanes.
const unitValues = 512

// Compile makes code of a search.
func Compile(k *kernel.Search, t vector.Backend) (kernel.Code, error) {
	kind, _ := vector.Element(k.Sequence.DType)
	if kind.Size() == 4 && k.N > math.MaxInt32 {
		return nil, fmt.Errorf("%w: a line of %d elements", kernel.ErrUnsupported, k.N)
	}
	c := &code{k: k, lanes: t.VectorBytes() / kind.Size(), width: max(1, min(k.M, unitValues))}
	c.units = kernel.Pieces(k.M, c.width)
	c.machine = c.Build(t, c.program, words, wordFault)
	c.Count, c.Memory = k.Outer*c.units, c.BlockBytes()
	c.Nanos = 1.5 * float64(c.width*bits.Len(uint(k.N)))
	return c, c.Err()
}

func (c *code) program() *vector.Program {
	b := vector.NewBuilder("search", c.lanes)
	_, mem := vector.Element(c.k.Sequence.DType)
	size := c.k.Sequence.DType.Size()
	look := func(at vector.Val, count int) { // at counts bytes of places, 8 of each
		values := b.Op(vector.WordAdd, b.Arg(wordValues), b.OpImm(vector.WordSigned, 3-bits.TrailingZeros(uint(size)), at))
		if size == 8 {
			values = b.Op(vector.WordAdd, b.Arg(wordValues), at)
		}
		kind, _ := vector.Element(c.k.Sequence.DType)
		place := c.place(b, b.Load(kind, values, vector.Access{Mem: mem, Count: count}))
		long := vector.Access{Count: count}
		if place.Kind == vector.I32 {
			long.Mem = vector.Long
		}
		b.Store(place, b.Op(vector.WordAdd, b.Arg(wordPlaces), at), long)
	}
	b.Loop(b.Arg(wordBytes), 8*c.lanes, nil, func(at vector.Val, _ []vector.Val) []vector.Val {
		look(at, 0)
		return nil
	})
	if rest := c.k.M % c.width % c.lanes; rest > 0 || c.width%c.lanes > 0 {
		b.When(b.Arg(wordRest), func() { look(b.Arg(wordBytes), max(rest, c.width%c.lanes)) })
	}
	return b.Optimised()
}

// place is how many elements of the line come before each value. In each step the element in the middle of what is left tells
// whether its half comes before.
func (c *code) place(b *vector.Builder, x vector.Val) vector.Val {
	_, mem := vector.Element(c.k.Sequence.DType)
	index := x.Kind.Mask()
	number := func(n int) vector.Val { return b.Bits(index, uint64(n)) }
	low := number(0)
	for n := c.k.N; n > 0; {
		half := (n + 1) / 2
		n -= half
		y := b.Lookup(x.Kind, b.Arg(wordLine), b.Op(vector.Add, low, number(half-1)), vector.Access{Mem: mem})
		low = b.Op(vector.Add, low, b.Op(vector.And, c.before(b, x, y), number(half)))
	}
	return low
}

// before is a mask of the elements y that come before the values x.
func (c *code) before(b *vector.Builder, x, y vector.Val) vector.Val {
	d := c.k.Sequence.DType
	unsigned := c.k.Unsigned || d == dtype.Bool || d == dtype.U8
	switch {
	case c.k.Right && unsigned:
		return b.Op(vector.Not, b.Compare(vector.Below, x, y))
	case c.k.Right:
		return b.Op(vector.Not, b.Compare(vector.Less, x, y))
	case unsigned:
		return b.Compare(vector.Below, y, x)
	}
	return b.Op(vector.Not, b.Compare(vector.LessEqual, x, y)) // also before a NaN
}

func (c *code) Run(args *kernel.Args, lo, hi int) {
	size := c.k.Sequence.DType.Size()
	block := unsafe.Slice((*uintptr)(args.Scratch), words)
	for u := lo; u < hi; u++ {
		line, first := u/c.units, u%c.units*c.width
		count := min(c.width, c.k.M-first)
		at := line*c.k.M + first
		block[wordLine] = uintptr(args.Ptr[1]) + uintptr(line*c.k.N*size)
		block[wordValues] = uintptr(args.Ptr[0]) + uintptr(at*size)
		block[wordPlaces] = uintptr(args.Ptr[2]) + uintptr(at*8)
		block[wordBytes], block[wordRest] = uintptr(count/c.lanes*c.lanes*8), vector.Flag(count%c.lanes > 0)
		c.machine.Call(args.Scratch)
	}
}
