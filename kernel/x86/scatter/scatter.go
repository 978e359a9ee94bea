package scatter

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// eachCall bounds the updates of one call, which cannot be preempted.
const eachCall = 8192

// code folds runs by generated code; where they are is up to the portable back end.
type code struct {
	kernel.Code
	run       portable.ScatterRun
	size      int // of an element
	row, each int // where the functions begin
	listing   *asm.Code
	exec      *exec.Code
}

// Compile generates the code of a scatter.
func Compile(k *kernel.Scatter, f cpu.Features) (kernel.Code, error) {
	c := &code{size: k.Into.DType.Size()}
	c.Code = portable.Scatter(k, func(run portable.ScatterRun) portable.ScatterFolder {
		c.run = run
		return c
	})
	g := generator{a: asm.New(), f: f, run: c.run, size: c.size}
	if !g.pick(k) {
		return nil, fmt.Errorf("%w: %s of %s", kernel.ErrUnsupported, k.Fold, k.Into.DType)
	}
	if farthest := max(c.run.Update, c.run.Index, c.run.Axis); farthest > math.MaxInt32/64 {
		return nil, fmt.Errorf("%w: steps of %d elements", kernel.ErrUnsupported, farthest)
	}
	c.row = g.rowFunction()
	c.each = g.eachFunction()
	c.listing = g.a.Assemble()
	var err error
	if c.exec, err = exec.Load(c.listing.Bytes); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *code) Listing() string { return c.listing.String() }
func (c *code) Close()          { c.exec.Close() }

// call is what the code finds at its argument.
type call struct {
	dst, src, index unsafe.Pointer
	n, outside      int
}

// Row implements [portable.ScatterFolder].
func (c *code) Row(_ *kernel.Args, dst, src unsafe.Pointer, n int) {
	for first := 0; first < n; first += eachCall {
		at := first * c.size
		b := call{dst: unsafe.Add(dst, at), src: unsafe.Add(src, at), n: min(eachCall, n-first)}
		c.exec.CallAt(c.row, unsafe.Pointer(&b))
	}
}

// Each implements [portable.ScatterFolder].
func (c *code) Each(_ *kernel.Args, dst, src, index unsafe.Pointer, n int) bool {
	for first := 0; first < n; first += eachCall {
		b := call{dst: unsafe.Add(dst, first*c.run.Target*c.size), src: unsafe.Add(src, first*c.run.Update*c.size),
			index: unsafe.Add(index, first*c.run.Index*8), n: min(eachCall, n-first)}
		c.exec.CallAt(c.each, unsafe.Pointer(&b))
		if b.outside != 0 {
			return false
		}
	}
	return true
}
