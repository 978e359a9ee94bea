package conv

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/schedule"
)

// deferred is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch
// memory.
type deferred struct {
	*schedule.Epilogue
	bytes int // of the sums
}

// newDeferred compiles the epilogue of p as nests over the units that occur, and gives p one that
// stores the sums.
func newDeferred(p *plan, compile schedule.Nests) (*deferred, error) {
	rows := p.rowBlock * p.tileP
	d := &deferred{bytes: (rows*p.Q*p.width()*f32 + 63) &^ 63}
	sums := kernel.Access{Outer: []int{0, 1, p.Q * p.width(), p.width()}}
	if p.transposed {
		sums.Outer = []int{0, rows * p.Q, p.Q, 1}
	}
	sums.DType, sums.Len, sums.Write = p.Acc, rows*p.Q*p.width(), true
	inUnit := kernel.Access{Outer: sums.Outer[1:], Port: kernel.Port{DType: p.Acc}}
	over := func(a kernel.Access) []int { return a.Outer[1:] }
	var err error
	d.Epilogue, err = schedule.NewEpilogue(&p.Epilogue, inUnit, over, func(lastRow, lastColumn bool) []int {
		height, channels := rows, min(p.width(), p.perGroup)
		if lastColumn {
			channels = p.perGroup % p.width()
		}
		switch {
		case !lastRow && p.rowBlocks == 1, channels == 0:
			return nil
		case lastRow:
			height = p.P - (p.rowBlocks-1)*rows
		}
		return []int{channels, height, p.Q}
	}, compile)
	if err != nil {
		return nil, err
	}
	p.Convolution = convolution.WithSums(p.Convolution, sums)
	return d, nil
}

// run runs the nest on the sums of one unit, which lie spill bytes into the scratch memory.
func (d *deferred) run(p *plan, nest, args *kernel.Args, spill, n, k, block int, lastChannels bool) {
	sums := unsafe.Add(args.Scratch, spill)
	row := block * p.rowBlock * p.tileP
	d.Run(nest, args, block == p.rowBlocks-1, lastChannels, sums, unsafe.Add(sums, d.bytes), func(a *kernel.Access) int {
		return a.Offset + n*a.Outer[0] + k*a.Outer[1] + row*a.Outer[2]
	})
}

func (d *deferred) scratch() int { return d.bytes + d.Scratch() }
