package portable

import (
	"math"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// scanCode folds lines. Where the lines lie side by side, a unit is a block of them,
// which go forward together; otherwise a unit is one line.
type scanCode struct {
	described
	elements
	k      *kernel.Scan
	width  int // lines of a block
	blocks int // of a line of blocks
	fold   kernel.FoldKind
	pool   sync.Pool // of what folds need
}

// scanWidth bounds a block, so that its accumulators stay in the L1 cache.
const scanWidth = 2048

func init() { register(compileScan) }

func compileScan(k *kernel.Scan, _ bool) kernel.Code {
	c := &scanCode{described: described{how: "running folds", kernel: k}, k: k, width: min(k.Inner, scanWidth), fold: foldFor(k.Fold, k.X.DType),
		elements: elementsOf(k.X.DType, k.Unsigned)}
	if k.Inner > 0 {
		c.blocks = (k.Inner + c.width - 1) / c.width
	}
	return c
}

func (c *scanCode) Units() int { return c.k.Outer * c.blocks }

func (c *scanCode) UnitNanos() float64 {
	nanos := 1.3
	if c.k.Fold == kernel.FoldLogAddExp {
		nanos = 25
	}
	return nanos * float64(c.k.N*c.width)
}

func (c *scanCode) Run(args *kernel.Args, lo, hi int) {
	if c.k.N == 0 {
		return
	}
	for u := lo; u < hi; u++ {
		j := u % c.blocks * c.width
		at := u/c.blocks*c.k.N*c.k.Inner + j
		c.lines(c, unsafe.Add(args.Ptr[0], at*c.k.X.DType.Size()),
			unsafe.Add(args.Ptr[1], at*c.k.Out.DType.Size()), min(c.width, c.k.Inner-j))
	}
}

func (plain[T, A]) lines(c *scanCode, x, out unsafe.Pointer, width int) {
	k := c.k
	if k.Inner == 1 {
		if k.Positions {
			placeLine(k.Fold, unsafe.Slice((*T)(x), k.N), (*int64)(out), 1)
			return
		}
		foldLine[T, A](c.fold, unsafe.Slice((*T)(x), k.N), unsafe.Slice((*T)(out), k.N))
		return
	}
	acc, _ := c.pool.Get().(*[]A)
	if acc == nil {
		acc = new([]A)
		*acc = make([]A, c.width)
	}
	row := (*acc)[:width]
	for i := range k.N {
		from := unsafe.Slice(ref[T](x, i*k.Inner), width)
		if k.Positions {
			before := unsafe.Slice(ref[int64](out, max(i-1, 0)*k.Inner), width)
			placeRow(k.Fold, row, from, i, before, unsafe.Slice(ref[int64](out, i*k.Inner), width))
			continue
		}
		to := unsafe.Slice(ref[T](out, i*k.Inner), width)
		if i == 0 {
			for j, v := range from {
				row[j] = A(v)
			}
			copy(to, from)
			continue
		}
		foldRow(c.fold, row, from, to)
	}
	c.pool.Put(acc)
}

// lines implements [elements]: one line after the other.
func (h halves) lines(c *scanCode, x, out unsafe.Pointer, width int) {
	k, size := c.k, h.d.Size()
	line, _ := c.pool.Get().(*[]float32)
	if line == nil {
		line = new([]float32)
		*line = make([]float32, 2*k.N)
	}
	from, to := (*line)[:k.N], (*line)[k.N:]
	for j := range width {
		loadLanes(h.d, unsafe.Pointer(&from[0]), unsafe.Add(x, j*size), k.Inner, k.N)
		if k.Positions {
			placeLine(k.Fold, from, ref[int64](out, j), k.Inner)
			continue
		}
		foldLine[float32, float64](c.fold, from, to)
		storeLanes(h.d, unsafe.Pointer(&to[0]), unsafe.Add(out, j*size), k.Inner, k.N)
	}
	c.pool.Put(line)
}

// foldLine folds one line.
func foldLine[T, A element](fold kernel.FoldKind, x, out []T) {
	out = out[:len(x)]
	acc := A(x[0])
	out[0] = x[0]
	switch fold {
	case kernel.FoldAdd:
		for i := 1; i < len(x); i++ {
			acc += A(x[i])
			out[i] = T(acc)
		}
	case kernel.FoldMul:
		for i := 1; i < len(x); i++ {
			acc *= A(x[i])
			out[i] = T(acc)
		}
	case kernel.FoldMax:
		best := x[0]
		for i := 1; i < len(x); i++ {
			if v := x[i]; v > best || v != v {
				best = v
			}
			out[i] = best
		}
	case kernel.FoldMin:
		best := x[0]
		for i := 1; i < len(x); i++ {
			if v := x[i]; v < best || v != v {
				best = v
			}
			out[i] = best
		}
	default:
		for i := 1; i < len(x); i++ {
			acc = A(logAddExp(float64(acc), float64(x[i])))
			out[i] = T(acc)
		}
	}
}

// foldRow folds the next element of every line of a block.
func foldRow[T, A element](fold kernel.FoldKind, acc []A, x, out []T) {
	x, out = x[:len(acc)], out[:len(acc)]
	switch fold {
	case kernel.FoldAdd:
		for j, v := range x {
			acc[j] += A(v)
			out[j] = T(acc[j])
		}
	case kernel.FoldMul:
		for j, v := range x {
			acc[j] *= A(v)
			out[j] = T(acc[j])
		}
	case kernel.FoldMax:
		for j, v := range x {
			acc[j] = max(acc[j], A(v))
			out[j] = T(acc[j])
		}
	case kernel.FoldMin:
		for j, v := range x {
			acc[j] = min(acc[j], A(v))
			out[j] = T(acc[j])
		}
	default:
		for j, v := range x {
			acc[j] = A(logAddExp(float64(acc[j]), float64(v)))
			out[j] = T(acc[j])
		}
	}
}

// replaces reports whether x, that comes after the extreme so far, is the extreme.
func replaces[T element](fold kernel.FoldKind, x, extreme T) bool {
	return fold == kernel.FoldMax && x >= extreme || fold == kernel.FoldMin && x <= extreme || x != x
}

// placeLine gives the positions of the running extremes of one line, stride elements apart.
func placeLine[T element](fold kernel.FoldKind, x []T, out *int64, stride int) {
	extreme, at := x[0], 0
	for i, v := range x {
		if replaces(fold, v, extreme) {
			extreme, at = v, i
		}
		*ref[int64](unsafe.Pointer(out), i*stride) = int64(at)
	}
}

// placeRow gives the positions of the extremes of every line of a block when element i
// follows; before are those before it.
func placeRow[T, A element](fold kernel.FoldKind, acc []A, x []T, i int, before, out []int64) {
	before, out, x = before[:len(acc)], out[:len(acc)], x[:len(acc)]
	for j, v := range x {
		out[j] = before[j]
		if i == 0 || replaces(fold, A(v), acc[j]) {
			acc[j], out[j] = A(v), int64(i)
		}
	}
}

// logAddExp is log(exp(a) + exp(b)).
func logAddExp(a, b float64) float64 {
	low, high := min(a, b), max(a, b)
	if math.IsInf(high, 0) || low != low {
		return high
	}
	return high + math.Log1p(math.Exp(low-high))
}
