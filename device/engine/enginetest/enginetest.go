package enginetest

import (
	"math/rand/v2"
	"slices"
)

// Points lists the indices of a shape in row-major order.
func Points(dims []int) [][]int {
	list := [][]int{{}}
	for _, n := range dims {
		var next [][]int
		for _, p := range list {
			for i := range n {
				next = append(next, append(slices.Clone(p), i))
			}
		}
		list = next
	}
	return list
}

// PlaceOf is the number of an index in a shape.
func PlaceOf(dims, index []int) int {
	n := 0
	for d, i := range index {
		n = n*dims[d] + i
	}
	return n
}

// Split writes n as a product of random factors.
func Split(r *rand.Rand, n int) []int {
	var dims []int
	for n > 1 {
		f := 1 + r.IntN(n)
		for n%f != 0 {
			f--
		}
		if f > 1 || r.IntN(8) == 0 {
			dims = append(dims, f)
			n /= f
		}
	}
	return dims
}
