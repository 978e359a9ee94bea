package transpose

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// code is a compiled copy.
type code struct {
	*vector.Machine
	*plan
	around int // points of the loops around the matrix
	units  int // of each
}

// Compile makes code of a nest that copies a matrix, or several, to its transpose. The error wraps
// [kernel.ErrUnsupported] if the nest is no such copy.
func Compile(n *kernel.Nest, t vector.Backend) (kernel.Code, error) {
	p, err := newPlan(n, t)
	if err != nil {
		return nil, err
	}
	c := &code{plan: p, around: 1, units: kernel.Pieces(p.strips, p.perUnit)}
	for _, l := range p.rest {
		c.around *= l.extent
	}
	if c.Machine, err = t.Build(p.program, words, wordFault); err != nil {
		return nil, err
	}
	return c, nil
}

// Units implements [kernel.Code].
func (c *code) Units() int { return c.around * c.units }

// UnitNanos implements [kernel.Code].
func (c *code) UnitNanos() float64 { return c.nanosEach * float64(c.perUnit) }

// Scratch implements [kernel.Code].
func (c *code) Scratch() int { return c.BlockBytes() }

// Listing implements [kernel.Code].
func (c *code) Listing() string {
	return fmt.Sprintf("tiles: %d rows by %d columns of %d bytes\n%s", c.high(), c.wide, c.size, c.Machine.Listing())
}

// Run implements [kernel.Code].
func (c *code) Run(args *kernel.Args, lo, hi int) {
	block := unsafe.Slice((*uintptr)(args.Scratch), words)
	for u := lo; u < hi; u++ {
		from, to := c.from, c.to
		rest := u / c.units
		for n := len(c.rest) - 1; n >= 0; n-- {
			l := c.rest[n]
			from += rest % l.extent * l.from
			to += rest % l.extent * l.to
			rest /= l.extent
		}
		first := u % c.units * c.perUnit
		block[wordFrom] = uintptr(unsafe.Add(args.Ptr[0], from*c.size))
		block[wordTo] = uintptr(unsafe.Add(args.Ptr[1], to*c.size))
		block[wordFirst], block[wordStrips] = uintptr(first), uintptr(min(c.perUnit, c.strips-first))
		c.Call(args.Scratch)
	}
	runtime.KeepAlive(args.Ptr) // of which the block has addresses
}
