package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
)

// contractionCode multiplies tile by tile.
type contractionCode[T accumulator] struct {
	tiled[T]     // along M and N
	k            *kernel.Contraction
	batches      int
	readA, readB reader[T]
}

func init() {
	register(func(k *kernel.Contraction, fixed bool) kernel.Code { return contractions[k.Acc](k, fixed) })
}

// contractions prepare contractions by the type of the sums.
var contractions = map[dtype.DType]func(k *kernel.Contraction, fixed bool) kernel.Code{dtype.F32: contractionOf[float32],
	dtype.F64: contractionOf[float64], dtype.I32: contractionOf[int32], dtype.I64: contractionOf[int64]}

func contractionOf[T accumulator](k *kernel.Contraction, fixed bool) kernel.Code {
	loops := len(k.Batch) + 2
	c := &contractionCode[T]{k: k, batches: shape.Size(k.Batch), readA: readerOf[T](k.A.DType), readB: readerOf[T](k.B.DType)}
	if k.B.Stored() {
		c.readB = blockReader[T](&k.B)
	}
	if k.Rounded {
		c.readA = roundingReader(c.readA)
	}
	c.fixed, c.narrow, c.described = fixed, narrow(k.A.DType, k.B.DType, k.Acc), described{how: "2×4 tiles", kernel: k}
	c.tiled.init(k.M, k.N, compileEpilogue(&k.Epilogue, 2, loops, loops-1, k.Acc), c.unit)
	return c
}

func (c *contractionCode[T]) Units() int { return c.batches * c.rows * c.cols }

func (c *contractionCode[T]) UnitNanos() float64 {
	return float64(min(c.k.M, tileRows)*min(c.k.N, tileCols)) * (0.4*float64(c.k.K) + bodyNanos(c.k.Epilogue.Body))
}

func (c *contractionCode[T]) unit(w *worker[T], args *kernel.Args, u int) {
	j0 := u % c.cols * tileCols
	u /= c.cols
	i0 := u % c.rows * tileRows
	u /= c.rows
	a, b := c.k.A.Offset, c.k.B.Offset
	for l := len(c.k.Batch) - 1; l >= 0; l-- {
		x := u % c.k.Batch[l]
		u /= c.k.Batch[l]
		w.index[l] = x
		a += x * c.k.A.Batch[l]
		b += x * c.k.B.Batch[l]
	}
	m, n := min(c.k.M-i0, tileRows), min(c.k.N-j0, tileCols)
	clear(w.tile.c[:])
	for k0 := 0; k0 < c.k.K; k0 += depth {
		k := min(c.k.K-k0, depth)
		atA, atB := a+i0*c.k.A.Row+k0*c.k.A.Col, b+c.deep(k0)+j0*c.k.B.Col
		if (m == 1 || n == 1) && !c.fixed {
			c.vector(w, args, atA, atB, m, n, k)
			continue
		}
		c.packA(w, args.Ptr[0], atA, m, k)
		c.packB(w, args.Ptr[1], atB, n, k)
		c.multiply(&w.tile, m, n, k)
	}
	for i := range m {
		w.index[len(c.k.Batch)], w.index[len(c.k.Batch)+1] = i0+i, j0
		c.epilogue.run(w.frame, w.index, unsafe.Pointer(&w.tile.c[i*tileCols]), n)
	}
}

func (c *contractionCode[T]) packA(w *worker[T], p unsafe.Pointer, at, m, k int) {
	row := w.row[:k]
	for i := range m {
		c.readA(row, p, at+i*c.k.A.Row, c.k.A.Col)
		for x, v := range row {
			w.tile.setA(i, x, v)
		}
	}
}

// packB reads B along its rows or its columns, whichever lie.
func (c *contractionCode[T]) packB(w *worker[T], p unsafe.Pointer, at, n, k int) {
	if c.k.B.Row == 1 || c.k.B.Stored() {
		row := w.row[:k]
		for j := range n {
			c.readB(row, p, at+j*c.k.B.Col, 1)
			for x, v := range row {
				w.tile.setB(j, x, v)
			}
		}
		return
	}
	row := w.row[:n]
	for x := range k {
		c.readB(row, p, at+x*c.k.B.Row, c.k.B.Col)
		for j, v := range row {
			w.tile.setB(j, x, v)
		}
	}
}

// deep is how far element k of B lies behind the first along the depth. Parts of the sum are whole blocks.
func (c *contractionCode[T]) deep(k int) int {
	if c.k.B.Stored() {
		return k / c.k.B.Format.Block() * c.k.B.Row
	}
	return k * c.k.B.Row
}
