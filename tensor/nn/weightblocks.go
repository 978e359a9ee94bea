package nn

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// weightBlocks are the quantised weights of an imported model in blocks of a packed format, which are made once for all
// its programs: a model has them beside the weights of its file.
type weightBlocks struct {
	mu    sync.Mutex
	of    map[ops.Hash][]*madeBlocks
	codes map[*buf.Buffer][2]int // the least and the greatest number of weights
}

// madeBlocks are made of leaves by calls.
type madeBlocks struct {
	leaves []trace.Edge
	leaf   ops.Value
}

// Emit implements [ops.Builder]: blocks that depend on weights alone are made now.
func (r *recorder) Emit(c *ops.Call) []ops.Value {
	switch c.Op.Name() {
	case "_dequantize_groups":
		c = r.model.blocks.narrowed(c)
		if ops.WhyNoBlocks(c) == "" {
			return c.Op.Expand(ops.Emit{Builder: r}, c)
		}
	case "_pack_groups":
		out := r.Runtime.Emit(c)
		if leaf := r.model.blocks.leaf(r, out[0]); leaf != nil {
			return []ops.Value{leaf}
		}
		return out
	}
	return r.Runtime.Emit(c)
}

// weightOf returns the elements of a weight as the file has them, or in another shape; nil for other values.
func weightOf(v ops.Value) *buf.Buffer {
	n, result := trace.Of(v)
	if n.Frozen() {
		return n.Data(result)
	}
	if n.Pending() && slices.Contains([]string{"view", "reshape", "_unsafe_view"}, n.Pattern().Op.Name()) {
		return weightOf(n.Call().Tensor(0))
	}
	return nil
}

// narrowed is a _dequantize_groups with as few bits as its codes need: files have numbers of 4 bits in bytes. Zero
// points that are 0 are left out.
func (w *weightBlocks) narrowed(c *ops.Call) *ops.Call {
	out := *c
	out.Args = slices.Clone(c.Args)
	const zeros, bits, low = 2, 4, 5
	if c.Has(zeros) {
		if z := weightOf(c.Tensor(zeros)); z != nil && w.extremes(z) == [2]int{} {
			out.Args[zeros] = ops.ArgOf(nil)
		}
	}
	if codes := weightOf(c.Tensor(0)); codes != nil && c.Int(bits) > 4 {
		switch e := w.extremes(codes); {
		case e[0] >= -8 && e[1] < 8:
			out.Args[bits], out.Args[low] = ops.ArgOf(4), ops.ArgOf(-8)
		case e[0] >= 0 && e[1] < 16:
			out.Args[bits], out.Args[low] = ops.ArgOf(4), ops.ArgOf(0)
		}
	}
	return &out
}

// extremes are the least and the greatest number of a weight of integers; floats are not looked at.
func (w *weightBlocks) extremes(b *buf.Buffer) (e [2]int) {
	if !b.DType.IsInt() || b.Len() == 0 {
		return [2]int{math.MinInt, math.MaxInt}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if e, ok := w.codes[b]; ok {
		return e
	}
	e = [2]int{math.MaxInt, math.MinInt}
	for i := range b.Len() {
		v := int(b.Int64(i))
		e[0], e[1] = min(e[0], v), max(e[1], v)
	}
	if w.codes == nil {
		w.codes = map[*buf.Buffer][2]int{}
	}
	w.codes[b] = e
	return e
}

// leaf returns blocks as a leaf, or nil if they depend on more than weights or cannot be made.
func (w *weightBlocks) leaf(r *recorder, blocks ops.Value) ops.Value {
	g := ofWeights(blocks)
	if g == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, made := range w.of[g.Key] {
		if slices.Equal(made.leaves, g.Leaves) {
			return made.leaf
		}
	}
	b := r.aside(g, blocks)
	if b == nil {
		return nil
	}
	made := &madeBlocks{slices.Clone(g.Leaves), trace.Constant(b)}
	if w.of == nil {
		w.of = map[ops.Hash][]*madeBlocks{}
	}
	w.of[g.Key] = append(w.of[g.Key], made)
	r.CountPacked(len(b.Bytes()))
	return made.leaf
}

// ofWeights is the graph of a pending value that depends on frozen tensors alone, and nil for another value.
func ofWeights(v ops.Value) *trace.Graph {
	if n, _ := trace.Of(v); !n.Pending() {
		return nil
	}
	g := trace.Collect([]ops.Value{v})
	if slices.ContainsFunc(g.Leaves, func(e trace.Edge) bool { return !e.Node.Frozen() }) {
		return nil
	}
	return g
}

// aside computes a value of weights beside the trace, whose calls stay pending: later calls of the model, which need
// not compute the value again, have the programs of the first one. It is no barrier of whoever calls the model. It is
// nil if the value cannot be computed; the program that computes it says why.
func (r *recorder) aside(g *trace.Graph, v ops.Value) (b *buf.Buffer) {
	trace.Guarded(nil, func() {
		ctx, t := context.Background(), tensor.FromTrace(r.Runtime, r.ofInputs(g, v))
		if lazy.Sync(ctx, t) == nil {
			b, _ = t.Buffer(ctx)
		}
	})
	return b
}

// ofInputs records the calls of a graph again for leaves that are no constants: a program keeps what it computes from
// constants.
func (r *recorder) ofInputs(g *trace.Graph, root ops.Value) ops.Value {
	values := map[trace.Edge]ops.Value{}
	for _, e := range g.Leaves {
		values[e] = trace.Leaf(e.Node.Data(e.Result))
	}
	edge := func(v ops.Value) trace.Edge {
		n, result := trace.Of(v)
		return trace.Edge{Node: n, Result: result}
	}
	for _, n := range g.Nodes {
		c := *n.Call()
		c.Args = c.Map(func(v ops.Value) ops.Value { return values[edge(v)] })
		for i, v := range r.Runtime.Emit(&c) {
			values[trace.Edge{Node: n, Result: i}] = v
		}
	}
	return values[edge(root)]
}
