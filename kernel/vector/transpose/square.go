package transpose

import "github.com/go-acap/acap/kernel/vector"

// partBytes is the length of a part: what every processor has vectors of.
const partBytes = 16

// Parts transposes squares of elements of size bytes in the parts of rows. There are as many rows as elements in a
// part: element j of a part of row i becomes element i of that part of column j.
func Parts(b *vector.Builder, rows []vector.Val, size int) []vector.Val {
	if size == partBytes {
		return rows
	}
	low, high := paired(b, vector.Zip1, vector.Zip2, rows, size)
	return append(append(b.Vals(len(rows))[:0], Parts(b, low, 2*size)...), Parts(b, high, 2*size)...)
}

// Square returns the columns of a square, of whose rows each is a vector: as many as there are lanes. The last row takes
// the place of rows that are not there.
func Square(b *vector.Builder, rows []vector.Val) (columns []vector.Val) {
	for len(rows) < b.Lanes() {
		rows = append(rows, rows[len(rows)-1])
	}
	size := rows[0].Kind.Size()
	each := partBytes / size
	of := len(rows) / each
	parts := b.Vals(len(rows)) // elements of a column of parts side by side
	for row := range of {
		for n, v := range Parts(b, rows[row*each:][:each], size) {
			parts[n*of+row] = v
		}
	}
	columns = b.Vals(len(rows))
	for n := range each {
		for part, v := range wholes(b, parts[n*of:][:of]) {
			columns[part*each+n] = v
		}
	}
	return columns
}

// wholes transposes a square of parts.
func wholes(b *vector.Builder, rows []vector.Val) (columns []vector.Val) {
	if len(rows) == 1 {
		return rows
	}
	even, odd := paired(b, vector.Unzip1, vector.Unzip2, rows, partBytes)
	even, odd = wholes(b, even), wholes(b, odd)
	columns = b.Vals(len(rows))[:0]
	for n := range even {
		columns = append(columns, even[n], odd[n])
	}
	return columns
}

// paired applies two operations on elements of size bytes to neighbours.
func paired(b *vector.Builder, first, second vector.Op, rows []vector.Val, size int) (x, y []vector.Val) {
	out, half := b.Vals(len(rows)), len(rows)/2
	x, y = out[:0:half], out[half:half]
	for n := 0; n < len(rows); n += 2 {
		x = append(x, b.Into(first, rows[n].Kind, size, rows[n], rows[n+1]))
		y = append(y, b.Into(second, rows[n].Kind, size, rows[n], rows[n+1]))
	}
	return x, y
}
