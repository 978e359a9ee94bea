package portable

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// scatterCode folds updates into a copy of a tensor. Updates that differ before or behind the axis never meet, so a
// unit is one point of the dimensions before it and a block of the last dimension behind it.
type scatterCode struct {
	kernel.OnePhase
	k     *kernel.Scatter
	outer []scatterDim // before the axis
	inner []scatterDim // behind the axis; the last one is walked through in runs
	n     int          // updates along the axis
	strides
	extent int // of the axis
	copies int // elements of one outer point
	block  int // elements of a run
	blocks int // of the last dimension
	folder ScatterFolder
}

// ScatterFolder folds the runs of updates that scatters consist of.
type ScatterFolder interface {
	// Row folds n updates into n elements, both side by side.
	Row(args *kernel.Args, dst, src unsafe.Pointer, n int)
	// Each folds n updates with an index each. It reports whether all indices were
	// inside the axis; if not, what was folded is of no use.
	Each(args *kernel.Args, dst, src, index unsafe.Pointer, n int) bool
}

// ScatterRun says how many elements apart the updates, indices and targets of a run with an index for each update
// are; a target is Axis elements further for every 1 in its index, which is below Extent.
type ScatterRun struct{ Update, Index, Target, Axis, Extent int }

// scatterDim is a dimension of the updates: its extent, the target's extent, and the elements from one point to the
// next in the updates, the index and the target.
type scatterDim struct {
	extent, into int
	strides
}

type strides struct{ update, index, target int }

func init() { register(compileScatter) }

func compileScatter(k *kernel.Scatter, _ bool) kernel.Code {
	return Scatter(k, func(run ScatterRun) ScatterFolder {
		return &scatterFolder{run, elementsOf(k.Into.DType, k.Unsigned), foldFor(k.Fold, k.Into.DType)}
	})
}

// Scatter prepares a scatter that leaves the folding to another back end.
func Scatter(k *kernel.Scatter, folder func(run ScatterRun) ScatterFolder) kernel.Overwriter {
	c := &scatterCode{k: k, n: k.Extents[k.Axis], extent: k.IntoExtents[k.Axis]}
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
	run := ScatterRun{1, last.index, 1, c.target, c.extent}
	if c.alongAxis() {
		run.Update, run.Index, run.Target = c.update, c.index, 0
	}
	c.folder = folder(run)
	return c
}

// alongAxis reports whether a run goes along the axis, because nothing is behind it.
func (c *scatterCode) alongAxis() bool { return len(c.inner) == 1 && c.inner[0].extent == 1 }

// merged joins neighbours that every operand walks through as one. There is at least one dimension.
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
	return c.updateNanos() + 0.3*float64(c.copies)/float64(max(c.blocks, 1))
}

func (c *scatterCode) updateNanos() float64 {
	updates := float64(c.n * c.block)
	for _, d := range c.inner[:len(c.inner)-1] {
		updates *= float64(d.extent)
	}
	return updates
}

// UnitNanosOn implements [kernel.Overwriter]: nothing is copied to where it lies.
func (c *scatterCode) UnitNanosOn(args *kernel.Args) float64 {
	if args.Ptr[2] == args.Ptr[3] {
		return c.updateNanos()
	}
	return c.UnitNanos()
}

func (c *scatterCode) Scratch() int    { return 8 * placeBlock }
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
	c.walk(args, updateRun{out, unsafe.Add(args.Ptr[0], at.update*size), unsafe.Add(args.Ptr[1], at.index*8), c.n}, first)
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

// updateRun is n updates, their indices, and where they are folded into.
type updateRun struct {
	into, updates, index unsafe.Pointer
	n                    int
}

// walk folds all updates of a unit, in order.
func (c *scatterCode) walk(args *kernel.Args, all updateRun, first int) {
	last := c.inner[len(c.inner)-1]
	if c.alongAxis() {
		c.each(args, all)
		return
	}
	rest, size := c.inner[:len(c.inner)-1], c.k.Into.DType.Size()
	for i := range c.n {
		visit(rest, strides{i*c.update + first, i*c.index + first*last.index, first}, func(at strides) {
			c.row(args, updateRun{unsafe.Add(all.into, at.target*size), unsafe.Add(all.updates, at.update*size),
				unsafe.Add(all.index, at.index*8), min(c.block, last.extent-first)}, last.index == 0)
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

// row folds a run of the last dimension: into one row if it has one index.
func (c *scatterCode) row(args *kernel.Args, r updateRun, oneIndex bool) {
	if !oneIndex {
		c.each(args, r)
		return
	}
	i := *(*int64)(r.index)
	if uint64(i) >= uint64(c.extent) {
		args.Fault = 1
		return
	}
	c.folder.Row(args, unsafe.Add(r.into, int(i)*c.target*c.k.Into.DType.Size()), r.updates, r.n)
}

func (c *scatterCode) each(args *kernel.Args, r updateRun) {
	if !c.folder.Each(args, r.into, r.updates, r.index, r.n) {
		args.Fault = 1
	}
}
