package convert

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// reshaped converts tensor.collapse_shape, tensor.expand_shape and tensor.reshape:
// the elements in row-major order under another shape.
func (g *converter) reshaped(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	dims, static := g.shapeOf(op.Results[0])
	if !ok || !static {
		return
	}
	if shape.Size(dims) != v.Size() {
		g.fail("%d elements as %v", v.Size(), dims)
		return
	}
	g.bind(op, g.reshape(v, dims))
}

// listed reads a list of numbers of an operation. Numbers that are operands, from operand next on, must be constants.
// It returns the number of the operand behind them.
func (g *converter) listed(op *mlir.Operation, name string, rank, next int) (list []int, after int, ok bool) {
	list, known := mlir.IntList(op.Attrs.Get(name))
	if !known || len(list) != rank {
		g.fail("%s does not have %d numbers", name, rank)
		return nil, next, false
	}
	list = slices.Clone(list)
	for i, n := range list {
		if n != mlir.DynamicStride {
			continue
		}
		if next >= len(op.Operands) {
			g.fail("%s has more open numbers than there are operands", name)
			return nil, next, false
		}
		k, constant := mlir.ConstantValue(op.Operands[next]).(mlir.IntegerAttr)
		if !constant {
			g.fail("a number of %s is computed", name)
			return nil, next, false
		}
		list[i] = int(k.Value)
		next++
	}
	return list, next, true
}

// sliceAttrs reads offsets, sizes and strides; operands from next on are some of them.
func (g *converter) sliceAttrs(op *mlir.Operation, dims []int, next int) (offsets, sizes, strides []int,
	ok bool) {
	lists := [3][]int{}
	for i, name := range [3]string{"static_offsets", "static_sizes", "static_strides"} {
		if lists[i], next, ok = g.listed(op, name, len(dims), next); !ok {
			return nil, nil, nil, false
		}
	}
	for i, n := range dims {
		offset, size, stride := lists[0][i], lists[1][i], lists[2][i]
		if offset < 0 || size < 0 || stride < 1 || size > n || offset > n ||
			size > 0 && (size-1) > (n-1-offset)/stride {
			g.fail("slice %d:%d:%d of an extent of %d", offset, size, stride, n)
			return nil, nil, nil, false
		}
	}
	return lists[0], lists[1], lists[2], true
}

// cut takes a slice of v, after a copy if its factors do not allow it.
func (g *converter) cut(v graph.View, offsets, sizes, strides []int) graph.View {
	w, ok := v, true
	for d := range v.Dims {
		if w, ok = w.Slice(d, offsets[d], sizes[d], strides[d]); !ok {
			return g.cut(g.materialize(v), offsets, sizes, strides)
		}
	}
	return w
}

func (g *converter) extractSlice(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	if !ok {
		return
	}
	offsets, sizes, strides, ok := g.sliceAttrs(op, v.Shape(), 1)
	dims, static := g.shapeOf(op.Results[0])
	if !ok || !static {
		return
	}
	if shape.Size(sizes) != shape.Size(dims) {
		g.fail("slice of %v as %v", sizes, dims)
		return
	}
	g.bind(op, g.reshape(g.cut(v, offsets, sizes, strides), dims))
}

func (g *converter) insertSlice(op *mlir.Operation) {
	src, ok := g.value(op.Operands[0])
	dst, okDst := g.value(op.Operands[1])
	if !ok || !okDst {
		return
	}
	offsets, sizes, strides, ok := g.sliceAttrs(op, dst.Shape(), 2)
	if !ok {
		return
	}
	if shape.Size(sizes) != src.Size() {
		g.fail("%v elements into a slice of %v", src.Shape(), sizes)
		return
	}
	src, was := g.reshape(src, sizes), dst
	dst = g.writable(op.Operands[1], dst)
	if !g.putBack(src, was, dst, offsets, strides) {
		g.insert(src, dst, offsets, strides)
	}
	g.owned[op.Results[0]] = true
	g.bind(op, dst)
}

