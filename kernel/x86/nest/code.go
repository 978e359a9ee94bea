package nest

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Code is a compiled nest.
type Code struct {
	plan    *plan
	machine *exec.Code
	entry   int
	stream  int // the entry with non-temporal stores, -1 if there is none
	kept    []keptValue
	keptAt  int // number of the first port of a kept buffer
	scratch int
	block   int // where the call block lies in it
	// gathered are the ports that are read at offsets.
	gathered []int
	units    schedule.Units
	// Lanes and copies of the body are powers of two: a call of a small kernel has no time for divisions.
	laneBits, unrollBits int
}

// callBlock is the memory that the code finds at its argument. It lies in the scratch memory of who runs the
// code: on the stack it would be cleared for every run, which takes longer than a small kernel.
type callBlock [blockWords]uintptr

// Compile generates code for a nest. It returns [kernel.ErrUnsupported] for what it
// cannot do; the caller then uses another back end.
func Compile(n *kernel.Nest, f cpu.Features) (code kernel.Code, err error) {
	if err := kernel.Verify(n); err != nil {
		return nil, err
	}
	if f.Level < cpu.AVX2 {
		return nil, fmt.Errorf("%w: needs AVX2", kernel.ErrUnsupported)
	}
	p, err := newPlan(n, f)
	for err == nil {
		var c *Code
		c, err = tryGenerate(p)
		switch {
		case err == nil:
			return c, nil
		case errors.Is(err, errPressure) && p.Unroll > 1:
			p.Unroll /= 2
			err = nil
		case errors.Is(err, errPressure):
			err = fmt.Errorf("%w: %w", kernel.ErrUnsupported, err)
		}
	}
	return nil, err
}

// catch turns the panics by which generation gives up into errors.
func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case error:
		switch {
		case errors.Is(r, kernel.ErrUnsupported), errors.Is(r, errPressure):
			*err = r
		case errors.Is(r, asm.ErrReach):
			*err = fmt.Errorf("%w: %w", kernel.ErrUnsupported, r)
		default:
			panic(r)
		}
	default:
		panic(r)
	}
}

func tryGenerate(p *plan) (c *Code, err error) {
	defer catch(&err)
	a := asm.Unlisted()
	g, entry, stream := generate(p, a)
	defer g.release()
	machine, err := exec.Load(a.Assemble().Bytes)
	if err != nil {
		return nil, err
	}
	c = &Code{plan: p, machine: machine, entry: entry, stream: stream,
		kept: g.kept, keptAt: len(p.Nest.Access), gathered: g.gathered, units: p.Units(),
		laneBits: bits.TrailingZeros(uint(p.Lanes)), unrollBits: bits.TrailingZeros(uint(p.Unroll))}
	c.scratch = 64 * (1 + g.e.slots)
	for i := range c.kept {
		c.kept[i].offset = c.scratch
		c.scratch += c.kept[i].bytes
	}
	c.block = (c.scratch + 63) &^ 63
	c.scratch = c.block + int(unsafe.Sizeof(callBlock{}))
	return c, nil
}

// Units implements [kernel.Code].
func (c *Code) Units() int { return c.units.Count() }

// UnitNanos implements [kernel.Code].
func (c *Code) UnitNanos() float64 { return c.units.Nanos() }

// Scratch implements [kernel.Code].
func (c *Code) Scratch() int { return c.scratch }

// Listing implements [kernel.Code]. It generates the code once more: who runs it needs no listing.
func (c *Code) Listing() string {
	a := asm.New()
	g, _, _ := generate(c.plan, a)
	g.release()
	return fmt.Sprintf("lanes: %d along loop %d, body × %d\n%s", c.plan.Lanes, c.plan.Lane, c.plan.Unroll,
		a.Assemble())
}

// Close implements [kernel.Code].
func (c *Code) Close() { c.machine.Close() }

// Run implements [kernel.Code].
func (c *Code) Run(args *kernel.Args, lo, hi int) {
	b := (*callBlock)(unsafe.Add(args.Scratch, c.block))
	clear(b[wordRows:wordCounter])
	b[wordFault] = 0
	for i, k := range c.kept {
		b[c.keptAt+i] = uintptr(unsafe.Add(args.Scratch, k.offset))
	}
	b[wordScratch] = uintptr(args.Scratch)
	for _, i := range c.gathered {
		b[wordBase+i] = uintptr(args.Ptr[i])
	}
	for u := lo; u < hi; u++ {
		c.unit(b, args, u)
	}
	if b[wordFault] != 0 {
		args.Fault = 1
	}
	runtime.KeepAlive(args.Ptr) // of which the block has addresses
}

// unit sets up the call block for one unit and calls the code.
func (c *Code) unit(b *callBlock, args *kernel.Args, u int) {
	p := c.plan
	rows, points := c.units.Enter(args, u, b[:], b[wordIndex:])
	if p.pairs {
		b[wordOdd] = uintptr(rows & 1)
		rows /= 2
	}
	b[wordRows] = uintptr(rows)
	if p.LaneOuter {
		vectors := uintptr(points) >> c.laneBits
		b[wordBlocks] = vectors >> c.unrollBits
		b[wordSingles] = vectors & (1<<c.unrollBits - 1)
		if p.Unroll == 1 {
			b[wordSingles] = vectors
		}
		b[wordTail] = uintptr(points) & (1<<c.laneBits - 1)
	}
	entry := c.entry
	if c.stream >= 0 && c.aligned(b) {
		entry = c.stream
	}
	c.machine.CallAt(entry, unsafe.Pointer(b))
}

// aligned reports whether every written port allows non-temporal stores.
func (c *Code) aligned(b *callBlock) bool {
	p := c.plan
	for i := range p.Nest.Access {
		a := &p.Nest.Access[i]
		if !a.Write {
			continue
		}
		if b[i]&63 != 0 || p.Row >= 0 && a.Outer[p.Row]*a.DType.Size()&63 != 0 {
			return false
		}
		for _, l := range p.Fold {
			if a.Outer[l]*a.DType.Size()&63 != 0 {
				return false
			}
		}
	}
	return true
}
