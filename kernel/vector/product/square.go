package product

import "github.com/go-acap/acap/kernel/vector"

// A square is the sums of two rows by two columns in one vector.

// addSquares writes the squares plus the products of columns with rows, from element first of a panel on. A vector of rows
// is read where it is needed: registers hold the sums, the columns and little more.
func (t *tile) addSquares(b *vector.Builder, columns []vector.Val, at vector.Val, rows, first int, acc []vector.Val) (out []vector.Val) {
	for i := 0; i < rows; i += 2 {
		x := t.load(b, at, min(2, rows-i), first+i)[0]
		for _, y := range columns {
			if t.across {
				out = append(out, b.Into(t.op, t.kind, 0, y, x, acc[len(out)]))
				continue
			}
			out = append(out, b.Into(t.op, t.kind, 0, x, y, acc[len(out)]))
		}
	}
	return out
}

// straight makes vectors of columns, row by row, of squares.
func (t *tile) straight(b *vector.Builder, acc []vector.Val, rows, cols int) []vector.Val {
	across := (cols + 1) / 2
	var out []vector.Val
	for i := range rows {
		for j := 0; j < across; j += 2 {
			left := acc[i/2*across+j]
			right := left // beside which there is none
			if j+1 < across {
				right = acc[i/2*across+j+1]
			}
			op, bytes := vector.Zip1, 2*t.kind.Size()
			switch {
			case t.across && i%2 == 0:
				op, bytes = vector.Unzip1, t.kind.Size()
			case t.across:
				op, bytes = vector.Unzip2, t.kind.Size()
			case i%2 == 1:
				op = vector.Zip2
			}
			out = append(out, b.Into(op, t.kind, bytes, left, right))
		}
	}
	return out
}
