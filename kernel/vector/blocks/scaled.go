package blocks

import "github.com/go-acap/acap/kernel/vector"

// scaled adds sums of integers, times both scales, to sums: of rows, whose lanes are columns, or of columns,
// whose lanes are rows, in squares of sixteen by sixteen. The products with the zero of the numbers come with the sums
// of the bytes, and so do least values.
func (w *writer) scaled(rowsAt, panelAt vector.Val, half int, integers func(n int) vector.Val, sums []vector.Val) {
	lanes, count := panelAt, 0
	if w.Tiles != nil {
		lanes, count = rowsAt, w.rows%w.height() // lanes without a row are 0, and no slow numbers
	}
	of := func(from vector.Val, at, n int) vector.Val {
		if from == lanes {
			return w.Load(vector.F32, from, vector.Access{Offset: at, Count: count, Shared: true})
		}
		return w.Splat(vector.F32, from, vector.Access{Offset: at + 4*n})
	}
	for n := range sums {
		x := w.Convert(vector.ToFloat, vector.F32, integers(n))
		if w.zeroes() {
			x = w.Op(vector.MulAdd, x, of(rowsAt, w.scalesAt(), n), of(rowsAt, w.sumsAt(half), n))
		} else {
			x = w.Op(vector.Mul, x, of(rowsAt, w.scalesAt(), n))
		}
		sums[n] = w.Op(vector.MulAdd, x, of(panelAt, w.scaleAt(half), n), sums[n])
		if w.kind().least != none {
			sums[n] = w.Op(vector.MulAdd, of(rowsAt, w.sumsAt(half), n), of(panelAt, w.leastAt(half), n), sums[n])
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
