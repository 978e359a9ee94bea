package portable

import (
	"sync"

	"github.com/go-acap/acap/kernel"
)

// The product of two packed panels. A panel of A has tileRows rows of depth
// values each, interleaved by two; a panel of B has tileCols columns, interleaved by four.
const (
	tileRows = 64
	tileCols = 64
	depth    = 256
)

// tiled is the part of a code that makes its result tile by tile; a unit is one tile.
type tiled[T accumulator] struct {
	described
	rows, cols int  // in tiles
	fixed      bool // sums are in order, see fixed.go
	narrow     bool // two sums are one number, see pairs.go
	epilogue   *epilogue
	unit       func(w *worker[T], args *kernel.Args, u int)
	workers    sync.Pool // of *worker[T]
}

// worker is the memory of one goroutine.
type worker[T accumulator] struct {
	tile     tile[T]
	row      [depth]T // of an operand, as it is read
	frame    *frame
	index    []int            // of the epilogue's loops
	winograd *winogradWork[T] // of units that need it
}

// init sets up a result of rows by cols elements.
func (t *tiled[T]) init(rows, cols int, e *epilogue, unit func(w *worker[T], args *kernel.Args, u int)) {
	t.rows, t.cols = (rows+tileRows-1)/tileRows, (cols+tileCols-1)/tileCols
	t.epilogue, t.unit = e, unit
	t.workers.New = func() any { return &worker[T]{frame: e.frame(), index: make([]int, e.loops)} }
}

func (t *tiled[T]) Run(args *kernel.Args, lo, hi int) {
	w := t.workers.Get().(*worker[T])
	w.frame.begin(args)
	for u := lo; u < hi; u++ {
		t.unit(w, args, u)
	}
	w.frame.end(args)
	t.workers.Put(w)
}

// accumulator is the type in which products are summed.
type accumulator interface {
	int32 | int64 | float32 | float64
}

// tile is the working memory of one contraction tile: c += a·b.
type tile[T accumulator] struct {
	a [tileRows * depth]T // a[i/2][k][i%2]
	b [tileCols * depth]T // b[j/4][k][j%4]
	c [tileRows * tileCols]T
}

func (t *tile[T]) setA(i, k int, v T) { t.a[(i>>1)*2*depth+k*2+i&1] = v }
func (t *tile[T]) setB(j, k int, v T) { t.b[(j>>2)*4*depth+k*4+j&3] = v }

func (t *tile[T]) getA(i, k int) T { return t.a[(i>>1)*2*depth+k*2+i&1] }
func (t *tile[T]) getB(j, k int) T { return t.b[(j>>2)*4*depth+k*4+j&3] }

// extents are the rows, the columns and the depth of a product.
type extents struct{ m, n, k int }

// multiply adds a product to c.
func (t *tile[T]) multiply(e extents) { multiply(t.c[:], t.a[:], t.b[:], e, depth) }

// multiply adds a product of panels to c. A row or column of a panel takes room elements.
func multiply[T accumulator](c, a, b []T, e extents, room int) {
	for i := 0; i < e.m; i += 2 {
		rows := a[i*room : i*room+2*e.k]
		for j := 0; j < e.n; j += 4 {
			multiply2x4(c[i*tileCols+j:], rows, b[j*room:j*room+4*e.k])
		}
	}
}

// multiply2x4 adds products of two rows with four columns. Sums and a row and a column of elements are what registers
// hold; four steps of the depth in a turn, at places that are known, take a third less time than one.
func multiply2x4[T accumulator](c, a, b []T) {
	var c00, c01, c02, c03, c10, c11, c12, c13 T
	for len(a) >= 8 && len(b) >= 16 {
		p, q := (*[8]T)(a), (*[16]T)(b)
		x, y := p[0], p[1]
		c00, c10 = c00+x*q[0], c10+y*q[0]
		c01, c11 = c01+x*q[1], c11+y*q[1]
		c02, c12 = c02+x*q[2], c12+y*q[2]
		c03, c13 = c03+x*q[3], c13+y*q[3]
		x, y = p[2], p[3]
		c00, c10 = c00+x*q[4], c10+y*q[4]
		c01, c11 = c01+x*q[5], c11+y*q[5]
		c02, c12 = c02+x*q[6], c12+y*q[6]
		c03, c13 = c03+x*q[7], c13+y*q[7]
		x, y = p[4], p[5]
		c00, c10 = c00+x*q[8], c10+y*q[8]
		c01, c11 = c01+x*q[9], c11+y*q[9]
		c02, c12 = c02+x*q[10], c12+y*q[10]
		c03, c13 = c03+x*q[11], c13+y*q[11]
		x, y = p[6], p[7]
		c00, c10 = c00+x*q[12], c10+y*q[12]
		c01, c11 = c01+x*q[13], c11+y*q[13]
		c02, c12 = c02+x*q[14], c12+y*q[14]
		c03, c13 = c03+x*q[15], c13+y*q[15]
		a, b = a[8:], b[16:]
	}
	for len(a) >= 2 && len(b) >= 4 {
		x, y, q := a[0], a[1], (*[4]T)(b)
		c00, c10 = c00+x*q[0], c10+y*q[0]
		c01, c11 = c01+x*q[1], c11+y*q[1]
		c02, c12 = c02+x*q[2], c12+y*q[2]
		c03, c13 = c03+x*q[3], c13+y*q[3]
		a, b = a[2:], b[4:]
	}
	r, q := c[:4], c[tileCols:tileCols+4]
	r[0], r[1], r[2], r[3] = r[0]+c00, r[1]+c01, r[2]+c02, r[3]+c03
	q[0], q[1], q[2], q[3] = q[0]+c10, q[1]+c11, q[2]+c12, q[3]+c13
}
