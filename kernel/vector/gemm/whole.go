package gemm

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// whole multiplies, on vectors, the units of a product in pieces that may not be made from pieces.
// Its code is compiled when the first such unit is met.
type whole struct {
	units [2][2]struct { // by last block of rows, last unit of columns
		once sync.Once
		code kernel.Code
	}
}

// wholeUnit returns the product of rows by cols elements of the plan's operands; its result are
// sums as they lie in scratch memory.
func (p *plan) wholeUnit(rows, cols int) kernel.Product {
	at := func(m kernel.Matrix, rows, cols int) kernel.Matrix {
		m.Batch, m.Offset, m.Const = nil, 0, false
		m.Len = (rows-1)*m.Row + (cols-1)*m.Col + 1
		return m
	}
	sums := kernel.Access{Outer: []int{p.rawRow(), 1}}
	sums.DType, sums.Write, sums.Len = dtype.F32, true, (rows-1)*p.rawRow()+cols
	return kernel.WithSums(&kernel.Contraction{Name: "whole", M: rows, N: cols, K: p.k, Acc: dtype.F32,
		A: at(p.a.Matrix, rows, p.k), B: at(p.b.Matrix, p.k, cols)}, sums)
}

// run computes the sums of a unit in scratch memory.
func (w *whole) run(g *code, args *kernel.Args, u *unit) {
	col := u.first * g.width()
	block, column, cols := 0, 0, min(g.unitWidth(), g.n-col)
	if u.row+u.rows == g.m {
		block = 1
	}
	if col+cols == g.n {
		column = 1
	}
	form := &w.units[block][column]
	form.once.Do(func() {
		features := g.features
		features.Tiles = false
		c, err := Compile(g.wholeUnit(u.rows, cols).(*kernel.Contraction), features, g.to, nil)
		if err != nil {
			panic(fmt.Sprintf("BUG: gemm: a unit without tiles: %v", err))
		}
		form.code = c
	})
	at := func(o *operand, row, col int) unsafe.Pointer {
		return unsafe.Add(args.Ptr[o.port], (o.EntryAt(g.batch, u.entry)+row*o.Row+col*o.Col)*o.DType.Size())
	}
	own := &kernel.Args{
		Ptr:     []unsafe.Pointer{at(&g.a, u.row, 0), at(&g.b, 0, col), unsafe.Add(args.Scratch, g.packScratch())},
		Scratch: unsafe.Pointer(unsafe.SliceData(buf.Aligned(form.code.Scratch()))),
	}
	own.Ptr = append(own.Ptr, unsafe.Pointer(unsafe.SliceData(buf.Aligned(form.code.Shared()))))
	kernel.RunAll(form.code, own)
}

func (w *whole) close() {
	for i := range 4 {
		if c := w.units[i/2][i%2].code; c != nil {
			c.Close()
		}
	}
}
