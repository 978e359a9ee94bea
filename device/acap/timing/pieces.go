package timing

import "github.com/go-acap/acap/device/acap/workload"

// wide times rows that are taken in pieces. rows is the number of rows of each core. Each pass reads all pieces of its
// streams. The last pass also reads the streams of its own and writes the results. Tables come at the end.
func (e *estimate) wide(n *workload.Normalize, rows int64) {
	g := &e.mapping
	pieces, passes := ceil(n.Cols, g.TK), int64(max(1, n.Passes))
	tables := e.tablePieces(n.In)
	every, late := e.piece(rows*passes*pieces), e.piece(rows*pieces)
	for _, s := range n.In {
		switch {
		case s.Table > 0 || s.Elements == 1:
		case s.Late && tables == 0: // else tables take the channel
			late.join(e.length(n, s)*s.Carried(), g.Rows)
		default:
			every.join(e.length(n, s)*s.Carried(), g.Rows)
		}
	}
	along, value := e.piece(rows*pieces), e.piece(rows)
	for _, s := range n.Out {
		if each := int(s.Elements) / n.Rows; each == n.Cols {
			along.join(g.TK*s.DType.Size(), g.Rows)
		} else {
			value.join(valueBytes(each, s), g.Rows)
		}
	}
	table := stream{bytes: float64(TablePiece(e.machine)), parts: 1, depth: g.Depth,
		objects: rows * tables}
	l := e.newLine()
	in, out := e.spread(l, true, every, late, table), e.spread(l, false, along, value)
	work := e.Step.Core - e.Gather/float64(passes*pieces)
	l.repeat(rows, func() {
		l.repeat((passes-1)*pieces, func() { l.call(work, in[:1], nil) })
		l.repeat(pieces, func() { l.call(work, in[:2], out[:1]) })
		l.repeat(tables, func() { l.call(e.Gather/float64(tables), in[2:], nil) })
		l.call(0, nil, out[1:])
	})
	e.Fill, e.Steady, e.Drain = 0, l.end(), 0
}

// piece is a stream with the given number of pieces for every core, which has no members yet.
func (e *estimate) piece(objects int64) stream {
	return stream{parts: e.mapping.Rows, depth: e.mapping.Depth, objects: objects}
}

// join adds a member of the given bytes to a stream, with a task for each of the rows of cores.
func (s *stream) join(bytes, rows int) {
	s.bytes += float64(bytes)
	s.tasks += float64(rows)
}

// leaves is the bytes that a row leaves: results along the row, and values of the row.
func leaves(n *workload.Normalize) (bytes int64) {
	for _, s := range n.Out {
		if each := int(s.Elements) / n.Rows; each == n.Cols {
			bytes += int64(each * s.DType.Size())
		} else {
			bytes += int64(valueBytes(each, s))
		}
	}
	return bytes
}

// valueBytes is the bytes of some values of a row, in whole words.
func valueBytes(each int, s workload.Stream) int { return words(max(1, each), s) * s.DType.Size() }

// length is the elements of a piece of an input that belong to a row: as many as columns
// of the piece, or one for all.
func (e *estimate) length(n *workload.Normalize, s workload.Stream) int {
	if n.Walk(s).Row() > 1 {
		return e.mapping.TK
	}
	return 1
}