// insertElement converts tensor.insert at constant indices: a slice of one element.
func (g *converter) insertElement(op *mlir.Operation) {
	src, ok := g.value(op.Operands[0])
	dst, okDst := g.value(op.Operands[1])
	if !ok || !okDst {
		return
	}
	dims := dst.Shape()
	if len(op.Operands) != 2+len(dims) {
		g.fail("%d indices for %d dimensions", len(op.Operands)-2, len(dims))
		return
	}
	offsets, ones := make([]int, len(dims)), make([]int, len(dims))
	for i, v := range op.Operands[2:] {
		k, constant := mlir.ConstantValue(v).(mlir.IntegerAttr)
		if !constant || k.Value < 0 || int(k.Value) >= dims[i] {
			g.fail("index %d is no constant below %d", i, dims[i])
			return
		}
		offsets[i], ones[i] = int(k.Value), 1
	}
	dst = g.writable(op.Operands[1], dst)
	g.insert(g.reshape(src, ones), dst, offsets, ones)
	g.owned[op.Results[0]] = true
	g.bind(op, dst)
}

// insert copies src to a slice of dst, a view of a whole tensor.
func (g *converter) insert(src, dst graph.View, offsets, strides []int) {
	sizes := src.Shape()
	n := g.copyTo(src, g.cut(dst, offsets, sizes, strides))
	if n == nil {
		return
	}
	n.Outs[0].Box = box(offsets, sizes, strides)
	n.Outs[0].Apart = dst.Tensor.Extend(n.Outs[0].Box)
}

// box is a slice as a node writes it, see [graph.Output].
func box(offsets, sizes, strides []int) [][3]int {
	list := make([][3]int, len(sizes))
	for d := range sizes {
		list[d] = [3]int{offsets[d], sizes[d], strides[d]}
	}
	return list
}

// copyOf returns a view of new memory with the elements of v.
func (g *converter) copyOf(v graph.View) graph.View {
	dst := graph.Whole(graph.NewTensor(v.Tensor.DType, v.Shape()), v.Shape())
	dst.DType = v.DType
	if v.Tensor.Kind != graph.Empty {
		g.copyTo(v, dst)
	}
	return dst
}

// joined converts tensor.concat.
func (g *converter) joined(op *mlir.Operation) {
	axis, ok := op.Attrs.Get("dim").(mlir.IntegerAttr)
	dims, static := g.shapeOf(op.Results[0])
	if !ok || !static || axis.Value < 0 || int(axis.Value) >= len(dims) {
		g.fail("no valid dimension")
		return
	}
	d := int(axis.Value)
	dst := graph.Whole(graph.NewTensor(elemType(op.Results[0].Type), dims), dims)
	at := 0
	for _, v := range op.Operands {
		src, ok := g.value(v)
		if !ok {
			return
		}
		sizes, offsets := src.Shape(), make([]int, len(dims))
		offsets[d] = at
		want := slices.Clone(dims)
		if len(sizes) == len(dims) {
			want[d] = sizes[d]
		}
		if !slices.Equal(sizes, want) || at+sizes[d] > dims[d] {
			g.fail("%v does not fit into %v", sizes, dims)
			return
		}
		g.insert(src, dst, offsets, slices.Repeat([]int{1}, len(dims)))
		at += sizes[d]
	}
	if at != dims[d] {
		g.fail("operands fill %d of %d", at, dims[d])
		return
	}
	g.bind(op, dst)
}

