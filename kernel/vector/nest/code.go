package nest

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// code is a compiled nest.
type code struct {
	plan    *plan
	machine *vector.Machine
	kept    int // bytes of kept values in scratch memory, which come first

	rest    int // points of the loops that Go iterates
	rows    int // extent of the row loop
	rowStep int // rows of one unit
	rowUnit int // units along the rows
	lane    int // extent of the lane loop in a call; 0 if it is an inner loop
	laneSz  int // lanes of one unit
	laneN   int // units along the lanes
	nanos   float64
}

// Compile makes code of a nest, or returns [kernel.ErrUnsupported]. Where registers do not suffice, a turn of the loop works
// on fewer vectors.
func Compile(n *kernel.Nest, t vector.Backend) (c kernel.Code, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, kernel.ErrUnsupported) {
				panic(r)
			}
			c, err = nil, e
		}
	}()
	for unroll := mostUnrolled; ; unroll /= 2 {
		p, program, kept := lower(n, t, unroll)
		m, err := t.Build(program, p.words(), p.word(wordFault))
		if errors.Is(err, vector.ErrPressure) && p.unroll > 1 {
			continue
		}
		if err != nil {
			return nil, err
		}
		out := &code{plan: p, machine: m, kept: kept}
		out.split()
		return out, nil
	}
}

// Program returns the vector program of a nest.
func Program(n *kernel.Nest, t vector.Backend) (p *vector.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, kernel.ErrUnsupported) {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	_, p, _ = lower(n, t, mostUnrolled)
	return p, nil
}

func lower(n *kernel.Nest, t vector.Backend, unroll int) (*plan, *vector.Program, int) {
	for _, e := range append(append([]int(nil), n.Outer...), n.Inner...) {
		if e == 0 {
			unsupported()
		}
	}
	p := newPlan(n, t.VectorBytes(), unroll)
	if p.callNanos() > longestCall {
		panic(fmt.Errorf("%w: a row that takes too long for one call", kernel.ErrUnsupported))
	}
	g := newGenerator(p)
	g.generate()
	program := g.b.Program()
	program.Optimise()
	return p, program, g.keptBytes
}

// The time of one unit that split aims at, and the longest of a call, which nothing can interrupt.
const (
	unitNanos   = 25e3
	longestCall = 4e6
)

// callNanos estimates the shortest call: one point of all loops that calls can be divided by.
func (p *plan) callNanos() float64 {
	nanos := p.pointNanos() * float64(p.folded())
	if p.laneOuter {
		nanos *= float64(min(p.extent(p.lane), p.lanes))
	}
	return nanos
}

// folded is the number of points of the folded loops.
func (p *plan) folded() int {
	n := 1
	for _, l := range p.fold {
		n *= p.extent(l)
	}
	return n
}

// split divides the work into units.
func (c *code) split() {
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
		if step := p.unroll * p.lanes; row > 2*unitNanos && c.lane > step {
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
func (c *code) Units() int { return c.rest * c.rowUnit * c.laneN }

// UnitNanos implements [kernel.Code].
func (c *code) UnitNanos() float64 { return c.nanos }

// Scratch implements [kernel.Code].
func (c *code) Scratch() int { return c.kept + c.machine.BlockBytes() }

// Listing implements [kernel.Code].
func (c *code) Listing() string {
	return fmt.Sprintf("lanes: %d along loop %d, body × %d\n%s", c.plan.lanes, c.plan.lane, c.plan.unroll, c.machine.Listing())
}

// Close implements [kernel.Code].
func (c *code) Close() { c.machine.Close() }

// Run implements [kernel.Code].
func (c *code) Run(args *kernel.Args, lo, hi int) {
	p := c.plan
	at := unsafe.Add(args.Scratch, c.kept)
	b := unsafe.Slice((*uintptr)(at), p.words())
	clear(b)
	b[p.word(wordScratch)] = uintptr(args.Scratch)
	for i := range p.n.Access {
		b[p.baseWord(i)] = uintptr(args.Ptr[i])
	}
	for u := lo; u < hi; u++ {
		c.unit(b, args, u)
	}
	if b[p.word(wordFault)] != 0 {
		args.Fault = 1
	}
	runtime.KeepAlive(args.Ptr) // of which the block has addresses
}

// unit sets up the call block for one unit and calls the code.
func (c *code) unit(b []uintptr, args *kernel.Args, u int) {
	p := c.plan
	lane0 := u % c.laneN * c.laneSz
	u /= c.laneN
	row0 := u % c.rowUnit * c.rowStep
	u /= c.rowUnit
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
		b[p.indexWord(l)] = uintptr(rest % p.n.Outer[l])
		rest /= p.n.Outer[l]
	}
	if p.row >= 0 {
		b[p.indexWord(p.row)] = uintptr(row0)
	}
	b[p.word(wordRows)] = uintptr(min(c.rowStep, c.rows-row0))
	if p.laneOuter {
		n := min(c.laneSz, c.lane-lane0)
		whole := n - n%(p.unroll*p.lanes)
		b[p.word(wordBlocks)] = uintptr(whole)
		b[p.word(wordSingles)] = uintptr((n - whole) / p.lanes * p.lanes)
		b[p.word(wordTail)] = 0
		if n%p.lanes != 0 {
			b[p.word(wordTail)] = 1
		}
		b[p.indexWord(p.lane)] = uintptr(lane0)
	}
	c.machine.Call(unsafe.Pointer(&b[0]))
}
