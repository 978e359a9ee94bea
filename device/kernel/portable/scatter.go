package portable

import (
	"unsafe"

	"github.com/x448/float16"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/dtype"
)

// scatterCode folds updates into a copy of a tensor. Updates that differ before or
// behind the axis never meet, so a unit is one point of the dimensions before it and a
// block of the last dimension behind it.
type scatterCode struct {
	k     *kernel.Scatter
	outer []scatterDim // before the axis
	inner []scatterDim // behind the axis; the last one is walked through in runs
	n     int          // updates along the axis
	strides
	extent int // of the axis
	copies int // elements of one outer point
	block  int // elements of a run
	blocks int // of the last dimension
	fold   kernel.FoldKind
	rows   func(fold kernel.FoldKind, dst, src unsafe.Pointer, n int)
	each   func(fold kernel.FoldKind, dst, src unsafe.Pointer, r *scatterRun) bool
}

// scatterDim is a dimension of the updates: its extent, that of the target, and the
// elements from one point to the next in the updates, the index and the target.
type scatterDim struct {
	extent, into int
	strides
}

type strides struct{ update, index, target int }

func compileScatter(k *kernel.Scatter) kernel.Code {
	c := &scatterCode{k: k, fold: foldFor(k.Fold, k.Into.DType), n: k.Extents[k.Axis], extent: k.IntoExtents[k.Axis]}
	s := strides{1, 1, 1}
	dims := make([]scatterDim, len(k.Extents))
	for d := len(dims) - 1; d >= 0; d-- {
		dims[d] = scatterDim{k.Extents[d], k.IntoExtents[d], s}
		if k.IndexExtents[d] == 1 {
			dims[d].index = 0
		}
		s.update *= k.Extents[d]
		s.index *= k.IndexExtents[d]
		s.target *= k.IntoExtents[d]
	}
	c.strides = dims[k.Axis].strides
	c.outer = dims[:k.Axis]
	c.inner = merged(dims[k.Axis+1:])
	c.copies = c.extent * c.target
	last := c.inner[len(c.inner)-1]
	c.block, c.blocks = last.extent, 1
	if len(c.inner) == 1 && last.extent == last.into {
		const most = 1024 // elements of a block
		c.block = min(last.extent, most)
		c.blocks = (last.extent + c.block - 1) / max(c.block, 1)
	}
	c.rows, c.each = combinersOf(k)
	return c
}

// merged joins neighbours that every operand walks through as one. There is at least
// one dimension.
func merged(dims []scatterDim) []scatterDim {
	out := []scatterDim{{1, 1, strides{1, 0, 1}}}
	for _, d := range dims {
		p := &out[len(out)-1]
		if p.extent == 1 && p.into == 1 {
			*p = d
			continue
		}
		if p.update == d.update*d.extent && p.index == d.index*d.extent && p.target == d.target*d.extent {
			*p = scatterDim{p.extent * d.extent, p.into * d.into, d.strides}
			continue
		}
		out = append(out, d)
	}
	return out
}

func (c *scatterCode) Units() int { return points(c.outer) * c.blocks }

// points counts the points of the target in some dimensions.
func points(dims []scatterDim) int {
	n := 1
	for _, d := range dims {
		n *= d.into
	}
	return n
}

func (c *scatterCode) UnitNanos() float64 {
	updates := float64(c.n * c.block)
	for _, d := range c.inner[:len(c.inner)-1] {
		updates *= float64(d.extent)
	}
	return updates + 0.3*float64(c.copies)/float64(max(c.blocks, 1))
}

func (c *scatterCode) Scratch() int    { return 0 }
func (c *scatterCode) Close()          {}
func (c *scatterCode) Listing() string { return "portable: ordered scatter\n" + c.k.String() }

func (c *scatterCode) Run(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		c.unit(args, u/c.blocks, u%c.blocks*c.block)
	}
}

