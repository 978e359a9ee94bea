package systolic

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
)

// walk is in which line of demands cells ask for what: a line is a cycle without stalls. The array is folded over the
// product: for each fold of columns all folds of rows.
type walk struct {
	rowFolds, colFolds int
	length             int // lines of a fold
	input, filter      *stream
	results            func(fc, fr, l int) int // that a line of a fold writes
}

// stream is an operand in the order in which it is fetched, and the part of that order that a line asks for.
type stream struct {
	words int64 // that are fetched, without elements of cells that have nothing to do
	total int64 // with them
	// asks returns the places of the words that a line of a fold asks for, from first to before last.
	asks func(fc, fr, l int) (first, last int64)
	// at returns the element of one of the words of a line, counted from the first, and place the place of an element.
	// Elements of moving operands are (lane, step) of the whole operand, others (row, column).
	at    func(fc, fr, l, i int) (a, b int)
	place func(a, b int) int64
}

// walk returns the walk of the product's dataflow.
func (p *Product) walk() (*walk, error) {
	switch p.Flow {
	case machine.OutputStationary:
		return p.outputs()
	case machine.WeightStationary:
		return p.operand(p.M, p.N)
	case machine.InputStationary:
		w, err := p.operand(p.N, p.M)
		if err == nil {
			w.input, w.filter = w.filter, w.input
		}
		return w, err
	}
	return nil, fmt.Errorf("systolic: no dataflow %q", p.Flow)
}

// outputs is the walk with results that remain in the cells.
func (p *Product) outputs() (*walk, error) {
	r, c := p.Rows, p.Cols
	w, err := p.folded(p.M, p.N, p.K+r+c-2)
	if err != nil {
		return nil, err
	}
	w.input = diagonals(p.K, r, p.M, func(_, fr, l int) (fold, step int) { return fr, l })
	w.filter = diagonals(p.K, c, p.N, func(fc, _, l int) (fold, step int) { return fc, l })
	w.results = func(fc, fr, l int) int { // the lowest row first
		rows := min(r, p.M-fr*r)
		return skewed(l-(p.K-1)-(r-rows), rows, min(c, p.N-fc*c))
	}
	return w, nil
}

// operand is the walk in which one operand, the filter, of K by cols elements remains in the cells, and the given rows
// of the other operand, the input, pass by.
func (p *Product) operand(rows, cols int) (*walk, error) {
	r, c := p.Rows, p.Cols
	w, err := p.folded(p.K, cols, rows+2*r+c-2)
	if err != nil {
		return nil, err
	}
	w.input = diagonals(rows, r, p.K, func(_, fr, l int) (fold, step int) { return fr, l - r })
	w.filter = blocks(r, c, p.K, cols)
	w.results = func(fc, _, l int) int { // rows of results, skewed, behind 2r-1 lines
		return skewed(l-(2*r-1), rows, min(c, cols-fc*c))
	}
	return w, nil
}

// folded is a walk with folds of the array over the given rows and columns, each of the given length in lines. More
// lines than are counted are refused before anything is made of their number.
func (p *Product) folded(rows, cols, length int) (*walk, error) {
	w := &walk{rowFolds: up(rows, p.Rows), colFolds: up(cols, p.Cols), length: length}
	if lines := float64(w.length) * float64(w.rowFolds) * float64(w.colFolds); lines > mostLines {
		return nil, fmt.Errorf("systolic: %+v has %.0f lines of demands, more than %d", *p, lines, mostLines)
	}
	return w, nil
}

// skewed is how many elements of a matrix of rows by cols lie on the diagonal of a step.
func skewed(step, rows, cols int) int {
	return max(0, min(step, cols-1)-max(0, step-rows+1)+1)
}

// diagonals are a moving operand: folds of the given steps and lanes lie one below the other, and are fetched diagonal
// by diagonal. The lanes in all are all, so that some lanes of the last fold are empty. A line asks for the part of a
// diagonal that is of its fold.
func diagonals(steps, lanes, all int, at func(fc, fr, l int) (fold, step int)) *stream {
	folds := up(all, lanes)
	rows := folds * steps
	used := all - (folds-1)*lanes // lanes of the last fold
	tail := (folds - 1) * steps   // its first row
	// empty counts the lanes from one to before another that have no word on a diagonal: those behind the used ones in
	// rows of the last fold.
	empty := func(d, from, to int) int { return max(0, min(to, d-tail+1)-max(from, used, d-rows+1)) }
	before := make([]int64, rows+lanes+1) // of each diagonal
	for d := range rows + lanes {
		from, to := max(0, d-rows+1), min(lanes, d+1)
		before[d+1] = before[d] + int64(max(0, to-from)-empty(d, from, to))
	}
	place := func(d, lane int) int64 {
		start := max(0, d-rows+1)
		return before[d] + int64(lane-start-empty(d, start, lane))
	}
	s := &stream{words: before[rows+lanes], total: int64(rows) * int64(lanes)}
	s.asks = func(fc, fr, l int) (first, last int64) {
		fold, step := at(fc, fr, l)
		width := lanes
		if fold == folds-1 {
			width = used
		}
		// Lanes whose row step-lane is in the fold.
		from, to := max(0, step-steps+1), min(width, step+1)
		if step < 0 || from >= to {
			return 0, 0
		}
		d := fold*steps + step
		return place(d, from), place(d, to-1) + 1
	}
	s.at = func(fc, fr, l, i int) (lane, step int) {
		fold, step := at(fc, fr, l)
		lane = max(0, step-steps+1) + i
		return fold*lanes + lane, step - lane
	}
	s.place = func(lane, step int) int64 { return place(lane/lanes*steps+step+lane%lanes, lane%lanes) }
	return s
}

// blocks are a stationary operand of rows by cols elements: folds of columns lie one below the other, and are fetched
// row by row. A fold of rows is read from its last row to its first.
func blocks(r, c, rows, cols int) *stream {
	folds := up(cols, c)
	width := func(fc int) int { return min(c, cols-fc*c) }
	s := &stream{words: int64(rows) * int64(cols), total: int64(folds) * int64(rows) * int64(c)}
	s.place = func(row, col int) int64 {
		fc := col / c
		return int64(fc)*int64(rows)*int64(c) + int64(row)*int64(width(fc)) + int64(col%c)
	}
	s.at = func(fc, fr, l, i int) (row, col int) { return fr*r + r - 1 - l, fc*c + i }
	s.asks = func(fc, fr, l int) (first, last int64) {
		row, col := s.at(fc, fr, l, 0)
		if l >= r || row >= rows {
			return 0, 0
		}
		first = s.place(row, col)
		return first, first + int64(width(fc))
	}
	return s
}
