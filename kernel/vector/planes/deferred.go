package planes

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/schedule"
)

// deferred is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch memory. Nil is one that
// has nothing to do.
type deferred struct {
	*schedule.Epilogue
	bytes int // of the sums
	args  sync.Pool
}

// newDeferred compiles the epilogue of p, and gives p one that stores the sums.
func newDeferred(p *plan, compile schedule.Nests) (*deferred, error) {
	n := p.channels * p.P * p.Q
	sums := kernel.Access{Outer: []int{0, p.P * p.Q, p.Q, 1}, Port: kernel.Port{DType: p.Acc, Len: n, Write: true}}
	inUnit := kernel.Access{Outer: sums.Outer[1:], Port: kernel.Port{DType: p.Acc}}
	over := func(a kernel.Access) []int { return a.Outer[1:] }
	e, err := schedule.NewEpilogue(&p.Epilogue, inUnit, over, func(lastRow, lastColumn bool) []int {
		channels := p.channels
		if lastColumn {
			channels = p.perGroup % p.channels
		}
		if !lastRow || channels == 0 {
			return nil
		}
		return []int{channels, p.P, p.Q}
	}, compile)
	if err != nil {
		return nil, err
	}
	p.Convolution = convolution.WithSums(p.Convolution, sums)
	d := &deferred{Epilogue: e, bytes: (n*f32 + 63) &^ 63}
	d.args.New = func() any {
		args := e.Args()
		return &args
	}
	return d, nil
}

// run runs the epilogue of a unit, whose sums lie some bytes into the scratch memory.
func (d *deferred) run(args *kernel.Args, at, n, k int, last bool) {
	if d == nil {
		return
	}
	nest := d.args.Get().(*kernel.Args)
	sums := unsafe.Add(args.Scratch, at)
	d.Run(nest, args, true, last, sums, unsafe.Add(sums, d.bytes), func(a *kernel.Access) int {
		return a.Offset + n*a.Outer[0] + k*a.Outer[1]
	})
	args.Fault |= nest.Fault
	nest.Fault = 0
	clear(nest.Ptr)
	d.args.Put(nest)
}

func (d *deferred) scratch() int {
	if d == nil {
		return 0
	}
	return d.bytes + d.Scratch()
}

func (d *deferred) close() {
	if d != nil {
		d.Close()
	}
}
