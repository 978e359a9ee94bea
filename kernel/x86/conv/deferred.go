package conv

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/gemm"
)

// deferred is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch
// memory.
type deferred struct {
	access []kernel.Access
	nests  [2][2]kernel.Code // by last block of rows, last panel
	bytes  int               // of the sums
}

// newDeferred compiles the epilogue of p as nests over the units that occur, and gives p one that
// stores the sums.
func newDeferred(p *plan, compile gemm.NestCompiler) (*deferred, error) {
	if compile == nil {
		return nil, fmt.Errorf("%w: an epilogue that is not emitted in line", kernel.ErrUnsupported)
	}
	for _, i := range p.Epilogue.Body {
		if i.Op == kernel.Index || i.Op == kernel.LoadAt || i.Op == kernel.StoreAt {
			return nil, fmt.Errorf("%w: %v in an epilogue", kernel.ErrUnsupported, i.Op)
		}
	}
	for _, a := range p.Epilogue.Access {
		if min(a.Outer[1], a.Outer[2], a.Outer[3]) < 0 {
			return nil, fmt.Errorf("%w: a negative stride in an epilogue", kernel.ErrUnsupported)
		}
	}
	rows := p.rowBlock * p.tileP
	d := &deferred{access: p.Epilogue.Access, bytes: (rows*p.Q*p.width()*f32 + 63) &^ 63}
	sums := kernel.Access{Outer: []int{0, 1, p.Q * p.width(), p.width()}}
	if p.transposed {
		sums.Outer = []int{0, rows * p.Q, p.Q, 1}
	}
	sums.DType, sums.Len, sums.Write = p.Acc, rows*p.Q*p.width(), true
	heights := [2]int{rows, p.P - (p.rowBlocks-1)*rows}
	channels := [2]int{min(p.width(), p.perGroup), p.perGroup % p.width()}
	for i, height := range heights {
		for j, channels := range channels {
			if i == 0 && p.rowBlocks == 1 || channels == 0 {
				continue
			}
			code, err := compile(p.nest(sums, channels, height))
			if err != nil {
				d.close()
				return nil, fmt.Errorf("%w: %v", kernel.ErrUnsupported, err)
			}
			d.nests[i][j] = code
		}
	}
	c := *p.Convolution
	c.Epilogue = kernel.Epilogue{Access: []kernel.Access{sums}, Body: kernel.Body{
		{Op: kernel.Input, Type: p.Acc}, {Op: kernel.Store, Type: p.Acc, Port: 2},
	}}
	p.Convolution = &c
	return d, nil
}

// nest returns the epilogue of a unit of channels by height rows. Port 0 holds the sums.
func (p *plan) nest(sums kernel.Access, channels, height int) *kernel.Nest {
	sums.Outer, sums.Write = sums.Outer[1:], false
	return p.Epilogue.OnSums(sums, []int{channels, height, p.Q}, func(a kernel.Access) []int {
		return a.Outer[1:]
	})
}

// run runs the nest on the sums of one unit, which lie spill bytes into the scratch memory.
func (d *deferred) run(p *plan, nestArgs, args *kernel.Args, spill, n, k, block, last int) {
	end := 0
	if block == p.rowBlocks-1 {
		end = 1
	}
	sums := unsafe.Add(args.Scratch, spill)
	nestArgs.Ptr[0] = sums
	row := block * p.rowBlock * p.tileP
	for i, a := range d.access {
		at := a.Offset + n*a.Outer[0] + k*a.Outer[1] + row*a.Outer[2]
		nestArgs.Ptr[1+i] = unsafe.Add(args.Ptr[2+i], at*a.DType.Size())
	}
	nestArgs.Scratch = unsafe.Add(sums, d.bytes)
	nest := d.nests[end][last]
	nest.Run(nestArgs, 0, nest.Units())
	nestArgs.Scratch = nil
}

func (d *deferred) scratch() int {
	most := 0
	d.each(func(c kernel.Code) { most = max(most, c.Scratch()) })
	return d.bytes + (most+63)&^63
}

func (d *deferred) close() { d.each(kernel.Code.Close) }

func (d *deferred) each(f func(kernel.Code)) {
	for _, row := range d.nests {
		for _, c := range row {
			if c != nil {
				f(c)
			}
		}
	}
}
