package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// newDeferred compiles e as loop nests on the sums of a unit, for the sizes of unit that occur in p.
func newDeferred(p *plan, e *kernel.Epilogue, compile schedule.Nests) (*schedule.Epilogue, error) {
	sums := kernel.Access{Outer: []int{p.rawRow(), 1}}
	sums.DType = p.arith.acc
	over := func(a kernel.Access) []int { return []int{a.Outer[p.rowLoop], a.Outer[p.laneLoop]} }
	return schedule.NewEpilogue(e, sums, over, func(lastRow, lastColumn bool) []int {
		rows, cols := p.perBlock*p.shape.rows, p.unitWidth()
		switch {
		case !lastRow && p.blocks == 1, !lastColumn && p.unitColumns() == 1:
			return nil
		case lastRow:
			rows = p.m - (p.blocks-1)*rows
		}
		if lastColumn {
			cols = p.n - (p.unitColumns()-1)*cols
		}
		return []int{rows, cols}
	}, compile)
}

// finish does the deferred epilogue of one unit.
func (g *code) finish(args *kernel.Args, entry, row0, rows, col0 int) {
	sums := unsafe.Add(args.Scratch, g.packScratch())
	g.deferred.Run(args, row0+rows == g.m, col0+g.unitWidth() >= g.n, sums, unsafe.Add(sums, g.rawScratch()), func(a *kernel.Access) int {
		return a.EntryAt(g.batch, entry) + row0*a.Outer[g.rowLoop] + col0*a.Outer[g.laneLoop]
	})
}
