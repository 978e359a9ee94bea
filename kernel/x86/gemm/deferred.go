package gemm

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// deferred is an epilogue that runs as a loop nest on the sums of a unit, which lie in scratch
// memory.
type deferred struct {
	nests [2][2]kernel.Code // by last block of rows, last unit of columns
}

// newDeferred compiles e for the sizes of unit that occur in p.
func newDeferred(p *plan, e *kernel.Epilogue, compile NestCompiler) (*deferred, error) {
	if compile == nil {
		return nil, fmt.Errorf("%w: an epilogue that is not emitted in line", kernel.ErrUnsupported)
	}
	for _, i := range e.Body {
		if i.Op == kernel.Index || i.Op == kernel.LoadAt || i.Op == kernel.StoreAt {
			return nil, fmt.Errorf("%w: %v in an epilogue", kernel.ErrUnsupported, i.Op)
		}
	}
	for _, a := range e.Access {
		if a.Outer[p.rowLoop] < 0 || a.Outer[p.laneLoop] < 0 {
			return nil, fmt.Errorf("%w: a negative stride in an epilogue", kernel.ErrUnsupported)
		}
	}
	d := new(deferred)
	rows := [2]int{p.perBlock * p.shape.rows, p.m - (p.blocks-1)*p.perBlock*p.shape.rows}
	cols := [2]int{p.rawRow(), p.n - (p.unitColumns()-1)*p.rawRow()}
	for i := range 2 {
		for j := range 2 {
			if i == 0 && p.blocks == 1 || j == 0 && p.unitColumns() == 1 {
				continue
			}
			code, err := compile(p.nest(e, rows[i], cols[j]))
			if err != nil {
				d.close()
				return nil, fmt.Errorf("%w: %v", kernel.ErrUnsupported, err)
			}
			d.nests[i][j] = code
		}
	}
	return d, nil
}

// nest returns the epilogue of a unit of rows by cols elements. Port 0 holds the sums.
func (p *plan) nest(e *kernel.Epilogue, rows, cols int) *kernel.Nest {
	sums := kernel.Access{Outer: []int{p.rawRow(), 1}}
	sums.DType, sums.Len = p.arith.acc, (rows-1)*p.rawRow()+cols
	return e.OnSums(sums, []int{rows, cols}, func(a kernel.Access) []int {
		return []int{a.Outer[p.rowLoop], a.Outer[p.laneLoop]}
	})
}

// run runs the nest on the sums of one unit.
func (d *deferred) run(g *code, w *worker, args *kernel.Args, entry, row0, rows, col0 int) {
	block, column := 0, 0
	if row0+rows == g.m {
		block = 1
	}
	if col0+g.rawRow() >= g.n {
		column = 1
	}
	nest := d.nests[block][column]
	sums := unsafe.Add(args.Scratch, g.packScratch())
	w.nest.Ptr[0] = sums
	for i := range g.access {
		a := &g.access[i]
		at := g.accessOffset(i, entry) + row0*a.Outer[g.rowLoop] + col0*a.Outer[g.laneLoop]
		w.nest.Ptr[1+i] = unsafe.Add(args.Ptr[2+i], at*a.DType.Size())
	}
	w.nest.Scratch = unsafe.Add(sums, g.rawScratch())
	nest.Run(&w.nest, 0, nest.Units())
	w.nest.Scratch = nil
}

func (d *deferred) scratch() int {
	most := 0
	d.each(func(c kernel.Code) { most = max(most, c.Scratch()) })
	return round64(most)
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
