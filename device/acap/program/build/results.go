package build

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
)

// outStream is one stream of results to the host.
type outStream struct {
	fifo  int
	tiles [][2]int // (m, n) of its parts, in order
}

// leaving is the object that leaves a core for a block: a tile of each result.
func (p *product) leaving() (program.Object, []program.Part) {
	var parts []program.Part
	for i, t := range p.c.Epilogue.Results(p.c.Out) {
		parts = append(parts, program.Part{Arg: p.result + i,
			Object: array([]int{p.mapping.TM, p.mapping.TN}, t)})
	}
	return bundle(parts), parts
}

// outputs makes the streams of results: the streams of a column of cores join, as far as mem tiles have channels for
// them.
func (p *product) outputs() {
	g := &p.mapping
	object, parts := p.leaving()
	p.out = make([][]int, g.PartsM)
	for m := range p.out {
		p.out[m] = make([]int, g.PartsN)
	}
	outer, inner := g.PartsN, g.PartsM
	switch {
	case g.Stacked():
		outer, inner = g.Cols, g.Rows
	case p.across:
		outer, inner = inner, outer
	}
	_, together := timing.Joined(p.machine, g)
	if p.machine.Grid.MemRows == 0 {
		together = inner
	}
	for i := range outer {
		if g.Out.Row > 0 {
			p.leaveC(i, object)
			continue
		}
		for first := 0; first < inner; first += together {
			name := fmt.Sprintf("c%d", i)
			if together < inner {
				name = indexed(name, "_", first/together)
			}
			var tiles [][2]int
			for j := first; j < first+together; j++ {
				switch {
				case g.Stacked():
					tiles = append(tiles, [2]int{i*inner + j, 0})
				case p.across:
					tiles = append(tiles, [2]int{i, j})
				default:
					tiles = append(tiles, [2]int{j, i})
				}
			}
			p.join(name, tiles, object, parts)
		}
	}
}

// join makes the streams of some tiles, which travel as one where there are mem tiles.
func (p *product) join(name string, tiles [][2]int, object program.Object, parts []program.Part) {
	g := &p.mapping
	var from []program.Coord
	for _, t := range tiles {
		from = append(from, p.place(t[0], t[1], g.Cascade-1))
	}
	// The core leaves its tile in blocks of the matrix instruction; the mem
	// tile puts the rows together again. Several results leave row by row.
	var order []program.Dim
	if len(parts) == 1 {
		order = unblocked(len(from), g.TM, g.TN, p.mm, p.nn)
	}
	ins, outs := p.outbound(name, object, order, g.OutDepth, from)
	if len(parts) > 1 {
		p.holding(ins, parts)
	}
	for j, f := range ins {
		p.out[tiles[j][0]][tiles[j][1]] = f
	}
	if len(outs) == 1 {
		p.outer = append(p.outer, outStream{outs[0], tiles})
		return
	}
	for j, f := range outs {
		p.outer = append(p.outer, outStream{f, tiles[j : j+1]})
	}
}

// unblocked reads an object that lies in tiles of r × c row by row.
func unblocked(tiles, rows, cols, r, c int) []program.Dim {
	if rows%r != 0 || cols%c != 0 {
		return nil
	}
	rows *= tiles
	return []program.Dim{dim(rows/r, r*cols), dim(r, c), dim(cols/c, r*c), dim(c, 1)}
}

// receive takes the results of the blocks and returns the last tasks: one for all
// blocks of a stream, or where several results leave together one for each of every
// tile, in the order in which they come.
func (p *product) receive(s blockSet) []int {
	var last []int
	for _, o := range p.outer {
		if len(p.c.Epilogue.Also) == 0 {
			offset, dims := p.region(s, o.tiles)
			last = append(last, p.task(o.fifo, p.result, offset, dims...))
			continue
		}
		id := 0
		for block := range s.blocks() {
			m, n := s.at(block)
			for j := range o.tiles {
				offset, dims := p.region(blockSet{s.batch, m, n, 1, 1}, o.tiles[j:j+1])
				for r := range 1 + len(p.c.Epilogue.Also) {
					id = p.task(o.fifo, p.result+r, offset, dims...)
				}
			}
		}
		last = append(last, id)
	}
	return last
}

// region is where tiles of blocks lie in a result.
func (p *product) region(s blockSet, tiles [][2]int) (offset int, dims []program.Dim) {
	g := &p.mapping
	blockM, blockN := g.PartsM*g.TM, g.PartsN*g.TN
	stride := blockN
	if s.countM > 1 {
		stride = blockM * p.padN
	}
	first := tiles[0]
	row, part := s.batch*p.padM+s.m*blockM+first[0]*g.TM, g.TM*p.padN
	rows := []program.Dim{dim(g.TM, p.padN)}
	if p.conv != nil {
		at, rowStride := p.conv.position(s.batch, s.m, first[0])
		row, part = at, g.OutRows*rowStride*p.padN
		rows = []program.Dim{dim(g.OutRows, rowStride*p.padN), dim(g.OutCols, p.padN)}
	}
	if p.across {
		part = g.TN
	}
	order := append([]program.Dim{dim(s.blocks(), stride), dim(len(tiles), part)}, rows...)
	return row*p.padN + s.n*blockN + first[1]*g.TN, program.Compact(append(order, dim(g.TN, 1)))
}
