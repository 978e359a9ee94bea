package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// convolutionCode multiplies the filters of a group (rows) with patches of the image (columns, one for each output
// pixel, flattened), tile by tile of an image and a group.
type convolutionCode[T accumulator] struct {
	tiled[T]     // of filters and pixels
	k            *kernel.Convolution
	deep         int // length of a patch
	readX, readW reader[T]
}

func init() {
	register(func(k *kernel.Convolution, fixed bool) kernel.Code { return convolutions[k.Acc](k, fixed) })
}

// convolutions prepare convolutions by the type of the sums.
var convolutions = map[dtype.DType]func(k *kernel.Convolution, fixed bool) kernel.Code{dtype.F32: convolutionOf[float32],
	dtype.F64: convolutionOf[float64], dtype.I32: convolutionOf[int32], dtype.I64: convolutionOf[int64]}

func convolutionOf[T accumulator](k *kernel.Convolution, fixed bool) kernel.Code {
	if k.K/k.Groups < fewFilters && !fixed {
		return rowsOf[T](k)
	}
	c := &convolutionCode[T]{k: k, deep: k.C / k.Groups * k.R * k.S, readX: readerOf[T](k.X.DType), readW: readerOf[T](k.Filter.DType)}
	c.fixed, c.narrow, c.described = fixed, narrow(k.X.DType, k.Filter.DType, k.Acc), described{how: "patches", kernel: k}
	c.tiled.init(k.K/k.Groups, k.P*k.Q, compileEpilogue(&k.Epilogue, 2, 4, 3, k.Acc), c.unit)
	if !fixed && winogradFits(k) {
		return winogradOf(c)
	}
	return c
}

func (c *convolutionCode[T]) Units() int { return c.k.N * c.k.Groups * c.rows * c.cols }

func (c *convolutionCode[T]) UnitNanos() float64 {
	m, n := min(c.k.K/c.k.Groups, tileRows), min(c.k.P*c.k.Q, tileCols)
	return float64(m*n)*(0.4*float64(c.deep)+bodyNanos(c.k.Epilogue.Body)) + 4*float64(n*c.deep)
}

func (c *convolutionCode[T]) unit(w *worker[T], args *kernel.Args, u int) {
	b := patches{pixel: u % c.cols * tileCols}
	u /= c.cols
	b.n = min(c.k.P*c.k.Q-b.pixel, tileCols)
	perGroup := c.k.K / c.k.Groups
	b.filter = u/c.rows%c.k.Groups*perGroup + u%c.rows*tileRows
	b.image = u / c.rows / c.k.Groups
	c.multiplyPatches(w, args, b)
}

// patches are the results of m filters of a group at n pixels of an image, and k elements of the patches there.
type patches struct {
	image, filter, pixel int // the first ones
	element              int // the first one
	extents
}

// multiplyPatches computes the results of n pixels, and of the filters of a group that a tile holds.
func (c *convolutionCode[T]) multiplyPatches(w *worker[T], args *kernel.Args, b patches) {
	perGroup := c.k.K / c.k.Groups
	b.m = min(perGroup-b.filter%perGroup, tileRows)
	clear(w.tile.c[:])
	for ; b.element < c.deep; b.element += depth {
		b.k = min(c.deep-b.element, depth)
		finite, inside := c.packFilter(w, args.Ptr[1], &b), c.packPatches(w, args.Ptr[0], &b)
		if finite || inside {
			c.multiply(&w.tile, b.extents)
		} else {
			c.multiplyInside(w, &b)
		}
	}
	for i := range b.m {
		c.store(w, &b, i)
	}
}

// store runs the epilogue on row i of the tile, cut at the rows of the image.
func (c *convolutionCode[T]) store(w *worker[T], b *patches, i int) {
	for at := 0; at < b.n; {
		p, q := (b.pixel+at)/c.k.Q, (b.pixel+at)%c.k.Q
		run := min(b.n-at, c.k.Q-q)
		w.index[0], w.index[1], w.index[2], w.index[3] = b.image, b.filter+i, p, q
		c.epilogue.run(w.frame, w.index, unsafe.Pointer(&w.tile.c[i*tileCols+at]), run)
		at += run
	}
}

