package engine

import (
	"context"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
)

// maxKnown bounds the tensors that are computed while compiling, in elements.
const maxKnown = 1 << 22

// known returns the elements of a tensor that does not depend on inputs, computed
// now, or nil.
func (g *graph) known(t *tensor, opts *Options) *buf.Buffer {
	if b, ok := g.computed[t]; ok {
		return b
	}
	if g.computed == nil {
		g.computed = map[*tensor]*buf.Buffer{}
	}
	g.computed[t] = g.compute(t, opts)
	return g.computed[t]
}

func (g *graph) compute(t *tensor, opts *Options) *buf.Buffer {
	if t.size > maxKnown {
		return nil
	}
	if t.kind == kindConstant {
		b, err := buf.Wrap(t.dtype, []int{t.size}, t.data)
		if err != nil {
			return nil
		}
		return b
	}
	sub := &graph{results: []view{whole(t, []int{t.size})}}
	if !sub.collect(t, g.nodes) {
		return nil
	}
	p := &Program{threads: 1}
	defer p.Close()
	defer sub.unplan()
	if err := p.build(sub, &Options{NoFusion: true, Backend: opts.Backend}, &watch{}); err != nil {
		return nil
	}
	out, err := p.Run(context.Background(), nil)
	if err != nil {
		return nil
	}
	return out[0]
}

// unplan forgets what a plan has noted in the tensors of a graph, which another plan is yet to be made of.
func (g *graph) unplan() {
	for _, n := range g.nodes {
		for _, a := range n.ins {
			a.t.slot, a.t.varies = 0, false
		}
		for _, o := range n.outs {
			o.t.slot, o.t.varies = 0, false
		}
	}
}

// collect gathers the nodes that compute t, in order. It reports false if one of
// them is large or reads an input.
func (g *graph) collect(t *tensor, nodes []*node) bool {
	needed := map[*node]bool{}
	stack := []*tensor{t}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.kind == kindArgument || x.kind == kindTemp && len(x.writers) == 0 {
			return false
		}
		for _, n := range x.writers {
			if needed[n] {
				continue
			}
			if n.kind >= nodeOrdered || shape.Size(n.extents) > maxKnown {
				return false
			}
			needed[n] = true
			for _, a := range n.ins {
				stack = append(stack, a.t)
			}
			for _, o := range n.outs {
				stack = append(stack, o.t)
			}
		}
	}
	for _, n := range nodes {
		if needed[n] {
			g.nodes = append(g.nodes, n)
		}
	}
	return len(needed) > 0
}
