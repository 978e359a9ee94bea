package taps

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// tile is what the code of tiles depends on.
type tile struct {
	kind       vector.Kind // of the sums, and of what is multiplied
	rows, cols int         // of a whole tile: filters and pixels
	lastRows   int         // of the last one, 0 if all are whole
	lastCols   int
	depth      int // steps of the sum
}

// newTile chooses the tile for element types, and the type of the elements of panels.
func newTile(x, filter, acc dtype.DType) (t *tile, panel dtype.DType, err error) {
	wide := func(d dtype.DType) bool { return d == dtype.F64 || d == dtype.I64 }
	integers := !x.IsFloat() && !filter.IsFloat()
	switch {
	case acc == dtype.F32 && !wide(x) && !wide(filter):
		return &tile{kind: vector.F32, rows: 8, cols: 12}, acc, nil
	case acc == dtype.F64:
		return &tile{kind: vector.F64, rows: 6, cols: 8}, acc, nil
	case acc == dtype.I64 && integers:
		return &tile{kind: vector.I64, rows: 4, cols: 4}, acc, nil
	case acc == dtype.I32 && integers:
		return &tile{kind: vector.I32, rows: 8, cols: 12}, acc, nil
	}
	return nil, 0, kernel.ErrUnsupported
}

// unrolled is how many steps of a sum one turn of its loop does.
const unrolled = 4

// vectors is how many vectors hold so many elements.
func vectors(b *vector.Builder, n int) int { return (n + b.Lanes() - 1) / b.Lanes() }

// inUse is how many lanes of the vector from element first on hold one of n elements, 0 for all lanes.
func inUse(b *vector.Builder, first, n int) int {
	if n-first < b.Lanes() {
		return n - first
	}
	return 0
}

// zeros writes sums to begin with: vectors of pixels, filter by filter.
func (t *tile) zeros(b *vector.Builder, rows, cols int) []vector.Val {
	acc := make([]vector.Val, rows*vectors(b, cols))
	for i := range acc {
		acc[i] = b.Bits(t.kind, 0)
	}
	return acc
}

// load reads n elements, from element first on behind an address.
func (t *tile) load(b *vector.Builder, at vector.Val, n, first int) (list []vector.Val) {
	for i := 0; i < n; i += b.Lanes() {
		list = append(list, b.Load(t.kind, at, vector.Access{Offset: (first + i) * t.kind.Size(), Count: inUse(b, i, n)}))
	}
	return list
}

// add writes the sums plus the products of pixels with the elements that factors have, one for each filter.
func (t *tile) add(b *vector.Builder, pixels, factors, acc []vector.Val) []vector.Val {
	out := make([]vector.Val, len(acc))
	for n := range acc {
		i, j := n/len(pixels), n%len(pixels)
		out[n] = b.Into(vector.LaneMul, t.kind, i%b.Lanes(), pixels[j], factors[i/b.Lanes()], acc[n])
	}
	return out
}

// store writes the sums to results that are so many bytes apart, between filters and between pixels.
func (t *tile) store(b *vector.Builder, acc []vector.Val, out vector.Val, cols, row, col int) {
	across := vectors(b, cols)
	for n, v := range acc {
		first := n % across * b.Lanes()
		a := vector.Access{Offset: first * col, Count: inUse(b, first, cols)}
		if col != t.kind.Size() {
			a.Stride = col
		}
		b.Store(v, b.Offset(out, n/across*row), a)
	}
}
