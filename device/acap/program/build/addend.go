package build

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// addend is an input of the epilogue. A core has no third channel for it, so its
// tiles travel on the stream of an operand, after the last slice of K. That of B
// reaches all cores that share columns of the output: one tile of an array that
// does not vary along M serves them all. On the stream of A every core sees the tiles of all columns and keeps its own.
// A convolution, whose stream of A carries strips, and a product whose A is retained use the stream of B in the same
// way. A tile fills a whole number of staged objects; the rest is padding that nobody reads.
type addend struct {
	arg        int
	onB        bool
	tiles      int // that pass by for one block
	tm, tn     int // a core's tile; 1 where it is broadcast
	rows, cols int // strides along M and N, 0 where it is broadcast
	batch      int // elements from one matrix of the batch to the next
	staged     int // staged objects of a tile
	padding    int // bytes that fill up the last object
}

// addend adds an input of the epilogue; its extent says how it is broadcast.
func (p *product) addend(i int, in workload.Stream) {
	g, c := &p.mapping, p.c
	a := addend{arg: len(p.p.Args), tiles: 1, tm: g.TM, tn: g.TN, rows: p.padN, cols: 1,
		batch: p.padM * p.padN}
	shape := []int{c.Batch, p.padM, p.padN}
	axes := c.Varies(in)
	if axes&workload.AxisBatch == 0 {
		shape[0] = 1
	}
	switch alongM, alongN := axes.Along(); {
	case alongN:
		shape[1], a.rows, a.tm, a.batch = 1, 0, 1, p.padN
	case alongM:
		shape[2], a.rows, a.cols, a.tn, a.batch = 1, 1, 0, 1, p.padM
	}
	if shape[0] == 1 {
		a.batch = 0
	}
	object := c.A.Bytes(p.a.slice, g.TM)
	if a.onB = p.conv != nil || a.rows == 0 || g.In.Row > 0; a.onB {
		object = c.B.Bytes(p.b.slice, g.TN)
	}
	switch {
	case a.onB && a.rows > 0:
		a.tiles = g.PartsM
	case !a.onB && a.cols > 0:
		a.tiles = g.PartsN
	}
	tile := a.tm * a.tn * in.DType.Size()
	a.staged = up(tile, object)
	a.padding = a.staged*object - tile
	p.addends = append(p.addends, a)
	p.p.Args = append(p.p.Args, program.Arg{Name: fmt.Sprintf("e%d", i), Shape: shape, DType: in.DType})
}

// carries reports whether the stream of A, or of B, carries addends.
func (p *product) carries(onB bool) bool {
	for _, a := range p.addends {
		if a.onB == onB {
			return true
		}
	}
	return false
}

// resultPart is a part of the result: part (i, j) of block (m, n) of a matrix of the batch.
type resultPart struct{ batch, m, i, n, j int }

// sendAddends sends the tiles of the addends on a stream for the block of a part: on the stream of A for fanOut parts
// of M from its i on, on the stream of B for parts of N from its j on.
func (p *product) sendAddends(fifo int, onB bool, from resultPart, fanOut int) {
	for _, a := range p.addends {
		if a.onB != onB {
			continue
		}
		for t := range a.tiles {
			for further := range fanOut {
				at := from
				if onB {
					at.i, at.j = t, from.j+further
				} else {
					at.i, at.j = from.i+further, t
				}
				p.sendTile(fifo, a, at)
			}
		}
	}
}

// sendTile sends the tile of an addend for a part.
func (p *product) sendTile(fifo int, a addend, of resultPart) {
	g := &p.mapping
	col := ((of.n*g.PartsN + of.j) * g.TN) * a.cols
	row := (of.m*g.PartsM + of.i) * g.TM * a.rows
	switch {
	case p.conv != nil && a.rows > 0:
		// Positions are numbered through the batch.
		at, rowStride := p.conv.position(of.batch, of.m, of.i)
		p.task(fifo, a.arg, at*a.rows+col, dim(g.OutRows, rowStride*a.rows),
			dim(g.OutCols, a.rows), dim(a.tn, 1))
	case a.cols == 0:
		p.task(fifo, a.arg, of.batch*a.batch+row, dim(a.tm, 1))
	default:
		p.task(fifo, a.arg, of.batch*a.batch+row+col, dim(a.tm, a.rows), dim(a.tn, 1))
	}
	p.fill(fifo, a.padding)
}

// capture takes the tiles of an addend off its stream and keeps the core's own.
func (p *product) capture(m, n, k int, a addend, keep program.ObjectRef) []program.Stmt {
	stream, mine, slice := p.a.inner[m][k], n, p.a.slice
	if a.onB {
		stream, mine, slice = p.b.inner[n][k], m, p.b.slice
	}
	return pick("capture", stream, keep, a.staged*(slice/p.mapping.TK), mine, a.tiles)
}

// pick takes tiles of a number of objects off a stream. By calls of the kernel given it keeps one of the objects, the
// last if there are fewer.
func pick(kernel string, fifo int, keep program.ObjectRef, objects, mine, tiles int) []program.Stmt {
	take := func(call ...program.Stmt) []program.Stmt {
		body := append([]program.Stmt{program.Acquire{FIFO: fifo, N: 1}}, call...)
		return append(body, program.Release{FIFO: fifo, N: 1})
	}
	var out []program.Stmt
	mine = min(mine, tiles-1)
	if mine > 0 {
		out = append(out, program.Loop{Count: mine * objects, Body: take()})
	}
	for i := range objects {
		out = append(out, take(program.Call{Kernel: kernel, Piece: i,
			Args: []program.ObjectRef{{FIFO: fifo}, keep}})...)
	}
	if rest := tiles - 1 - mine; rest > 0 {
		out = append(out, program.Loop{Count: rest * objects, Body: take()})
	}
	return out
}
