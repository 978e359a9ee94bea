package program

// hostWide sends, for every row that the cores work on at once, its pieces once
// per pass, and takes the results.
func (w *wideRows) hostWide() {
	var results []int
	for t := range w.rowsPerCore {
		for i := range w.streamsIn {
			st, passes := &w.streamsIn[i], w.passes
			if i > 0 {
				passes = 1 // parameters come in the last pass
			}
			w.eachPart(st, t, func(f, row, rows int) {
				w.pieceTasks(f, st, row, rows, passes)
			})
		}
		for i := range w.streamsOut {
			st := &w.streamsOut[i]
			w.eachPart(st, t, func(f, row, rows int) {
				results = append(results, w.pieceTasks(f, st, row, rows, 1))
			})
		}
		if w.err != nil {
			return
		}
	}
	w.await(results)
}

// eachPart visits the FIFOs of a stream at the host with the first row of the
// array that is on it in turn t, and the number of rows.
func (w *wideRows) eachPart(st *stream, t int, visit func(fifo, row, rows int)) {
	for col := range w.cols {
		first := (t*w.cols + col) * w.rows
		if len(st.outer[col]) == 1 {
			visit(st.outer[col][0], first, w.rows)
			continue
		}
		for i, f := range st.outer[col] {
			visit(f, first+i, 1)
		}
	}
}

// pieceTasks moves the pieces of rows on one FIFO: pass by pass, piece by piece,
// a piece of every row, members in turn. It returns the last task.
func (w *wideRows) pieceTasks(f int, st *stream, row, rows, passes int) int {
	m := st.members[0]
	perRow := m.each != w.unit && !m.parameter
	width, pieces := w.piece, w.pieces
	stride := w.unit
	if perRow {
		width, pieces, stride = m.each, 1, m.each
	}
	offset := row * stride
	if m.parameter {
		offset, stride = 0, 0
	}
	if len(st.members) == 1 {
		return w.task(f, m.arg, offset, Dim{passes, 0}, Dim{pieces, width}, Dim{rows, stride},
			Dim{width, 1})
	}
	last := 0
	for range passes {
		for p := range pieces {
			for r := range rows {
				for _, m := range st.members {
					last = w.task(f, m.arg, offset+r*stride+p*width, Dim{width, 1})
				}
			}
			if w.err != nil {
				return last
			}
		}
	}
	return last
}
