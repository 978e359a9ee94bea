package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// copyTo appends a node that copies src to dst, two views of one shape. It
// returns nil if there is nothing to copy.
func (g *converter) copyTo(src, dst graph.View) *graph.Node {
	if src.Size() == 0 {
		return nil
	}
	l := newLoops(dst.Shape())
	for d := range dst.Dims {
		if !l.split(d, dst.Dims[d]) || !l.split(d, src.Dims[d]) {
			panic("BUG: engine: copy between views that do not split")
		}
	}
	n := &graph.Node{Kind: graph.Pointwise, Extents: l.extents(), Par: len(l.extents())}
	b := kernel.NewBody()
	var value int
	if src.Tensor.Kind == graph.Uniform || src.Tensor.Kind == graph.Empty {
		value = b.ConstBits(dst.Tensor.DType, src.Tensor.Bits)
	} else {
		n.Ins = []graph.Access{l.whole(src)}
		value = relabel(b, b.Load(0, src.Tensor.DType), dst.Tensor.DType)
	}
	n.Outs = []graph.Output{{Access: l.whole(dst), Value: value}}
	n.Body = b.Body()
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
func (g *converter) materialize(v graph.View) graph.View {
	if v.Tensor.Kind != graph.Uniform {
		return g.copyOf(v)
	}
	if v.Tensor.Stored == nil || v.Tensor.Stored.Size != v.Size() {
		v.Tensor.Stored = g.copyOf(v).Tensor
	}
	w := graph.Whole(v.Tensor.Stored, v.Shape())
	w.DType = v.DType
	return w
}

// inMemory returns v, or its elements in memory if it is a constant or empty.
func (g *converter) inMemory(v graph.View) graph.View {
	if v.Tensor.Kind == graph.Uniform || v.Tensor.Kind == graph.Empty {
		return g.materialize(v)
	}
	return v
}

// reshape gives v another shape of the same size, by a copy if there is no other way.
func (g *converter) reshape(v graph.View, dims []int) graph.View {
	flat := make([]int, len(v.Dims))
	for i := range flat {
		flat[i] = i
	}
	all := make([]int, len(dims))
	for i := range all {
		all[i] = i
	}
	if w, ok := v.Collapse([][]int{flat}).Expand([][]int{all}, dims); ok {
		return w
	}
	w := graph.Whole(g.materialize(v).Tensor, dims)
	w.DType = v.DType
	return w
}