// pad converts tensor.pad with a constant border.
func (g *converter) pad(op *mlir.Operation) {
	src, ok := g.value(op.Operands[0])
	if !ok {
		return
	}
	low, next, okLow := g.listed(op, "static_low", len(src.Dims), 1)
	if !okLow {
		return
	}
	high, _, okHigh := g.listed(op, "static_high", len(src.Dims), next)
	if !okHigh {
		return
	}
	end := op.Body().Terminator()
	if end == nil || len(end.Operands) != 1 {
		g.fail("the border is no number")
		return
	}
	number, ok := g.scalarIn(op.Body(), end.Operands[0])
	dims := src.Shape()
	out := make([]int, len(dims))
	for i, n := range dims {
		out[i] = n + low[i] + high[i]
		if low[i] < 0 || high[i] < 0 || out[i] > 1<<40 {
			g.fail("padding of %d and %d", low[i], high[i])
			return
		}
	}
	if !ok {
		return
	}
	if slices.Equal(out, dims) {
		g.bind(op, src)
		return
	}
	t := graph.NewTensor(src.DType, out)
	dst := graph.Whole(t, out)
	g.owned[op.Results[0]] = true
	g.insert(src, dst, low, slices.Repeat([]int{1}, len(dims)))
	g.border(number, dst, low, dims)
	if number.Tensor.Kind == graph.Uniform && number.Tensor.Bits == 0 {
		g.padded[dst.Tensor] = padded{src, low, out}
	}
	g.bind(op, dst)
}

// border fills what lies outside a box of dst with a scalar: along each dimension a side before the box and one behind
// it. Sides are cut to the box along earlier dimensions.
func (g *converter) border(number, dst graph.View, low, sizes []int) {
	offsets, extents := make([]int, len(low)), dst.Shape()
	for d, n := range dst.Shape() {
		for _, side := range [2][2]int{{0, low[d]}, {low[d] + sizes[d], n - low[d] - sizes[d]}} {
			offsets[d], extents[d] = side[0], side[1]
			g.insert(number.BroadcastTo(extents), dst, offsets, slices.Repeat([]int{1}, len(low)))
		}
		offsets[d], extents[d] = low[d], sizes[d]
	}
}

// scalarIn gives the value that a body of constants yields.
func (g *converter) scalarIn(block *mlir.Block, v *mlir.Value) (graph.View, bool) {
	for _, op := range block.Ops {
		if op != block.Terminator() {
			g.operation(op)
		}
	}
	for _, arg := range block.Args {
		if arg == v {
			g.fail("the border depends on the position")
			return graph.View{}, false
		}
	}
	return g.value(v)
}

// splatted converts tensor.splat.
func (g *converter) splatted(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	dims, static := g.shapeOf(op.Results[0])
	if ok && static && len(v.Dims) == 0 {
		g.bind(op, v.BroadcastTo(dims))
	}
}

// fromElements converts tensor.from_elements.
func (g *converter) fromElements(op *mlir.Operation) {
	dims, static := g.shapeOf(op.Results[0])
	if !static {
		return
	}
	if shape.Size(dims) != len(op.Operands) {
		g.fail("%d elements for %v", len(op.Operands), dims)
		return
	}
	t := graph.NewTensor(elemType(op.Results[0].Type), dims)
	for i, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		g.copyTo(w, graph.View{Tensor: t, DType: t.DType, Offset: i})
	}
	g.bind(op, graph.Whole(t, dims))
}

// generated converts tensor.generate, whose body computes each element from its
// indices.
func (g *converter) generated(op *mlir.Operation) {
	dims, static := g.shapeOf(op.Results[0])
	block := op.Body()
	if !static || block == nil || len(block.Args) != len(dims) {
		g.fail("body does not take one index for each dimension")
		return
	}
	s := &structured{g: g, reduction: make([]bool, len(dims)), results: op.Results}
	d := elemType(op.Results[0].Type)
	s.outs = []operand{{graph.Splat(d, 0, dims), mlir.Identity(len(dims))}}
	s.body = func(sc *scalars, _ func(int) (int, bool)) ([]int, bool) {
		sc.bind(block, s.index)
		return sc.block(block)
	}
	s.build()
}

// extracted converts tensor.extract outside of any body.
func (g *converter) extracted(op *mlir.Operation) {
	s := &structured{g: g, results: op.Results}
	s.outs = []operand{{graph.Splat(elemType(op.Results[0].Type), 0, nil), mlir.AffineMap{}}}
	s.body = func(sc *scalars, _ func(int) (int, bool)) ([]int, bool) {
		if !sc.operation(op) {
			return nil, false
		}
		return []int{sc.values[op.Results[0]]}, true
	}
	s.build()
}