// packFilter reports whether all elements are finite.
func (c *convolutionCode[T]) packFilter(w *worker[T], p unsafe.Pointer, b *patches) bool {
	var odd T // NaN if an element is NaN or infinite
	s := &c.k.Filter.Strides
	for x := range b.k {
		ch, r, col := c.split(b.element + x)
		c.readW(w.row[:b.m], p, c.k.Filter.Offset+b.filter*s[0]+ch*s[1]+r*s[2]+col*s[3], s[0])
		for i, v := range w.row[:b.m] {
			odd += v - v
			w.tile.setA(i, x, v)
		}
	}
	return odd == 0
}

// split returns channel in the group, filter row and column of element x of a patch.
func (c *convolutionCode[T]) split(x int) (ch, r, s int) {
	s = x % c.k.S
	x /= c.k.S
	return x / c.k.R, x % c.k.R, s
}

// packPatches reports whether all pixels are inside the image; others are zeros.
func (c *convolutionCode[T]) packPatches(w *worker[T], ptr unsafe.Pointer, b *patches) bool {
	k, inside := c.k, true
	st, group := &k.X.Strides, b.filter/(k.K/k.Groups)
	for x := range b.k {
		ch, r, s := c.split(b.element + x)
		at := k.X.Offset + b.image*st[0] + (group*(k.C/k.Groups)+ch)*st[1]
		for j := 0; j < b.n; {
			p, q := (b.pixel+j)/k.Q, (b.pixel+j)%k.Q
			run := min(b.n-j, k.Q-q) // in a row of the result
			row, col := p*k.Stride[0]+r*k.Dilation[0]-k.Pad[0], q*k.Stride[1]+s*k.Dilation[1]-k.Pad[1]
			all := c.readRow(w.row[:run], ptr, at+row*st[2], col, uint(row) < uint(k.H))
			inside = inside && all
			for i, v := range w.row[:run] {
				w.tile.setB(j+i, x, v)
			}
			j += run
		}
	}
	return inside
}

// readRow reads elements of a row of the image whose column 0 is at an element, from column col on, in steps of the
// stride. It reports whether all are inside; others are zeros, and none is if the row is not.
func (c *convolutionCode[T]) readRow(dst []T, p unsafe.Pointer, at, col int, inside bool) bool {
	from, to, step := 0, 0, c.k.Stride[1]
	if inside {
		from, to = kernel.Within(col, step, len(dst), c.k.W)
	}
	clear(dst[:from])
	c.readX(dst[from:to], p, at+(col+from*step)*c.k.X.Strides[3], step*c.k.X.Strides[3])
	clear(dst[to:])
	return to-from == len(dst)
}

// multiplyInside adds the product of a filter that is not finite with the pixels inside the image:
// padding contributes nothing.
func (c *convolutionCode[T]) multiplyInside(w *worker[T], b *patches) {
	k, t := c.k, &w.tile
	for x := range b.k {
		_, r, s := c.split(b.element + x)
		for j := range b.n {
			p, q := (b.pixel+j)/k.Q, (b.pixel+j)%k.Q
			row := p*k.Stride[0] + r*k.Dilation[0] - k.Pad[0]
			col := q*k.Stride[1] + s*k.Dilation[1] - k.Pad[1]
			if uint(row) >= uint(k.H) || uint(col) >= uint(k.W) {
				continue
			}
			for i := range b.m {
				if s := &t.c[i*tileCols+j]; c.fixed {
					*s = multiplyAdd(t.getA(i, x), t.getB(j, x), *s)
				} else {
					*s += t.getA(i, x) * t.getB(j, x)
				}
			}
		}
	}
}
