package portable

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// fewFilters are filters of a group that do not fill the rows of a tile, as in a depthwise convolution.
const fewFilters = 4

// rowsCode convolves row by row: each row of the result is a sum of shifted rows of the image. It packs
// nothing, and leaves out what lies outside the image. A unit is some rows of one filter's result.
type rowsCode[T accumulator] struct {
	described
	k           *kernel.Convolution
	rows, units int // of a unit; of a filter
	readX       reader[T]
	inPlace     bool // rows of the image are read where they lie
	readW       reader[T]
	epilogue    *epilogue
	workers     sync.Pool // of *rowsWorker[T]
}

// rowsWorker is the memory of one goroutine.
type rowsWorker[T accumulator] struct {
	image, sums []T // a row of each
	filter      []T // all taps, by channels and rows
	frame       *frame
	index       [4]int
}

// rowsWork is about how many products a unit has.
const rowsWork = 50e3

func rowsOf[T accumulator](k *kernel.Convolution) kernel.Code {
	c := &rowsCode[T]{described: described{how: "rows", kernel: k}, k: k, readX: readerOf[T](k.X.DType), readW: readerOf[T](k.Filter.DType),
		epilogue: compileEpilogue(&k.Epilogue, 2, 4, 3, k.Acc)}
	c.inPlace = k.X.DType == k.Acc && k.X.Strides[3] == 1
	c.rows = max(1, min(k.P, int(rowsWork/c.rowProducts())))
	c.units = (k.P + c.rows - 1) / c.rows
	c.workers.New = func() any {
		return &rowsWorker[T]{image: make([]T, k.W), sums: make([]T, k.Q), filter: make([]T, k.C/k.Groups*k.R*k.S), frame: c.epilogue.frame()}
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

func (c *rowsCode[T]) Run(args *kernel.Args, lo, hi int) {
	w := c.workers.Get().(*rowsWorker[T])
	w.frame.begin(args)
	for u := lo; u < hi; u++ {
		first, filter := u%c.units*c.rows, u/c.units%c.k.K
		c.readFilter(w, args.Ptr[1], filter)
		for p := first; p < min(first+c.rows, c.k.P); p++ {
			c.row(w, args, u/c.units/c.k.K, filter, p)
		}
	}
	w.frame.end(args)
	c.workers.Put(w)
}

// readFilter reads the taps of a filter.
func (c *rowsCode[T]) readFilter(w *rowsWorker[T], p unsafe.Pointer, filter int) {
	k, f := c.k, c.k.Filter.Strides
	for row := range len(w.filter) / max(1, k.S) {
		c.readW(w.filter[row*k.S:][:k.S], p, k.Filter.Offset+filter*f[0]+row/k.R*f[1]+row%k.R*f[2], f[3])
	}
}

// row computes row p of a filter's result.
func (c *rowsCode[T]) row(w *rowsWorker[T], args *kernel.Args, image, filter, p int) {
	k, x := c.k, c.k.X.Strides
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
			row := w.image
			if c.inPlace {
				row = unsafe.Slice((*T)(unsafe.Add(args.Ptr[0], at*k.X.DType.Size())), k.W)
			} else {
				c.readX(row, args.Ptr[0], at, x[3])
			}
			weights := w.filter[(ch*k.R+r)*k.S:][:k.S]
			s := 0
			for ; s+3 <= k.S && k.Stride[1] == 1; s += 3 {
				c.addThree(w.sums, row, [3]T(weights[s:]), s*k.Dilation[1]-k.Pad[1])
			}
			for ; s < k.S; s++ {
				c.addShifted(w.sums, row, weights[s], s*k.Dilation[1]-k.Pad[1])
			}
		}
	}
	w.index = [4]int{image, filter, p, 0}
	if k.Q > 0 {
		c.epilogue.run(w.frame, w.index[:], unsafe.Pointer(&w.sums[0]), k.Q)
	}
}

// addThree is addShifted for three neighbours of a row of the filter, the first from column first on, and a stride of 1.
func (c *rowsCode[T]) addThree(all, image []T, taps [3]T, first int) {
	d := c.k.Dilation[1]
	from := min(max(0, -first), len(all)) // where all three are inside the image
	to := max(from, min(len(all), len(image)-first-2*d))
	sums := all[from:to]
	if n := len(sums); n > 0 {
		at := first + from
		x, y, z := image[at:][:n], image[at+d:][:n], image[at+2*d:][:n]
		for i := range sums {
			sums[i] += taps[0]*x[i] + taps[1]*y[i] + taps[2]*z[i]
		}
	}
	edge := func(from, to int) {
		for q := from; q < to; q++ {
			for i, tap := range taps {
				if at := q + first + i*d; uint(at) < uint(len(image)) {
					all[q] += tap * image[at]
				}
			}
		}
	}
	edge(0, from)
	edge(to, len(all))
}

// addShifted adds the products of a weight with the row of the image from column first on, as far as it goes.
func (c *rowsCode[T]) addShifted(all, image []T, weight T, first int) {
	step := c.k.Stride[1]
	from, to := kernel.Within(first, step, len(all), len(image))
	if from == to {
		return
	}
	image, sums := image[first+from*step:], all[from:to]
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
