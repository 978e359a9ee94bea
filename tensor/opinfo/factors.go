package opinfo

import (
	"math"
	"strings"

	"github.com/go-acap/acap/ops"
)

// isLU judges a factorization with partial pivoting: row i was exchanged with row
// pivots[i], counted from 1, and L·U is what then was self, or its transpose.
func (a *answer) isLU() bool {
	first := a.result
	if ops.Lookup(a.op.Op).Parsed().Returns[first].Name == "pivots" {
		first--
	}
	self, lu, pivots := a.self(), a.other(first), a.other(first+1)
	if self == nil || lu == nil || pivots == nil || len(lu.Shape) < 2 || lu.Len() != self.Len() {
		return false
	}
	n := lu.Shape[len(lu.Shape)-1]
	for m := range lu.Len() / max(n*n, 1) {
		at := func(i, j int) float64 { return lu.Float64(m*n*n + i*n + j) }
		product := triangles(n, at)
		for i := n - 1; i >= 0; i-- {
			p := int(pivots.Int64(m*n+i)) - 1
			if p < i || p >= n {
				return false
			}
			product[i], product[p] = product[p], product[i]
		}
		straight, turned := true, true
		for i, row := range product {
			for j, v := range row {
				straight = straight && near(v, self.Float64(m*n*n+i*n+j), 1e-5)
				turned = turned && near(v, self.Float64(m*n*n+j*n+i), 1e-5)
			}
		}
		if !straight && !turned {
			return false
		}
	}
	return true
}

// triangles multiplies the lower triangle of a matrix, with a diagonal of ones, with its upper triangle.
func triangles(n int, at func(i, j int) float64) [][]float64 {
	product := make([][]float64, n)
	for i := range product {
		product[i] = make([]float64, n)
		for j := range n {
			for k := range min(i, j+1) {
				product[i][j] += at(i, k) * at(k, j)
			}
			if i <= j {
				product[i][j] += at(i, j)
			}
		}
	}
	return product
}

// isNaN judges the places of maxima: those that differ from the expected ones both name
// NaNs of the same plane.
func (a *answer) isNaN() bool {
	self := a.self()
	if self == nil || len(a.got.Shape) == 0 || len(self.Shape) != len(a.got.Shape) {
		return false
	}
	name := a.op.Op
	spatial := int(name[strings.Index(name, "pool")+len("pool")] - '0')
	in, out := 1, 1
	for d := len(self.Shape) - spatial; d < len(self.Shape); d++ {
		in, out = in*self.Shape[d], out*a.got.Shape[d]
	}
	for i := range a.got.Len() {
		g, w := int(a.got.Int64(i)), int(a.want.Int64(i))
		if g == w {
			continue
		}
		if plane := i / out * in; g < 0 || g >= in || w < 0 || w >= in ||
			!math.IsNaN(self.Float64(plane+g)) || !math.IsNaN(self.Float64(plane+w)) {
			return false
		}
	}
	return true
}

func near(x, y, tolerance float64) bool { return math.Abs(x-y) <= tolerance*(1+math.Abs(y)) }
