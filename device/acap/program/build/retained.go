package build

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
)

// retained makes the buffer of one column for rows of an argument: a number of blocks, each of block elements. In the
// argument the blocks of the other columns lie between them.
func (b *builder) retained(name string, at mapping.Retained, column, arg, blocks, block, width int) *program.Retained {
	g := &b.mapping
	if at.Row > b.machine.Grid.MemRows {
		b.fail("there are no mem tiles in row %d", at.Row)
		return nil
	}
	return &program.Retained{Name: name, Tile: program.Coord{Col: b.col + column, Row: at.Row}, Address: at.Address,
		Object: array([]int{blocks * block / width, width}, b.p.Args[arg].DType),
		Part:   program.ResidentPart{Arg: arg, Offset: column * block, Dims: program.Compact([]program.Dim{dim(blocks, g.Cols*block), dim(block, 1)})}}
}

// take makes a stream from a retained array to cores.
func (b *builder) take(name string, s *program.Retained, w program.Window, passes, depth int, object program.Object, to []program.Coord) int {
	u := b.memUse[s.Tile]
	u.out++
	b.memUse[s.Tile] = u
	return b.fifo(program.FIFO{Name: name + "_l1", Producer: s.Tile, Consumers: to, Depth: depth, Object: object,
		Retained: s, Windows: b.split(w, object.DType.Size()), Passes: passes})
}

// leave makes the stream by which a core fills its part of a retained array.
func (b *builder) leave(name string, s *program.Retained, w program.Window, depth int, object program.Object, from program.Coord) int {
	u := b.memUse[s.Tile]
	u.in++
	b.memUse[s.Tile] = u
	return b.fifo(program.FIFO{Name: name + "_l1", Producer: from, Consumers: []program.Coord{s.Tile}, Depth: depth, Object: object,
		Retained: s, Windows: b.split(w, object.DType.Size()), Passes: 1})
}

// split cuts a window along its outermost dimension into windows that descriptors of a mem tile can express.
func (b *builder) split(w program.Window, size int) []program.Window {
	if len(w.Dims) == 0 || program.Fits(&b.machine.Mem, w.Dims, w.Elements(), size) == nil {
		return []program.Window{w}
	}
	outer := w.Dims[0]
	for n := outer.Size - 1; n > 0; n-- {
		part := func(first, n int) program.Window {
			return program.Window{Offset: w.Offset + first*outer.Stride, Dims: program.Compact(append([]program.Dim{dim(n, outer.Stride)}, w.Dims[1:]...))}
		}
		if outer.Size%n != 0 || program.Fits(&b.machine.Mem, part(0, n).Dims, n*w.Elements()/outer.Size, size) != nil {
			continue
		}
		var out []program.Window
		for first := 0; first < outer.Size; first += n {
			out = append(out, part(first, n))
		}
		return out
	}
	return []program.Window{w}
}

// retains reports whether a product can take A from mem tiles and leave its result there, and says why not.
func (p *product) retains() bool {
	g := &p.mapping
	if g.In.Row == 0 && g.Out.Row == 0 {
		return true
	}
	style := p.machine.Compute.Styles[g.Style]
	countM, countN := style.SetOf(p.blocksM, p.blocksN)
	switch {
	case p.conv != nil || p.c.Batch > 1 || p.a.each != 1:
		p.fail("only plain products leave and take rows")
	case !g.ByRows(p.machine.Grid.VerticalCascade):
		p.fail("columns of cores have no rows to themselves")
	case countM < p.blocksM || countN < p.blocksN:
		p.fail("results remain in a core for one set of transfers only")
	case g.In.Row > 0 && (g.TM%p.mm != 0 || g.TK%p.kk != 0):
		p.fail("tiles of A are not whole blocks")
	case g.Out.Row > 0 && (len(p.c.Epilogue.Also) > 0 || g.TM%p.mm != 0 || g.TN%p.nn != 0):
		p.fail("several results leave, or their tiles are not whole blocks")
	}
	return p.err == nil
}

// takeRetained makes the buffers of A that the launch before has left, and returns what makes the stream of a part and a
// range of K from them: tiles as blocks of the matrix instruction, again for every block along N. It returns nil where
// there are no such mem tiles.
func (p *product) takeRetained(tile program.Object) func(m, k int, to []program.Coord) (fifo int) {
	g := &p.mapping
	var buffers []*program.Retained
	for m := range g.PartsM {
		b := p.retained(indexed("a", "", m)+"_retained", g.In, m, 0, p.blocksM, g.TM*p.padK, p.padK)
		if b == nil {
			return nil
		}
		buffers = append(buffers, b)
	}
	return func(m, k int, to []program.Coord) int {
		w := program.Window{Offset: k * p.rangeK, Dims: program.Compact([]program.Dim{dim(p.blocksM, g.TM*p.padK),
			dim(p.rangeK/g.TK, g.TK), dim(g.TM/p.mm, p.mm*p.padK), dim(g.TK/p.kk, p.kk), dim(p.mm, p.padK), dim(p.kk, 1)})}
		return p.take(indexed(indexed("a", "", m), "_", k), buffers[m], w, p.blocksN, g.Depth, tile, to)
	}
}

// leaveC makes the streams of the results of part m of M to its retained array, and returns those that cores fill.
func (p *product) leaveC(m int, object program.Object) {
	g := &p.mapping
	s := p.retained(indexed("c", "", m)+"_retained", g.Out, m, p.result, p.blocksM, g.TM*p.padN, p.padN)
	if s == nil {
		return
	}
	for n := range g.PartsN {
		w := program.Window{Offset: n * g.TN, Dims: program.Compact([]program.Dim{dim(p.blocksM, g.TM*p.padN), dim(p.blocksN, g.PartsN*g.TN),
			dim(g.TM/p.mm, p.mm*p.padN), dim(g.TN/p.nn, p.nn), dim(p.mm, p.padN), dim(p.nn, 1)})}
		p.out[m][n] = p.leave(indexed(indexed("c", "", m), "_", n), s, w, g.OutDepth, object, p.place(m, n, g.Cascade-1))
	}
}

// connectRetained connects a stream of one member that is retained in mem tiles: the cores of a column share
// the rows of its own.
func (s *share) connectRetained(name string, st *stream, at mapping.Retained, taken bool) {
	if len(st.members) != 1 || st.once || st.members[0].Broadcast || st.members[0].Stream.Walk != nil || s.unit > 0 {
		s.fail("%s is no stream of rows", name)
		return
	}
	m := st.members[0]
	object, parts := s.bundle(st)
	for col := range s.cols {
		retained := s.retained(indexed(name, "_", col)+"_retained", at, col, m.arg, 1, s.steps*s.rows*s.tile*m.Each, m.Each)
		if retained == nil {
			return
		}
		var inner []int
		for row := range s.rows {
			w := program.Window{Offset: row * s.tile * m.Each, Dims: program.Compact([]program.Dim{dim(s.steps, s.rows*s.tile*m.Each), dim(s.tile*m.Each, 1)})}
			name := indexed(indexed(name, "_", col), "_", row)
			if core := s.coreAt(col, row); taken {
				inner = append(inner, s.take(name, retained, w, 1, s.depth(st), object, []program.Coord{core}))
			} else {
				inner = append(inner, s.leave(name, retained, w, s.depth(st), object, core))
			}
		}
		s.holding(inner, parts)
		st.outer, st.inner = append(st.outer, nil), append(st.inner, inner)
	}
}
