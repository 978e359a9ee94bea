package tiles

import "github.com/go-acap/acap/kernel/vector"

// sumRows is how many rows of vectors of sums some rows have.
func (w *writer) sumRows(rows int) int {
	if w.Squares() {
		return rows + rows%2
	}
	return rows
}

// cells reads the vector of A that has a row, n steps behind the address.
func (i *inner) cells(s state, n, row int) vector.Val {
	return i.Load(i.load(), s[stateA], vector.Access{Offset: n*i.AStep + row/i.Side(i.Lanes())*i.vectorBytes()})
}

// byLanes adds the products of columns with the lanes of A's vectors.
func (i *inner) byLanes(s state, n int) {
	var rows []vector.Val
	side := i.Side(i.Lanes())
	for row := 0; row < i.height; row += side {
		rows = append(rows, i.cells(s, n, row))
	}
	for r := range i.height {
		for j, y := range i.row {
			sum := i.sums[r*i.Vectors+j]
			i.Set(sum, i.Multiply.Op, r%side, y, rows[r/side], sum)
		}
	}
}

// squares adds the products of columns with pairs of rows, whose vectors are read one by one: registers hold the sums,
// the columns and little more.
func (i *inner) squares(s state, n int) {
	for r := 0; r < i.height; r += 2 {
		x := i.cells(s, n, r)
		for j, y := range i.row {
			first, second := x, y
			if i.ColumnsFirst {
				first, second = y, x
			}
			sum := i.sums[r*i.Vectors+j]
			i.Set(sum, i.Multiply.Op, 0, first, second, sum)
		}
	}
}

// straight makes rows of squares: a row has a half of each of two vectors side by side.
func (w *writer) straight(sums []vector.Val, rows int) []vector.Val {
	out := make([]vector.Val, 0, len(sums))
	for r := range rows {
		for j := range w.Vectors {
			left, right := sums[r&^1*w.Vectors+2*j], sums[r&^1*w.Vectors+2*j+1]
			op, bytes := [2]vector.Op{vector.Zip1, vector.Zip2}[r%2], 2*w.Kind.Size()
			if w.ColumnsFirst {
				op, bytes = [2]vector.Op{vector.Unzip1, vector.Unzip2}[r%2], w.Kind.Size()
			}
			out = append(out, w.Into(op, w.Kind, bytes, left, right))
		}
	}
	return out
}
