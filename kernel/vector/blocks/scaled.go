package blocks

import "github.com/go-acap/acap/kernel/vector"

// scaled adds sums of integers, times the scales of both sides, to the sums of the rows. The products with the zero of
// the numbers come with the sums of the bytes, and so do least values.
func (w *writer) scaled(rowsAt, panelAt vector.Val, half int, integers func(row int) vector.Val, sums []vector.Val) {
	scale := w.Load(vector.F32, panelAt, vector.Access{Offset: w.scaleAt(half)})
	var least vector.Val
	if w.kind().least != none {
		least = w.Load(vector.F32, panelAt, vector.Access{Offset: w.leastAt(half)})
	}
	for row := range w.rows {
		ofRow := func(at int) vector.Val { return w.Splat(vector.F32, rowsAt, vector.Access{Offset: at + 4*row}) }
		x := w.Convert(vector.ToFloat, vector.F32, integers(row))
		if w.zeroes() {
			x = w.Op(vector.MulAdd, x, ofRow(w.scalesAt()), ofRow(w.sumsAt(half)))
		} else {
			x = w.Op(vector.Mul, x, ofRow(w.scalesAt()))
		}
		sums[row] = w.Op(vector.MulAdd, x, scale, sums[row])
		if w.kind().least != none {
			sums[row] = w.Op(vector.MulAdd, ofRow(w.sumsAt(half)), least, sums[row])
		}
	}
}

// lanesScaled does the same where a lane is an operand.
func (w *writer) lanesScaled(rowsAt, panelAt vector.Val, half int, integers, sums []vector.Val) {
	at := func(offset, q int) vector.Val {
		return w.Load(vector.F32, panelAt, vector.Access{Offset: offset + 4*w.lanes*q})
	}
	scales := w.Load(vector.F32, rowsAt, vector.Access{Offset: w.scalesAt()})
	for q := range w.vectors {
		of := at(w.scaleAt(half), q)
		for row := range w.rows {
			i := row*w.vectors + q
			f := w.Op(vector.Mul, w.Convert(vector.ToFloat, vector.F32, integers[i]), of)
			sums[i] = w.Into(vector.LaneMul, vector.F32, row, f, scales, sums[i])
		}
	}
	if w.kind().least == none {
		return
	}
	rowSums := w.Load(vector.F32, rowsAt, vector.Access{Offset: w.sumsAt(half)})
	for q := range w.vectors {
		least := at(w.leastAt(half), q)
		for row := range w.rows {
			i := row*w.vectors + q
			sums[i] = w.Into(vector.LaneMul, vector.F32, row, least, rowSums, sums[i])
		}
	}
}
