package engine

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// graph is a function as nodes on tensors, in the order of the program.
type graph struct {
	nodes   []*node
	args    []*tensor
	results []view
	// uses counts the uses of each value of the function, to know when its memory
	// may be written.
	uses   func() map[*mlir.Value]int
	values map[*mlir.Value]view
	piece  *piece // that the graph is of, or nil
	padded map[*tensor]padded
	owned  map[*mlir.Value]bool // values on memory of their own, written by insertions
	copies map[*tensor][]copied // that products read, and none writes
	op     *mlir.Operation      // the operation that is being converted
	// computed has the elements of tensors that were needed while compiling.
	computed map[*tensor]*buf.Buffer
	err      error
}

// Error is a program that cannot be compiled or run: what is wrong and where.
type Error struct {
	Op      string // the operation, for example "linalg.generic"
	Loc     mlir.Location
	Message string
	Cause   error // what Message tells, if it has a type of its own, such as *buf.MemoryError
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

func (e *Error) Error() string {
	return e.Loc.Prefix(e.Op + ": " + e.Message)
}

// fail keeps the first error.
func (g *graph) fail(format string, args ...any) {
	if g.err == nil {
		g.err = &Error{Op: g.op.Name, Loc: g.op.Loc, Message: fmt.Sprintf(format, args...)}
	}
}

// mostElements bounds the elements of a value: with more, a loop over them would take hours.
const mostElements = 1 << 40

// failSize says that a value of so many elements is too large: for the memory, or for any.
func (g *graph) failSize(d dtype.DType, dims []int) {
	bytes := int64(d.Size())
	for _, n := range dims {
		bytes = buf.MulBytes(bytes, int64(n))
	}
	g.fail("a value of shape %s has more than 2^40 elements", shape.String(dims))
	if err := buf.CheckBytes(bytes, "a value of shape "+shape.String(dims)); err != nil {
		g.err = &Error{Op: g.op.Name, Loc: g.op.Loc, Message: err.Error(), Cause: err}
	}
}

// add appends a node.
func (g *graph) add(n *node) *node {
	n.id = len(g.nodes)
	if n.op == nil {
		n.op = g.op
	}
	g.nodes = append(g.nodes, n)
	for _, o := range n.outs {
		o.t.writers = append(o.t.writers, n)
	}
	return n
}

// temp returns new memory.
func (g *graph) temp(d dtype.DType, dims []int) *tensor {
	return &tensor{kind: kindTemp, dtype: d, size: shape.Size(dims)}
}

// splat returns a view of one constant element.
func splat(d dtype.DType, bits uint64, dims []int) view {
	v := view{t: &tensor{kind: kindSplat, dtype: d, size: 1, bits: bits}, dtype: d}
	v.dims = make([]dim, len(dims))
	for i, n := range dims {
		v.dims[i] = newDim(factor{n, 0})
	}
	return v
}

// copyTo appends a node that copies src to dst, two views of one shape. It
// returns nil if there is nothing to copy.
func (g *graph) copyTo(src, dst view) *node {
	if src.size() == 0 {
		return nil
	}
	l := newLoops(dst.shape())
	for d := range dst.dims {
		if !l.split(d, dst.dims[d]) || !l.split(d, src.dims[d]) {
			panic("BUG: engine: copy between views that do not split")
		}
	}
	n := &node{kind: nodePointwise, extents: l.extents(), par: len(l.extents())}
	b := kernel.NewBody()
	var value int
	if src.t.kind == kindSplat || src.t.kind == kindEmpty {
		value = b.ConstBits(dst.t.dtype, src.t.bits)
	} else {
		n.ins = []access{l.whole(src)}
		value = relabel(b, b.Load(0, src.t.dtype), dst.t.dtype)
	}
	n.outs = []output{{access: l.whole(dst), value: value}}
	n.body = b.Body()
	return g.add(n)
}

// relabel reinterprets a value as another type of the same size.
func relabel(b *kernel.Builder, v int, d dtype.DType) int {
	for i := b.Body()[v]; i.Op == kernel.Bitcast; i = b.Body()[v] { // which would make a NaN quiet on the way
		v = i.A
	}
	if b.Type(v) == d {
		return v
	}
	return b.Emit(kernel.Instr{Op: kernel.Bitcast, Type: d, A: v})
}

// materialize returns a view of memory that holds the elements of v in order. It
// must not be written: equal constants share it.
func (g *graph) materialize(v view) view {
	if v.t.kind != kindSplat {
		return g.copyOf(v)
	}
	if v.t.stored == nil || v.t.stored.size != v.size() {
		v.t.stored = g.copyOf(v).t
	}
	w := whole(v.t.stored, v.shape())
	w.dtype = v.dtype
	return w
}

// inMemory returns v, or its elements in memory if it is a constant or empty.
func (g *graph) inMemory(v view) view {
	if v.t.kind == kindSplat || v.t.kind == kindEmpty {
		return g.materialize(v)
	}
	return v
}

// reshape gives v another shape of the same size, by a copy if there is no other way.
func (g *graph) reshape(v view, dims []int) view {
	flat := make([]int, len(v.dims))
	for i := range flat {
		flat[i] = i
	}
	all := make([]int, len(dims))
	for i := range all {
		all[i] = i
	}
	if w, ok := v.collapse([][]int{flat}).expand([][]int{all}, dims); ok {
		return w
	}
	w := whole(g.materialize(v).t, dims)
	w.dtype = v.dtype
	return w
}
