package portable

import (
	"sync"

	"github.com/go-acap/acap/kernel"
)

// The product of two packed panels. A panel of A has tileRows rows of depth
// values each, interleaved by four; a panel of B has tileCols columns likewise.
const (
	tileRows = 64
	tileCols = 64
	depth    = 256
)

// tiled is the part of a code that makes its result tile by tile; a unit is one tile.
type tiled[T accumulator] struct {
	rows, cols int  // in tiles
	fixed      bool // sums are in order, see fixed.go
	epilogue   *epilogue
	unit       func(w *worker[T], args *kernel.Args, u int)
	workers    sync.Pool // of *worker[T]
}

// worker is the memory of one goroutine.
type worker[T accumulator] struct {
	tile  tile[T]
	row   [depth]T // of an operand, as it is read
	frame *frame
	index []int // of the epilogue's loops
}

// init sets up a result of so many rows and columns of elements.
func (t *tiled[T]) init(rows, cols int, e *epilogue, unit func(w *worker[T], args *kernel.Args, u int)) {
	t.rows, t.cols = (rows+tileRows-1)/tileRows, (cols+tileCols-1)/tileCols
	t.epilogue, t.unit = e, unit
	t.workers.New = func() any { return &worker[T]{frame: e.frame(), index: make([]int, e.loops)} }
}

func (t *tiled[T]) Scratch() int { return 0 }
func (t *tiled[T]) Close()       {}

func (t *tiled[T]) Run(args *kernel.Args, lo, hi int) {
	w := t.workers.Get().(*worker[T])
	w.frame.ports, w.frame.fault = args.Ptr, false
	for u := lo; u < hi; u++ {
		t.unit(w, args, u)
	}
	if w.frame.fault {
		args.Fault = 1
	}
	w.frame.ports = nil
	t.workers.Put(w)
}

// accumulator is the type in which products are summed.
type accumulator interface {
	int32 | int64 | float32 | float64
}

// tile is the working memory of one contraction tile: c += a·b.
type tile[T accumulator] struct {
	a [tileRows * depth]T // a[i/4][k][i%4]
	b [tileCols * depth]T // b[j/4][k][j%4]
	c [tileRows * tileCols]T
}

func (t *tile[T]) setA(i, k int, v T) { t.a[(i>>2)*4*depth+k*4+i&3] = v }
func (t *tile[T]) setB(j, k int, v T) { t.b[(j>>2)*4*depth+k*4+j&3] = v }

func (t *tile[T]) getA(i, k int) T { return t.a[(i>>2)*4*depth+k*4+i&3] }
func (t *tile[T]) getB(j, k int) T { return t.b[(j>>2)*4*depth+k*4+j&3] }

// multiply adds the product of rows m, columns n and depth k to c.
func (t *tile[T]) multiply(m, n, k int) {
	for i := 0; i < m; i += 4 {
		a := t.a[i*depth : i*depth+4*k]
		for j := 0; j < n; j += 4 {
			multiply4x4(t.c[i*tileCols+j:], a, t.b[j*depth:j*depth+4*k])
		}
	}
}

// multiply4x4 keeps half of a 4×4 tile at a time, for the registers' sake.
func multiply4x4[T accumulator](c, a, b []T) {
	for half := 0; half < 4; half += 2 {
		var c00, c01, c02, c03, c10, c11, c12, c13 T
		for k := 0; k+4 <= len(a) && k+4 <= len(b); k += 4 {
			p, q := a[k:k+4:k+4], b[k:k+4:k+4]
			x, y := p[half&3], p[(half+1)&3]
			c00 += x * q[0]
			c01 += x * q[1]
			c02 += x * q[2]
			c03 += x * q[3]
			c10 += y * q[0]
			c11 += y * q[1]
			c12 += y * q[2]
			c13 += y * q[3]
		}
		r := c[half*tileCols : half*tileCols+4]
		r[0] += c00
		r[1] += c01
		r[2] += c02
		r[3] += c03
		r = c[(half+1)*tileCols : (half+1)*tileCols+4]
		r[0] += c10
		r[1] += c11
		r[2] += c12
		r[3] += c13
	}
}
