package nest

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
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

	rest    int // points of the loops that Go iterates
	rows    int // extent of the row loop
	rowStep int // rows of one unit
	rowUnit int // units along the rows
	lane    int // extent of the lane loop in a call; 0 if it is an inner loop
	laneSz  int // lanes of one unit
	laneN   int // units along the lanes
	nanos   float64
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
	if t, err := compileTranspose(n, f); t != nil || err != nil {
		return t, err
	}
	p, err := tryPlan(n, f)
	if err == nil && p.callNanos() > longestCall {
		return nil, fmt.Errorf("%w: a row that takes too long for one call", kernel.ErrUnsupported)
	}
	for err == nil {
		var c *Code
		c, err = tryGenerate(p)
		switch {
		case err == nil:
			return c, nil
		case errors.Is(err, errPressure) && p.unroll > 1:
			p.unroll /= 2
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

func tryPlan(n *kernel.Nest, f cpu.Features) (p *plan, err error) {
	defer catch(&err)
	for _, e := range append(append([]int(nil), n.Outer...), n.Inner...) {
		if e == 0 {
			unsupported()
		}
	}
	return newPlan(n, f), nil
}

func tryGenerate(p *plan) (c *Code, err error) {
	defer catch(&err)
	a := asm.Unlisted()
	g, entry, stream := generate(p, a)
	machine, err := exec.Load(a.Assemble().Bytes)
	if err != nil {
		return nil, err
	}
	c = &Code{plan: p, machine: machine, entry: entry, stream: stream,
		kept: g.kept, keptAt: len(p.n.Access), gathered: g.gathered}
	c.scratch = 64 * (1 + g.e.slots)
	for i := range c.kept {
		c.kept[i].offset = c.scratch
		c.scratch += c.kept[i].bytes
	}
	c.block = (c.scratch + 63) &^ 63
	c.scratch = c.block + int(unsafe.Sizeof(callBlock{}))
	c.split()
	return c, nil
}

// The time of one call and of one unit that split aims at.
const unitNanos = 25e3

// longestCall bounds the nanoseconds of a call, which nothing can interrupt. Rows that take longer are
// left to the portable back end, which can be: callers that care split them before.
const longestCall = 4e6

// callNanos estimates the shortest call: one point of all loops that calls can be divided by.
func (p *plan) callNanos() float64 {
	nanos := p.pointNanos() * float64(p.folded())
	if p.laneOuter {
		nanos *= float64(min(p.extent(p.lane), p.isa.lanes))
	}
	return nanos
}

// split divides the work into units.
func (c *Code) split() {
	p := c.plan
	c.rest, c.rows, c.lane = 1, 1, 0
	for _, l := range p.rest {
		c.rest *= p.extent(l)
	}
	if p.row >= 0 {
		c.rows = p.extent(p.row)
	}
	point := p.pointNanos() * float64(p.folded())
	c.laneN = 1
	row := point
	if p.laneOuter {
		c.lane = p.extent(p.lane)
		c.laneSz = c.lane
		row *= float64(c.lane)
		if step := p.unroll * p.isa.lanes; row > 2*unitNanos && c.lane > step {
			n := int(unitNanos / point)
			c.laneSz = max(1, n/step) * step
			c.laneN = (c.lane + c.laneSz - 1) / c.laneSz
			row = point * float64(c.laneSz)
		}
	}
	c.rowStep = max(1, min(c.rows, int(unitNanos/row)))
	c.rowUnit = (c.rows + c.rowStep - 1) / c.rowStep
	c.nanos = row*float64(c.rowStep) + 20
}

// Units implements [kernel.Code].
func (c *Code) Units() int { return c.rest * c.rowUnit * c.laneN }

// UnitNanos implements [kernel.Code].
func (c *Code) UnitNanos() float64 { return c.nanos }

// Scratch implements [kernel.Code].
func (c *Code) Scratch() int { return c.scratch }

// Listing implements [kernel.Code]. It generates the code once more: who runs it needs no listing.
func (c *Code) Listing() string {
	a := asm.New()
	generate(c.plan, a)
	return fmt.Sprintf("lanes: %d along loop %d, body × %d\n%s", c.plan.isa.lanes, c.plan.lane, c.plan.unroll,
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
	lane0, row0 := 0, 0
	if u > 0 { // the only unit of a small kernel needs no divisions
		lane0 = u % c.laneN * c.laneSz
		u /= c.laneN
		row0 = u % c.rowUnit * c.rowStep
		u /= c.rowUnit
	}
	for i := range p.n.Access {
		a := &p.n.Access[i]
		at := a.Offset
		if p.laneOuter {
			at += lane0 * a.Outer[p.lane]
		}
		if p.row >= 0 {
			at += row0 * a.Outer[p.row]
		}
		rest := u
		for _, l := range p.rest {
			e := p.n.Outer[l]
			at += rest % e * a.Outer[l]
			rest /= e
		}
		b[i] = uintptr(unsafe.Add(args.Ptr[i], at*a.DType.Size()))
	}
	rest := u
	for _, l := range p.rest {
		b[wordIndex+l] = uintptr(rest % p.n.Outer[l])
		rest /= p.n.Outer[l]
	}
	if p.row >= 0 {
		b[wordIndex+p.row] = uintptr(row0)
	}
	rows := min(c.rowStep, c.rows-row0)
	if p.pairs {
		b[wordOdd] = uintptr(rows & 1)
		rows /= 2
	}
	b[wordRows] = uintptr(rows)
	if p.laneOuter {
		n := min(c.laneSz, c.lane-lane0)
		vectors := n / p.isa.lanes
		b[wordBlocks] = uintptr(vectors / p.unroll)
		b[wordSingles] = uintptr(vectors % p.unroll)
		if p.unroll == 1 {
			b[wordSingles] = uintptr(vectors)
		}
		b[wordTail] = uintptr(n % p.isa.lanes)
		b[wordIndex+p.lane] = uintptr(lane0)
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
	for i := range p.n.Access {
		a := &p.n.Access[i]
		if !a.Write {
			continue
		}
		if b[i]&63 != 0 || p.row >= 0 && a.Outer[p.row]*a.DType.Size()&63 != 0 {
			return false
		}
		for _, l := range p.fold {
			if a.Outer[l]*a.DType.Size()&63 != 0 {
				return false
			}
		}
	}
	return true
}
