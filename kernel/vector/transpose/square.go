package transpose

import "github.com/go-acap/acap/kernel/vector"

// group is the bytes of a vector in which zips place elements. Such groups then change places as wholes.
const group = 16

// Square returns the columns of a square, of whose rows each is a vector: as many as there are lanes.
func Square(b *vector.Builder, rows []vector.Val) []vector.Val {
	size := rows[0].Kind.Size()
	each := group / size // elements
	list := rows
	for width := 1; width < each; width *= 2 { // of the rows that stand in turn
		next := make([]vector.Val, len(list))
		for i := range list {
			if i/width%2 > 0 {
				continue
			}
			first := i/(2*width)*2*width + 2*(i%width)
			next[first] = b.OpImm(vector.Zip1, width*size, list[i], list[i+width])
			next[first+1] = b.OpImm(vector.Zip2, width*size, list[i], list[i+width])
		}
		list = next
	}
	// Vector each·g + c holds column each·l + c of the rows of group g, in group l.
	columns := make([]vector.Val, len(rows))
	for c := range each {
		var one []vector.Val
		for g := 0; g < len(rows); g += each {
			one = append(one, list[g+c])
		}
		for l, v := range groups(b, one) {
			columns[each*l+c] = v
		}
	}
	return columns
}

// groups transposes a square of groups.
func groups(b *vector.Builder, rows []vector.Val) []vector.Val {
	if len(rows) == 1 {
		return rows
	}
	var even, odd []vector.Val
	for i := 0; i < len(rows); i += 2 {
		even = append(even, b.OpImm(vector.Unzip1, group, rows[i], rows[i+1]))
		odd = append(odd, b.OpImm(vector.Unzip2, group, rows[i], rows[i+1]))
	}
	even, odd = groups(b, even), groups(b, odd)
	out := make([]vector.Val, len(rows))
	for i := range even {
		out[2*i], out[2*i+1] = even[i], odd[i]
	}
	return out
}
