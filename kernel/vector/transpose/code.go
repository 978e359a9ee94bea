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
	vector.Code
	*plan
	machine *vector.Machine
	units   int // of a point of the loops around the matrix
}

// Compile makes code of a nest that copies a matrix, or several, to its transpose. The error wraps
// [kernel.ErrUnsupported] if the nest is no such copy.
func Compile(n *kernel.Nest, t vector.Backend) (kernel.Code, error) {
	p, err := newPlan(n, t)
	if err != nil {
		return nil, err
	}
	c := &code{plan: p, units: kernel.Pieces(p.strips, p.perUnit)}
	c.machine = c.Build(t, p.program, words, wordFault)
	c.Count, c.Nanos, c.Memory = c.units, p.nanosEach*float64(p.perUnit), c.BlockBytes()
	for _, l := range p.rest {
		c.Count *= l.extent
	}
	c.Title = fmt.Sprintf("tiles: %d rows by %d columns of %d bytes\n", p.high(), p.wide, p.size)
	return c, c.Err()
}

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
		c.machine.Call(args.Scratch)
	}
	runtime.KeepAlive(args.Ptr) // the block has addresses in it
}
