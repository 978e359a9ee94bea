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
	p := part{extents: extents{m: min(c.k.M-i0, tileRows), n: min(c.k.N-j0, tileCols)}}
	clear(w.tile.c[:])
	for k0 := 0; k0 < c.k.K; k0 += depth {
		p.k = min(c.k.K-k0, depth)
		p.a, p.b = a+i0*c.k.A.Row+k0*c.k.A.Col, b+c.deep(k0)+j0*c.k.B.Col
		if (p.m == 1 || p.n == 1) && !c.fixed {
			c.vector(w, args, p)
			continue
		}
		c.packA(w, args.Ptr[0], p)
		c.packB(w, args.Ptr[1], p)
		c.multiply(&w.tile, p.extents)
	}
	for i := range p.m {
		w.index[len(c.k.Batch)], w.index[len(c.k.Batch)+1] = i0+i, j0
		c.epilogue.run(w.frame, w.index, unsafe.Pointer(&w.tile.c[i*tileCols]), p.n)
	}
}

// part is a part of the product of a tile: the first elements of A and of B, and its extents.
type part struct {
	a, b int
	extents
}

func (c *contractionCode[T]) packA(w *worker[T], ptr unsafe.Pointer, p part) {
	row := w.row[:p.k]
	for i := range p.m {
		c.readA(row, ptr, p.a+i*c.k.A.Row, c.k.A.Col)
		for x, v := range row {
			w.tile.setA(i, x, v)
		}
	}
}

// packB reads B along its rows or its columns, whichever lie.
func (c *contractionCode[T]) packB(w *worker[T], ptr unsafe.Pointer, p part) {
	if c.k.B.Row == 1 || c.k.B.Stored() {
		row := w.row[:p.k]
		for j := range p.n {
			c.readB(row, ptr, p.b+j*c.k.B.Col, 1)
			for x, v := range row {
				w.tile.setB(j, x, v)
			}
		}
		return
	}
	row := w.row[:p.n]
	for x := range p.k {
		c.readB(row, ptr, p.b+x*c.k.B.Row, c.k.B.Col)
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
