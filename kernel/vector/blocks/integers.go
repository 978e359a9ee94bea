package blocks

import (
	"math"

	"github.com/go-acap/acap/kernel/vector"
)

// fours gives the sums of products of fours of a panel, from a first one to an end, with fours of rows in all lanes.
func (w *writer) fours(rowsAt, panelAt vector.Val, first, end int) func(row int) vector.Val {
	acc := make([]vector.Val, w.rows)
	begun := false
	add := func(row int, v vector.Val) {
		if begun {
			v = w.Op(vector.Add, acc[row], v)
		}
		acc[row] = v
	}
	most := w.kind().most
	exact := end - first // products of pairs whose sums fit in 16 bits
	for most > 0 && exact*2*most*math.MaxInt8 > math.MaxInt16 {
		exact /= 2
	}
	pairs := make([]vector.Val, w.rows)
	for n := range end - first {
		numbers := w.Load(vector.Bytes, panelAt, vector.Access{Offset: (first + n) * w.step()})
		magnitude := numbers
		if most == 0 {
			magnitude = w.Op(vector.Abs, numbers)
		}
		for row := range w.rows {
			bytes := w.Splat(vector.I32, rowsAt, vector.Access{Offset: w.rowAt(row) + 4*(first+n)}).As(vector.Bytes)
			if most == 0 {
				bytes = w.Op(vector.TakeSign, bytes, numbers)
			}
			switch {
			case w.Mixed && n == 0:
				acc[row] = w.Into(vector.DotMixed, vector.I32, 0, magnitude, bytes, w.Bits(vector.I32, 0))
				continue
			case w.Mixed:
				acc[row] = w.Into(vector.DotMixed, vector.I32, 0, magnitude, bytes, acc[row])
				continue
			}
			v := w.Into(vector.PairsMixed, vector.Bytes, 0, magnitude, bytes)
			switch {
			case most == 0:
				add(row, pairsSummed(w.Builder, v))
			case n%exact == 0:
				pairs[row] = v
			default:
				pairs[row] = w.Into(vector.AddPairs, vector.Bytes, 0, pairs[row], v)
			}
		}
		if !w.Mixed && most > 0 && (n+1)%exact == 0 {
			for row, v := range pairs {
				add(row, pairsSummed(w.Builder, v))
			}
		}
		begun = begun || w.Mixed || most == 0 || (n+1)%exact == 0
	}
	return func(row int) vector.Val { return acc[row] }
}

// lanesOfRows gives the sums of products of four numbers with four bytes of a lane, of some sixteens of a chunk.
func (w *writer) lanesOfRows(rowsAt, panelAt vector.Val, first, end int) []vector.Val {
	acc := w.zeros()
	for sixteen := first; sixteen < end; sixteen++ {
		a := make([]vector.Val, w.rows)
		for row := range a {
			a[row] = w.Load(vector.Bytes, rowsAt, vector.Access{Offset: w.rowAt(row) + 16*sixteen})
		}
		for four := range 4 {
			for q := range w.vectors {
				b := w.Load(vector.Bytes, panelAt, vector.Access{Offset: (4*sixteen+four)*w.step() + 4*w.lanes*q})
				for row := range w.rows {
					i := row*w.vectors + q
					acc[i] = w.Into(vector.DotLane, vector.I32, four, b, a[row], acc[i])
				}
			}
		}
	}
	return acc
}

// smallSquares gives the sums of products of eight numbers of two rows and two columns, row by row.
func (w *writer) smallSquares(rowsAt, panelAt vector.Val, first, end int) (list []vector.Val) {
	pairs := (w.rows + 1) / 2
	acc := make([]vector.Val, pairs*w.vectors*2)
	for i := range acc {
		acc[i] = w.Bits(vector.I32, 0)
	}
	for eight := 2 * first; eight < 2*end; eight++ {
		a := make([]vector.Val, pairs)
		for p := range a {
			a[p] = w.Load(vector.Bytes, rowsAt, vector.Access{Offset: w.rowAt(2*p) + 16*eight})
		}
		for two := range 2 {
			for q := range w.vectors {
				b := w.Load(vector.Bytes, panelAt, vector.Access{Offset: 2*eight*w.step() + two*32 + 4*w.lanes*q})
				for p := range a {
					i := (p*w.vectors+q)*2 + two
					acc[i] = w.Into(vector.MatSigned, vector.I32, 0, a[p], b, acc[i])
				}
			}
		}
	}
	for row := range w.rows {
		for q := range w.vectors {
			i := (row/2*w.vectors + q) * 2
			list = append(list, w.Into([2]vector.Op{vector.Zip1, vector.Zip2}[row%2], vector.I32, 8, acc[i], acc[i+1]))
		}
	}
	return list
}