// unit does one outer point from element first of the last dimension on.
func (c *scatterCode) unit(args *kernel.Args, point, first int) {
	size := c.k.Into.DType.Size()
	at, inside := strides{target: point * c.copies}, true
	for d := len(c.outer) - 1; d >= 0; d-- {
		i := point % c.outer[d].into
		point /= c.outer[d].into
		inside = inside && i < c.outer[d].extent
		at.update += i * c.outer[d].update
		at.index += i * c.outer[d].index
	}
	out := unsafe.Add(args.Ptr[3], at.target*size)
	c.copy(out, unsafe.Add(args.Ptr[2], at.target*size), first)
	if !inside || c.n == 0 || c.extent*c.target == 0 {
		if inside && c.updates() > 0 {
			args.Fault = 1 // into an axis without elements
		}
		return
	}
	c.walk(args, out, unsafe.Add(args.Ptr[0], at.update*size), unsafe.Add(args.Ptr[1], at.index*8), first)
}

// updates counts the updates of an outer point.
func (c *scatterCode) updates() int {
	n := c.n
	for _, d := range c.inner {
		n *= d.extent
	}
	return n
}

// copy copies the block of the target that a unit changes.
func (c *scatterCode) copy(out, into unsafe.Pointer, first int) {
	size := c.k.Into.DType.Size()
	if out == into {
		return
	}
	if c.blocks == 1 {
		copy(unsafe.Slice((*byte)(out), c.copies*size), unsafe.Slice((*byte)(into), c.copies*size))
		return
	}
	n := min(c.block, c.target-first) * size
	for i := range c.extent {
		at := (i*c.target + first) * size
		copy(unsafe.Slice((*byte)(unsafe.Add(out, at)), n), unsafe.Slice((*byte)(unsafe.Add(into, at)), n))
	}
}

// scatterRun is a run of updates whose places are read one by one.
type scatterRun struct {
	index              unsafe.Pointer // of i64
	n, extent          int
	update, step, axis int // elements from update to update, from place to place, and along the axis
	indexStep          int
}

// walk folds all updates of a unit, in order.
func (c *scatterCode) walk(args *kernel.Args, out, updates, index unsafe.Pointer, first int) {
	last := c.inner[len(c.inner)-1]
	if len(c.inner) == 1 && last.extent == 1 { // nothing behind the axis: one run along it
		r := scatterRun{index, c.n, c.extent, c.update, 0, c.target, c.index}
		if !c.each(c.fold, out, updates, &r) {
			args.Fault = 1
		}
		return
	}
	rest := c.inner[:len(c.inner)-1]
	run := min(c.block, last.extent-first)
	for i := range c.n {
		at := strides{i*c.update + first, i*c.index + first*last.index, first}
		visit(rest, at, func(at strides) {
			c.run(args, out, updates, index, at, run, last.index)
		})
	}
}

// visit calls f at every point of some dimensions, the last one fastest.
func visit(dims []scatterDim, at strides, f func(at strides)) {
	if len(dims) == 0 {
		f(at)
		return
	}
	for range dims[0].extent {
		visit(dims[1:], at, f)
		at.update += dims[0].update
		at.index += dims[0].index
		at.target += dims[0].target
	}
}

// run folds a run of the last dimension: into one row if it has one index.
func (c *scatterCode) run(args *kernel.Args, out, updates, index unsafe.Pointer, at strides, n, step int) {
	size := c.k.Into.DType.Size()
	src, places := unsafe.Add(updates, at.update*size), unsafe.Add(index, at.index*8)
	dst := unsafe.Add(out, at.target*size)
	if step != 0 {
		r := scatterRun{places, n, c.extent, 1, 1, c.target, step}
		if !c.each(c.fold, dst, src, &r) {
			args.Fault = 1
		}
		return
	}
	i := *(*int64)(places)
	if uint64(i) >= uint64(c.extent) {
		args.Fault = 1
		return
	}
	c.rows(c.fold, unsafe.Add(dst, int(i)*c.target*size), src, n)
}

