package portable

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// fewFilters are filters of a group that do not fill the rows of a tile, as those of a depthwise convolution.
const fewFilters = 4

// rowsCode convolves row by row: each row of the result is a sum of shifted rows of the image. It packs
// nothing, and leaves out what lies outside the image. A unit is some rows of one filter's result.
type rowsCode[T accumulator] struct {
	k           *kernel.Convolution
	rows, units int // of a unit; of a filter
	readX       func(dst []T, p unsafe.Pointer, i, stride int)
	readW       func(p unsafe.Pointer, i int) T
	epilogue    *epilogue
	workers     sync.Pool // of *rowsWorker[T]
}

// rowsWorker is the memory of one goroutine.
type rowsWorker[T accumulator] struct {
	image, sums []T // a row of each
	frame       *frame
	index       [4]int
}

// rowsWork is about how many products a unit has.
const rowsWork = 50e3

func rowsOf[T accumulator](k *kernel.Convolution) kernel.Code {
	c := &rowsCode[T]{k: k, readX: runReader[T](k.X.DType), readW: reader[T](k.Filter.DType),
		epilogue: compileEpilogue(&k.Epilogue, 2, 4, 3, k.Acc)}
	c.rows = max(1, min(k.P, int(rowsWork/c.rowProducts())))
	c.units = (k.P + c.rows - 1) / c.rows
	c.workers.New = func() any {
		return &rowsWorker[T]{image: make([]T, k.W), sums: make([]T, k.Q), frame: c.epilogue.frame()}
	}
	return c
}

// rowProducts is the number of products in a row of the result.
func (c *rowsCode[T]) rowProducts() float64 {
	return float64(max(1, c.k.Q)) * float64(max(1, c.k.C/c.k.Groups*c.k.R*c.k.S))
}

func (c *rowsCode[T]) Units() int { return c.k.N * c.k.K * c.units }

func (c *rowsCode[T]) UnitNanos() float64 {
	return float64(c.rows) * (0.6*c.rowProducts() + bodyNanos(c.k.Epilogue.Body)*float64(c.k.Q))
}

func (c *rowsCode[T]) Scratch() int    { return 0 }
func (c *rowsCode[T]) Close()          {}
func (c *rowsCode[T]) Listing() string { return "portable: rows\n" + c.k.String() }

func (c *rowsCode[T]) Run(args *kernel.Args, lo, hi int) {
	w := c.workers.Get().(*rowsWorker[T])
	w.frame.ports, w.frame.fault = args.Ptr, false
	for u := lo; u < hi; u++ {
		first := u % c.units * c.rows
		for p := first; p < min(first+c.rows, c.k.P); p++ {
			c.row(w, args, u/c.units/c.k.K, u/c.units%c.k.K, p)
		}
	}
	if w.frame.fault {
		args.Fault = 1
	}
	w.frame.ports = nil
	c.workers.Put(w)
}

// row computes row p of a filter's result.
func (c *rowsCode[T]) row(w *rowsWorker[T], args *kernel.Args, image, filter, p int) {
	k, x, f := c.k, c.k.X.Strides, c.k.Filter.Strides
	depth := k.C / k.Groups
	group := filter / (k.K / k.Groups)
	clear(w.sums)
	for ch := range depth {
		for r := range k.R {
			y := p*k.Stride[0] + r*k.Dilation[0] - k.Pad[0]
			if uint(y) >= uint(k.H) {
				continue
			}
			at := k.X.Offset + image*x[0] + (group*depth+ch)*x[1] + y*x[2]
			c.readX(w.image, args.Ptr[0], at, x[3])
			weights := k.Filter.Offset + filter*f[0] + ch*f[1] + r*f[2]
			for s := range k.S {
				c.addShifted(w, c.readW(args.Ptr[1], weights+s*f[3]), s*k.Dilation[1]-k.Pad[1])
			}
		}
	}
	w.index = [4]int{image, filter, p, 0}
	if k.Q > 0 {
		c.epilogue.run(w.frame, w.index[:], unsafe.Pointer(&w.sums[0]), k.Q)
	}
}

// addShifted adds the products of a weight with the row of the image from column first on, as far as it goes.
func (c *rowsCode[T]) addShifted(w *rowsWorker[T], weight T, first int) {
	step := c.k.Stride[1]
	q := 0
	if first < 0 {
		q = (-first + step - 1) / step
	}
	if q >= len(w.sums) || first+q*step >= len(w.image) {
		return
	}
	image := w.image[first+q*step:]
	sums := w.sums[q:min(len(w.sums), q+(len(image)-1)/step+1)]
	if step == 1 {
		image = image[:len(sums)]
		for i, x := range image {
			sums[i] += weight * x
		}
		return
	}
	for i := range sums {
		sums[i] += weight * image[i*step]
	}
}
