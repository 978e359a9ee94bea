package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// newDeferred compiles e as loop nests on the sums of a unit, for the sizes of unit that occur in p.
func newDeferred(p *plan, e *kernel.Epilogue, compile schedule.Nests) (*schedule.Epilogue, error) {
	return schedule.NewEpilogue(e, p.arith.acc, []schedule.Along{
		{Loop: p.rowLoop, Extent: p.m, Unit: p.perBlock * p.shape.rows, Stride: p.rawRow()},
		{Loop: p.laneLoop, Extent: p.n, Unit: p.unitWidth(), Stride: 1}}, compile)
}

// finish does the deferred epilogue of one unit, if there is one.
func (g *code) finish(args *kernel.Args, entry, row0, col0 int) {
	if g.deferred == nil {
		return
	}
	sums := unsafe.Add(args.Scratch, g.packScratch())
	g.deferred.Run(args, [3]int{row0, col0}, sums, unsafe.Add(sums, g.rawScratch()), func(a *kernel.Access) int {
		return a.EntryAt(g.batch, entry)
	})
}
