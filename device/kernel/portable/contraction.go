package portable

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/dtype"
)

// contractionCode multiplies tile by tile; a unit is one tile of the result.
type contractionCode[T accumulator] struct {
	k            *kernel.Contraction
	rows, cols   int // tiles along M and N
	batches      int
	epilogue     *epilogue
	readA, readB func(p unsafe.Pointer, i int) T
	workers      sync.Pool
}

// worker is the memory of one goroutine.
type worker[T accumulator] struct {
	tile  tile[T]
	frame *frame
	index []int
}

func compileContraction(k *kernel.Contraction) kernel.Code {
	switch k.Acc {
	case dtype.F32:
		return contractionOf[float32](k)
	case dtype.F64:
		return contractionOf[float64](k)
	case dtype.I32:
		return contractionOf[int32](k)
	}
	return contractionOf[int64](k)
}

func contractionOf[T accumulator](k *kernel.Contraction) kernel.Code {
	loops := len(k.Batch) + 2
	c := &contractionCode[T]{
		k: k, rows: (k.M + tileRows - 1) / tileRows, cols: (k.N + tileCols - 1) / tileCols,
		batches:  product(k.Batch),
		epilogue: compileEpilogue(&k.Epilogue, 2, loops, loops-1, k.Acc),
		readA:    reader[T](k.A.DType), readB: reader[T](k.B.DType),
	}
	c.workers.New = func() any {
		return &worker[T]{frame: c.epilogue.frame(), index: make([]int, loops)}
	}
	return c
}

func (c *contractionCode[T]) Units() int { return c.batches * c.rows * c.cols }

func (c *contractionCode[T]) UnitNanos() float64 {
	return float64(min(c.k.M, tileRows)*min(c.k.N, tileCols)) *
		(0.4*float64(c.k.K) + bodyNanos(c.k.Epilogue.Body))
}

func (c *contractionCode[T]) Scratch() int    { return 0 }
func (c *contractionCode[T]) Close()          {}
func (c *contractionCode[T]) Listing() string { return "portable: 4×4 tiles\n" + c.k.String() }

func (c *contractionCode[T]) Run(args *kernel.Args, lo, hi int) {
	w := c.workers.Get().(*worker[T])
	w.frame.ports, w.frame.fault = args.Ptr, false
	for u := lo; u < hi; u++ {
		c.unit(w, args, u)
	}
	if w.frame.fault {
		args.Fault = 1
	}
	w.frame.ports = nil
	c.workers.Put(w)
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
		c.packA(w, args.Ptr[0], a+i0*c.k.A.Row+k0*c.k.A.Col, m, k)
		c.packB(w, args.Ptr[1], b+k0*c.k.B.Row+j0*c.k.B.Col, n, k)
		w.tile.multiply(m, n, k)
	}
	for i := range m {
		w.index[len(c.k.Batch)], w.index[len(c.k.Batch)+1] = i0+i, j0
		c.epilogue.run(w.frame, w.index, unsafe.Pointer(&w.tile.c[i*tileCols]), n)
	}
}

func (c *contractionCode[T]) packA(w *worker[T], p unsafe.Pointer, at, m, k int) {
	for i := range m {
		for x := range k {
			w.tile.setA(i, x, c.readA(p, at+i*c.k.A.Row+x*c.k.A.Col))
		}
	}
}

func (c *contractionCode[T]) packB(w *worker[T], p unsafe.Pointer, at, n, k int) {
	for x := range k {
		for j := range n {
			w.tile.setB(j, x, c.readB(p, at+x*c.k.B.Row+j*c.k.B.Col))
		}
	}
}
