package portable

import (
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
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
	folds  folds
}

// scatterDim is a dimension of the updates: its extent, that of the target, and the
// elements from one point to the next in the updates, the index and the target.
type scatterDim struct {
	extent, into int
	strides
}

type strides struct{ update, index, target int }

func compileScatter(k *kernel.Scatter) kernel.Code {
	c := &scatterCode{k: k, fold: foldFor(k.Fold, k.Into.DType), folds: foldsOf(k.Into.DType, k.Unsigned),
		n: k.Extents[k.Axis], extent: k.IntoExtents[k.Axis]}
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

// place is the element of the target that update i goes to, and whether there is one.
func (r *scatterRun) place(i int) (element int, inside bool) {
	along := at[int64](r.index, i*r.indexStep)
	return int(along)*r.axis + i*r.step, uint64(along) < uint64(r.extent)
}

// walk folds all updates of a unit, in order.
func (c *scatterCode) walk(args *kernel.Args, out, updates, index unsafe.Pointer, first int) {
	last := c.inner[len(c.inner)-1]
	if len(c.inner) == 1 && last.extent == 1 { // nothing behind the axis: one run along it
		r := scatterRun{index, c.n, c.extent, c.update, 0, c.target, c.index}
		if !c.folds.each(c.fold, out, updates, &r) {
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
		if !c.folds.each(c.fold, dst, src, &r) {
			args.Fault = 1
		}
		return
	}
	i := *(*int64)(places)
	if uint64(i) >= uint64(c.extent) {
		args.Fault = 1
		return
	}
	c.folds.row(c.fold, unsafe.Add(dst, int(i)*c.target*size), src, n)
}

// row implements [folds].
func (plain[T, A]) row(fold kernel.FoldKind, dst, src unsafe.Pointer, n int) {
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

// each implements [folds].
func (plain[T, A]) each(fold kernel.FoldKind, dst, src unsafe.Pointer, r *scatterRun) bool {
	ok := true
	for i := range r.n {
		place, inside := r.place(i)
		if !inside {
			ok = false
			continue
		}
		to, v := ref[T](dst, place), at[T](src, i*r.update)
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

// row implements [folds]: numbers fold in f32, and what is assigned keeps its bits.
func (h halves) row(fold kernel.FoldKind, dst, src unsafe.Pointer, n int) {
	if fold == kernel.FoldAssign {
		plain[uint16, uint16]{}.row(fold, dst, src, n)
		return
	}
	for i := range n {
		h.one(fold, unsafe.Add(dst, i*h.d.Size()), unsafe.Add(src, i*h.d.Size()))
	}
}

// each implements [folds].
func (h halves) each(fold kernel.FoldKind, dst, src unsafe.Pointer, r *scatterRun) bool {
	if fold == kernel.FoldAssign {
		return plain[uint16, uint16]{}.each(fold, dst, src, r)
	}
	ok := true
	for i := range r.n {
		place, inside := r.place(i)
		if !inside {
			ok = false
			continue
		}
		h.one(fold, unsafe.Add(dst, place*h.d.Size()), unsafe.Add(src, i*r.update*h.d.Size()))
	}
	return ok
}

// one folds one element into another.
func (h halves) one(fold kernel.FoldKind, dst, src unsafe.Pointer) {
	var v, w float32
	loadLanes(h.d, unsafe.Pointer(&v), dst, 1, 1)
	loadLanes(h.d, unsafe.Pointer(&w), src, 1, 1)
	plain[float32, float32]{}.row(fold, unsafe.Pointer(&v), unsafe.Pointer(&w), 1)
	storeLanes(h.d, unsafe.Pointer(&v), dst, 1, 1)
}
