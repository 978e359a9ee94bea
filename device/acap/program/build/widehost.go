package build

// hostWide sends, for every row that the cores work on at once, its pieces once per
// pass, and takes the results.
func (w *wideRows) hostWide() {
	var results []int
	for turn := range w.steps {
		for pass := range w.passes {
			w.inPieces(w.all, turn, w.sendPiece)
			if pass == w.passes-1 {
				w.inPieces(w.late, turn, w.sendPiece)
			}
		}
		results = append(results, w.inPieces(w.alongs, turn, w.takePiece)...)
		results = append(results, w.ofRows(w.values, turn, 0, w.takePiece)...)
		if w.err != nil {
			return
		}
	}
	w.tables.host(w.share)
	w.await(results)
}

// transfer moves the piece of a member that belongs to a row and returns the task.
type transfer func(fifo int, m member, row, piece int) int

// inPieces moves the rows of a turn piece by piece.
func (w *wideRows) inPieces(streams []stream, turn int, move transfer) []int {
	var tasks []int
	for piece := range w.pieces {
		tasks = w.ofRows(streams, turn, piece, move)
	}
	return tasks
}

// ofRows moves a piece of all rows of a turn, members one after the other, and returns
// the last task of every FIFO.
func (w *wideRows) ofRows(streams []stream, turn, piece int, move transfer) []int {
	var tasks []int
	for i := range streams {
		st := &streams[i]
		for col := range w.cols {
			first := (turn*w.cols + col) * w.rows
			for k := range w.rows {
				f := st.outer[col][min(k, len(st.outer[col])-1)]
				last := 0
				for _, m := range st.members {
					last = move(f, m, first+k, piece)
				}
				tasks = append(tasks, last)
			}
		}
	}
	return tasks
}

// sendPiece sends columns of a row, or its one value, filled up to a whole piece.
func (w *wideRows) sendPiece(f int, m member, row, piece int) int {
	start, count := row*m.Stream.Walk.Row(), 1
	if m.Each > 1 {
		start += piece * w.piece
		count = min(w.piece, w.n.Cols-piece*w.piece)
	}
	if row >= w.n.Rows {
		count = 0
	}
	return w.fetch(f, m, start, count, m.Each)
}

// takePiece takes results of a row.
func (w *wideRows) takePiece(f int, m member, row, piece int) int {
	length := w.p.Args[m.arg].Shape[1]
	return w.task(f, m.arg, row*length+piece*m.Each, dim(m.Each, 1))
}
