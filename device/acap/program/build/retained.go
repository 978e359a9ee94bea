package build

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
)

// ownRows are the rows of an argument that belong to one column: blocks of them, each of block elements, in rows of
// width elements. In the argument the blocks of the other columns lie between them.
type ownRows struct{ arg, blocks, block, width int }

// retained makes the buffer of one column for its rows.
func (b *builder) retained(name string, at mapping.Retained, column int, own ownRows) *program.Retained {
	g := &b.mapping
	if at.Row > b.machine.Grid.MemRows {
		b.fail("there are no mem tiles in row %d", at.Row)
		return nil
	}
	return &program.Retained{Name: name, Tile: program.Coord{Col: b.col + column, Row: at.Row}, Address: at.Address,
		Object: array([]int{own.blocks * own.block / own.width, own.width}, b.p.Args[own.arg].DType),
		Part: program.ResidentPart{Arg: own.arg, Offset: column * own.block,
			Dims: program.Compact([]program.Dim{dim(own.blocks, g.Cols*own.block), dim(own.block, 1)})}}
}

// take makes a stream of a window of a retained array; to has its name, consumers, depth, object and passes.
func (b *builder) take(s *program.Retained, w program.Window, to program.FIFO) int {
	u := b.memUse[s.Tile]
	u.out++
	b.memUse[s.Tile] = u
	to.Name += "_l1"
	to.Producer, to.Retained, to.Windows = s.Tile, s, b.split(w, to.Object.DType.Size())
	return b.fifo(to)
}

// leave makes the stream by which a core fills a window of a retained array; from has its name, producer, depth and
// object.
func (b *builder) leave(s *program.Retained, w program.Window, from program.FIFO) int {
	u := b.memUse[s.Tile]
	u.in++
	b.memUse[s.Tile] = u
	from.Name += "_l1"
	from.Consumers, from.Passes = []program.Coord{s.Tile}, 1
	from.Retained, from.Windows = s, b.split(w, from.Object.DType.Size())
	return b.fifo(from)
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

// takeRetained makes the buffers of A that the launch before has left, and returns what makes the stream of a part and
// a range of K from them: tiles as blocks of the matrix instruction, again for every block along N. It returns nil
// where there are no such mem tiles.
func (p *product) takeRetained(tile program.Object) func(m, k int, to []program.Coord) (fifo int) {
	g := &p.mapping
	var buffers []*program.Retained
	for m := range g.PartsM {
		b := p.retained(indexed("a", "", m)+"_retained", g.In, m, ownRows{0, p.blocksM, g.TM * p.padK, p.padK})
		if b == nil {
			return nil
		}
		buffers = append(buffers, b)
	}
	return func(m, k int, to []program.Coord) int {
		w := program.Window{Offset: k * p.rangeK, Dims: program.Compact([]program.Dim{dim(p.blocksM, g.TM*p.padK),
			dim(p.rangeK/g.TK, g.TK), dim(g.TM/p.mm, p.mm*p.padK), dim(g.TK/p.kk, p.kk), dim(p.mm, p.padK), dim(p.kk, 1)})}
		return p.take(buffers[m], w, program.FIFO{Name: indexed(indexed("a", "", m), "_", k), Consumers: to, Depth: g.Depth, Object: tile,
			Passes: p.blocksN})
	}
}

// leaveC makes the streams of the results of part m of M to its retained array, and returns those that cores fill.
func (p *product) leaveC(m int, object program.Object) {
	g := &p.mapping
	s := p.retained(indexed("c", "", m)+"_retained", g.Out, m, ownRows{p.result, p.blocksM, g.TM * p.padN, p.padN})
	if s == nil {
		return
	}
	for n := range g.PartsN {
		w := program.Window{Offset: n * g.TN, Dims: program.Compact([]program.Dim{dim(p.blocksM, g.TM*p.padN), dim(p.blocksN, g.PartsN*g.TN),
			dim(g.TM/p.mm, p.mm*p.padN), dim(g.TN/p.nn, p.nn), dim(p.mm, p.padN), dim(p.nn, 1)})}
		p.out[m][n] = p.leave(s, w, program.FIFO{Name: indexed(indexed("c", "", m), "_", n), Producer: p.place(m, n, g.Cascade-1),
			Depth: g.OutDepth, Object: object})
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
		retained := s.retained(indexed(name, "_", col)+"_retained", at, col, ownRows{m.arg, 1, s.steps * s.rows * s.tile * m.Each, m.Each})
		if retained == nil {
			return
		}
		var inner []int
		for row := range s.rows {
			w := program.Window{Offset: row * s.tile * m.Each, Dims: program.Compact([]program.Dim{dim(s.steps, s.rows*s.tile*m.Each), dim(s.tile*m.Each, 1)})}
			f := program.FIFO{Name: indexed(indexed(name, "_", col), "_", row), Depth: s.depth(st), Object: object}
			if core := s.coreAt(col, row); taken {
				f.Consumers, f.Passes = []program.Coord{core}, 1
				inner = append(inner, s.take(retained, w, f))
			} else {
				f.Producer = core
				inner = append(inner, s.leave(retained, w, f))
			}
		}
		s.holding(inner, parts)
		st.outer, st.inner = append(st.outer, nil), append(st.inner, inner)
	}
}
