package portable

import (
	"sync"

	"github.com/go-acap/acap/base/dtype"
)

// narrow reports whether operands are bytes and sums whole numbers. Then a number of f64 holds two: x + 2²⁶·y times z is
// x·z + 2²⁶·(y·z), sums of a tile's products are at most 2²⁴, and nothing is rounded below 2⁵³.
func narrow(a, b, sum dtype.DType) bool {
	return a.IsInt() && b.IsInt() && sum.IsInt() && a.Size()+b.Size() == 2
}

const pairBits = 26

// pairs are tiles whose rows are two rows of another.
var pairs = sync.Pool{New: func() any { return new(tile[float64]) }}

// multiplyPairs adds a product of bytes to c.
func (t *tile[T]) multiplyPairs(e extents) {
	p := pairs.Get().(*tile[float64])
	for i := 0; i < e.m; i += 2 {
		for x := range e.k {
			p.setA(i/2, x, float64(t.getA(i, x))+float64(t.getA(i+1, x))*(1<<pairBits))
		}
	}
	for j := range e.n {
		for x := range e.k {
			p.setB(j, x, float64(t.getB(j, x)))
		}
	}
	clear(p.c[:])
	p.multiply(extents{(e.m + 1) / 2, e.n, e.k})
	for i := 0; i < e.m; i += 2 {
		for j := range e.n {
			both := int64(p.c[i/2*tileCols+j])
			high := (both + 1<<(pairBits-1)) >> pairBits
			t.c[i*tileCols+j] += T(both - high<<pairBits)
			t.c[(i+1)*tileCols+j] += T(high)
		}
	}
	pairs.Put(p)
}