// combinersOf picks the arithmetic.
func combinersOf(k *kernel.Scatter) (func(kernel.FoldKind, unsafe.Pointer, unsafe.Pointer, int),
	func(kernel.FoldKind, unsafe.Pointer, unsafe.Pointer, *scatterRun) bool) {
	switch d := k.Into.DType; {
	case d == dtype.F64:
		return combine[float64], combineEach[float64]
	case d == dtype.F32:
		return combine[float32], combineEach[float32]
	case d == dtype.F16 && k.Fold != kernel.FoldAssign:
		return halves(func(p unsafe.Pointer) float32 { return (*(*float16.Float16)(p)).Float32() },
			func(p unsafe.Pointer, v float32) { *(*float16.Float16)(p) = dtype.ToFloat16(v) })
	case d == dtype.BF16 && k.Fold != kernel.FoldAssign:
		return halves(func(p unsafe.Pointer) float32 { return (*(*dtype.BFloat16)(p)).Float32() },
			func(p unsafe.Pointer, v float32) { *(*dtype.BFloat16)(p) = dtype.ToBFloat16(v) })
	case k.Unsigned || d.IsFloat() || d == dtype.Bool || d == dtype.U8:
		switch d.Size() {
		case 1:
			return combine[uint8], combineEach[uint8]
		case 2:
			return combine[uint16], combineEach[uint16]
		case 4:
			return combine[uint32], combineEach[uint32]
		}
		return combine[uint64], combineEach[uint64]
	}
	switch k.Into.DType.Size() {
	case 1:
		return combine[int8], combineEach[int8]
	case 2:
		return combine[int16], combineEach[int16]
	case 4:
		return combine[int32], combineEach[int32]
	}
	return combine[int64], combineEach[int64]
}

// combine folds a row of updates into a row of the target.
func combine[T element](fold kernel.FoldKind, dst, src unsafe.Pointer, n int) {
	to, from := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(src), n)
	switch fold {
	case kernel.FoldAdd:
		for i, v := range from {
			to[i] += v
		}
	case kernel.FoldMul:
		for i, v := range from {
			to[i] *= v
		}
	case kernel.FoldMax:
		for i, v := range from {
			to[i] = max(to[i], v)
		}
	case kernel.FoldMin:
		for i, v := range from {
			to[i] = min(to[i], v)
		}
	default:
		copy(to, from)
	}
}

// combineEach folds updates at places of their own. It reports whether all places lie
// in the target.
func combineEach[T element](fold kernel.FoldKind, dst, src unsafe.Pointer, r *scatterRun) bool {
	ok := true
	for i := range r.n {
		place := at[int64](r.index, i*r.indexStep)
		if uint64(place) >= uint64(r.extent) {
			ok = false
			continue
		}
		to, v := ref[T](dst, int(place)*r.axis+i*r.step), at[T](src, i*r.update)
		switch fold {
		case kernel.FoldAdd:
			*to += v
		case kernel.FoldMul:
			*to *= v
		case kernel.FoldMax:
			*to = max(*to, v)
		case kernel.FoldMin:
			*to = min(*to, v)
		default:
			*to = v
		}
	}
	return ok
}

// halves folds elements of a half type in float32.
func halves(load func(unsafe.Pointer) float32, store func(unsafe.Pointer, float32)) (
	func(kernel.FoldKind, unsafe.Pointer, unsafe.Pointer, int),
	func(kernel.FoldKind, unsafe.Pointer, unsafe.Pointer, *scatterRun) bool) {
	const size = 2
	one := func(fold kernel.FoldKind, dst, src unsafe.Pointer) {
		v := load(dst)
		w := load(src)
		combine[float32](fold, unsafe.Pointer(&v), unsafe.Pointer(&w), 1)
		store(dst, v)
	}
	rows := func(fold kernel.FoldKind, dst, src unsafe.Pointer, n int) {
		for i := range n {
			one(fold, unsafe.Add(dst, i*size), unsafe.Add(src, i*size))
		}
	}
	each := func(fold kernel.FoldKind, dst, src unsafe.Pointer, r *scatterRun) bool {
		ok := true
		for i := range r.n {
			place := at[int64](r.index, i*r.indexStep)
			if uint64(place) >= uint64(r.extent) {
				ok = false
				continue
			}
			one(fold, unsafe.Add(dst, (int(place)*r.axis+i*r.step)*size), unsafe.Add(src, i*r.update*size))
		}
		return ok
	}
	return rows, each
}
