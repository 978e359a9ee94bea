package rewrite

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
)

// maxKnown bounds the tensors that are computed while compiling, in elements.
const maxKnown = 1 << 22

// known returns the elements of a tensor that does not depend on inputs, or nil.
func (r *rewriter) known(t *graph.Tensor) *buf.Buffer {
	if b, ok := r.computed[t]; ok {
		return b
	}
	if r.computed == nil {
		r.computed = map[*graph.Tensor]*buf.Buffer{}
	}
	r.computed[t] = r.compute(t)
	return r.computed[t]
}

func (r *rewriter) compute(t *graph.Tensor) *buf.Buffer {
	if t.Size > maxKnown {
		return nil
	}
	if t.Kind == graph.Constant {
		b, err := buf.Wrap(t.DType, []int{t.Size}, t.Data)
		if err != nil {
			return nil
		}
		return b
	}
	sub := &graph.Graph{Results: []graph.View{graph.Whole(t, []int{t.Size})}}
	if sub.Nodes = r.computing(t); sub.Nodes == nil {
		return nil
	}
	return r.evaluate(sub)
}

// computing lists the nodes that compute t, in order. It is nil if one of them is large or reads an input.
func (r *rewriter) computing(t *graph.Tensor) []*graph.Node {
	needed := map[*graph.Node]bool{}
	stack := []*graph.Tensor{t}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.Kind == graph.Argument || x.Kind == graph.Temporary && len(x.Writers) == 0 {
			return nil
		}
		for _, n := range x.Writers {
			if needed[n] {
				continue
			}
			if n.Kind >= graph.Ordered || shape.Size(n.Extents) > maxKnown {
				return nil
			}
			needed[n] = true
			for _, a := range n.Ins {
				stack = append(stack, a.Tensor)
			}
			for _, o := range n.Outs {
				stack = append(stack, o.Tensor)
			}
		}
	}
	var list []*graph.Node
	for _, n := range r.Nodes {
		if needed[n] {
			list = append(list, n)
		}
	}
	return list
}
