package nest

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// code is a compiled nest.
type code struct {
	vector.Code
	machine  *vector.Machine
	plan     *plan
	units    schedule.Units
	kept     int   // bytes of kept values in scratch memory, which come first
	streams  bool  // there is code with non-temporal stores
	gathered []int // the ports that are read at offsets
}

// Compile makes code of a nest, or returns [kernel.ErrUnsupported]. Copies to a transpose go to package transpose.
// Where registers do not suffice, a turn of the loop works on fewer vectors, and then ports share what loops carry.
func Compile(n *kernel.Nest, t vector.Backend) (_ kernel.Code, err error) {
	if n.Moves() {
		if c, err := transpose.Compile(n, t); !errors.Is(err, kernel.ErrUnsupported) {
			return c, err
		}
	}
	p, err := newPlan(n, t)
	for err == nil {
		c := &code{plan: p}
		err = c.build(t)
		switch {
		case err == nil:
			c.units, c.streams, c.gathered = p.Units(), p.streamsResults(), p.gathered()
			c.Count, c.Nanos, c.Memory = c.units.Count(), c.units.Nanos(), c.kept+c.BlockBytes()
			c.Title = fmt.Sprintf("lanes: %d along loop %d, body × %d\n", p.Lanes, p.Lane, p.Unroll)
			return c, nil
		case errors.Is(err, vector.ErrPressure) && p.Unroll > 1:
			p.Unroll /= 2
			err = nil
		case errors.Is(err, vector.ErrPressure) && !p.distances:
			p.distances = true
			err = nil
		}
	}
	return nil, err
}

// build makes the code of a plan.
func (c *code) build(t vector.Backend) (err error) {
	defer catch(&err)
	c.machine = c.Build(t, func() *vector.Program {
		program, kept := lower(c.plan)
		if c.machine == nil { // and not for a listing
			c.kept = kept
		}
		return program
	}, c.plan.words(), c.plan.word(wordFault))
	return c.Err()
}

// catch has a panic of what cannot be lowered be an error.
func catch(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(error)
		if !ok || !errors.Is(e, kernel.ErrUnsupported) {
			panic(r)
		}
		*err = e
	}
}

// Program returns the vector program of a nest.
func Program(n *kernel.Nest, t vector.Backend) (p *vector.Program, err error) {
	defer catch(&err)
	plan, err := newPlan(n, t)
	if err != nil {
		return nil, err
	}
	p, _ = lower(plan)
	return p, nil
}

// lower writes the program of a plan, and returns the bytes of kept values.
func lower(p *plan) (program *vector.Program, kept int) {
	g := newGenerator(p)
	g.generate()
	program = g.b.Optimised()
	kept = g.keptBytes
	g.release()
	return program, kept
}

func (c *code) Run(args *kernel.Args, lo, hi int) {
	p := c.plan
	at := unsafe.Add(args.Scratch, c.kept)
	b := unsafe.Slice((*uintptr)(at), p.words())
	b[p.word(wordScratch)], b[p.word(wordFault)] = uintptr(args.Scratch), 0
	for _, loop := range p.Fold {
		b[p.indexWord(loop)] = 0
	}
	for _, i := range c.gathered {
		b[p.baseWord(i)] = uintptr(args.Ptr[i])
	}
	for u := lo; u < hi; u++ {
		c.unit(b, args, u)
	}
	if b[p.word(wordFault)] != 0 {
		args.Fault = 1
	}
	runtime.KeepAlive(args.Ptr) // the block has addresses in it
}

// unit sets up the call block for one unit and calls the code.
func (c *code) unit(b []uintptr, args *kernel.Args, u int) {
	p := c.plan
	rows, points := c.units.Enter(args, u, b, b[p.indexWord(0):])
	b[p.word(wordRows)], b[p.word(wordPairs)], b[p.word(wordOdd)] = uintptr(rows), uintptr(rows&^1), uintptr(rows&1)
	if p.LaneOuter {
		// Lanes and copies of the body are powers of two: a call of a small kernel has no time for divisions.
		whole := points &^ (p.Unroll*p.Lanes - 1)
		b[p.word(wordBlocks)] = uintptr(whole)
		b[p.word(wordSingles)] = uintptr((points - whole) &^ (p.Lanes - 1))
		b[p.word(wordTail)] = vector.Flag(points&(p.Lanes-1) != 0)
	}
	b[p.word(wordStreams)] = vector.Flag(c.streams && p.aligned(b))
	c.machine.Call(unsafe.Pointer(&b[0]))
}
