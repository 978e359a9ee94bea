package nn

import (
	"context"
	"slices"
	"sync"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// weightBlocks are the quantised weights of an imported model in blocks of a packed format, which are made once for all its programs: a
// model has them beside the weights of its file.
type weightBlocks struct {
	mu sync.Mutex
	of map[ops.Hash][]*madeBlocks
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

// leaf returns blocks as a leaf, or nil if they depend on more than weights or cannot be made.
func (w *weightBlocks) leaf(r *recorder, blocks ops.Value) ops.Value {
	g := trace.Collect([]ops.Value{blocks})
	for _, e := range g.Leaves {
		if !e.Node.Frozen() {
			return nil
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, made := range w.of[g.Key] {
		if slices.Equal(made.leaves, g.Leaves) {
			return made.leaf
		}
	}
	b, err := tensor.FromTrace(r.Runtime, blocks).Buffer(context.Background())
	if err != nil {
		return nil // the program that computes them says why
	}
	made := &madeBlocks{slices.Clone(g.Leaves), trace.Constant(b)}
	if w.of == nil {
		w.of = map[ops.Hash][]*madeBlocks{}
	}
	w.of[g.Key] = append(w.of[g.Key], made)
	r.CountPacked(len(b.Bytes()))
	return made.leaf
}
