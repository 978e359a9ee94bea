package build

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
)

// The right operand of a product may lie in mem tiles before the kernel starts: weights that
// remain resident from run to run. Each stream of the operand has a buffer with its tiles and the
// biases that follow the tiles, exactly as cores take them for a row of output blocks.

// takesResident reports whether the product can take all of B from resident buffers, and says why not.
func (p *product) takesResident() bool {
	g, m := &p.mapping, p.machine
	style := m.Compute.Styles[g.Style]
	_, together := style.SetOf(p.blocksM, p.blocksN)
	switch {
	case g.Resident > m.Grid.MemRows:
		p.fail("there are no mem tiles in row %d", g.Resident)
	case together != p.blocksN && p.blocksN > 1:
		p.fail("kernels of style %s take B by parts of a row", g.Style)
	}
	for _, a := range p.addends {
		if a.onB && (a.rows > 0 || !p.constant(a)) {
			p.fail("an input of the epilogue that is no weight comes on the stream of B")
		}
		if a.onB && a.tm*a.tn*p.p.Args[a.arg].DType.Size()%p.b.dtype.Size() != 0 {
			p.fail("a tile of an input of the epilogue is no whole elements of B, with which it comes")
		}
	}
	return p.err == nil
}

// constant reports whether an input of the epilogue is the same on every run.
func (p *product) constant(a addend) bool {
	var index int
	_, err := fmt.Sscanf(p.p.Args[a.arg].Name, "e%d", &index)
	return err == nil && p.c.Epilogue.In[index].Constant
}

// residentStream makes the stream of part n of N and range k of K from a mem tile to cores.
func (p *product) residentStream(n, k int, tile program.Object, to []program.Coord) int {
	g := &p.mapping
	column := to[0].Col
	if p.across { // the stream goes along a row: they lie in the columns in turn
		column = p.col + n*g.Cols/g.PartsN
	}
	s, rows := &program.Resident{Passes: 1}, p.blocksM // that take the same tiles
	switch {
	case p.holdB: // once
		rows = 1
	case p.c.Batch == 1:
		s.Passes, rows = p.blocksM, 1
	}
	for batch := range p.c.Batch {
		for range rows {
			for block := range p.blocksN {
				s.Parts = append(s.Parts, p.residentParts(batch, block, n, k)...)
			}
		}
	}
	at := program.Coord{Col: column, Row: g.Resident}
	u := p.memUse[at]
	if u.out++; u.out > p.machine.Mem.Out.Int() {
		p.fail("the mem tile at (%d, %d) has no channels left", at.Col, at.Row)
	}
	p.memUse[at] = u
	var order []program.Dim
	if p.b.each == 1 {
		order = blocked(1, g.TK, g.TN, p.kk, p.nn)
	}
	return p.fifo(program.FIFO{Name: fmt.Sprintf("b%d_%d_l1", n, k), Producer: at, Consumers: to, Depth: g.Depth, Object: tile,
		ToStream: order, Resident: s})
}

// residentParts is the tiles of one block, step by step, and its biases.
func (p *product) residentParts(batch, block, n, k int) []program.ResidentPart {
	g := &p.mapping
	rowsK, rowN := p.b.right(p.padK, p.padN)
	rangeK, _ := p.b.right(p.rangeK, 0)
	tileK, tileN := p.b.right(g.TK, g.TN)
	offset := (batch*rowsK+k*rangeK)*rowN + (block*g.PartsN+n)*tileN
	dims := []program.Dim{dim(p.rangeK/g.TK, tileK*rowN)}
	if p.b.each == 1 && g.TK%p.kk == 0 && g.TN%p.nn == 0 {
		dims = append(dims, dim(g.TK/p.kk, p.kk*p.padN), dim(g.TN/p.nn, p.nn), dim(p.kk, p.padN), dim(p.nn, 1))
	} else {
		dims = append(dims, dim(tileK, rowN), dim(tileN, 1))
	}
	parts := []program.ResidentPart{{Arg: 1, Offset: offset, Dims: dims}}
	if k < g.Cascade-1 {
		return parts
	}
	for _, a := range p.addends {
		if !a.onB {
			continue
		}
		parts = append(parts, program.ResidentPart{Arg: a.arg, Offset: batch*a.batch + (block*g.PartsN+n)*g.TN*a.cols, Dims: []program.Dim{dim(a.tn, 1)}})
		if pad := a.padding / p.b.dtype.Size(); pad > 0 { // what nobody reads
			parts = append(parts, program.ResidentPart{Arg: 1, Dims: []program.Dim{dim(pad, 0)}})
		}
	}
	return parts
}
