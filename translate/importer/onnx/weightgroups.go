package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// dequantizedWeight is what a DequantizeLinear gives for a constant matrix that only products use, as
// _dequantize_groups has it: where package ops has blocks for the groups, the products read them. It reports false for
// others.
func (n *node) dequantizedWeight() (ops.Value, bool) {
	v, scale := n.value(0), n.tensor(1)
	const float = 1 // f32, among the element types of onnx.proto
	if v.known == nil || len(v.known.Shape) != 2 || v.known.Len() == 0 || !v.known.DType.IsInt() || elem(scale) != dtype.F32 || n.int("output_dtype", float) > float {
		return nil, false
	}
	bits, signed := v.known.DType.Bits(), v.known.DType.IsSigned()
	if proto.IsNarrow(v.elem) {
		bits, signed = proto.NarrowBits(v.elem)
	}
	along, ok := n.ev.summedAxis(n.Outputs[0], 0)
	if !ok || bits > 8 {
		return nil, false
	}
	low := 0
	if signed {
		low = -1 << (bits - 1)
	}
	extent, columns := v.known.Shape[along], v.known.Shape[1-along]
	codes := n.tensor(0)
	if along == 0 {
		codes = n.Call("t", codes)
	}
	// groups gives scales or zero points as [columns, groups].
	groups := func(s ops.Value) ops.Value {
		switch d := extents(s); {
		case size(d) == 1:
			return n.Expand(n.Reshape(s, []int{1, 1}), []int{columns, 1})
		case len(d) == 1 && axis(n.int("axis", 1), 2) == 1-along && d[0] == columns:
			return n.Reshape(s, []int{columns, 1})
		case len(d) == 2 && n.int("block_size", 0) > 0 && axis(n.int("axis", 1), 2) == along && d[1-along] == columns &&
			d[along]*n.int("block_size", 0) == extent:
			if along == 0 {
				return n.Call("t", s)
			}
			return s
		}
		return nil
	}
	s, zeros := groups(scale), any(nil)
	if s == nil {
		return nil, false
	}
	if n.has(2) && !allZero(n.value(2)) {
		z := groups(n.tensor(2))
		if z == nil || !slices.Equal(extents(z), extents(s)) {
			return nil, false
		}
		zeros = z
	}
	w := n.Call("_dequantize_groups", codes, s, zeros, nil, bits, low, false)
	if along == 0 {
		w = n.Call("t", w)
	}
	return w, true
}

// allZero reports whether a value is known to be zeros.
func allZero(v *value) bool {
	if v.known == nil || !v.known.DType.IsInt() {
		return false
	}
	for _, b := range v.known.Bytes() {
		if b != 0 {
			return false
		}
	}
	return true
}

// uses are the nodes of a graph that use a name, and the names that graphs inside of it may use.
type uses struct {
	by       map[string][]*proto.Node
	captured map[string]bool
}

func usesIn(g *proto.Graph) *uses {
	u := &uses{map[string][]*proto.Node{}, map[string]bool{}}
	var capture func(g *proto.Graph)
	capture = func(g *proto.Graph) {
		for _, o := range g.Outputs {
			u.captured[o.Name] = true
		}
		for _, n := range g.Nodes {
			for _, name := range n.Inputs {
				u.captured[name] = true
			}
			eachGraph(n, capture)
		}
	}
	for _, o := range g.Outputs {
		u.captured[o.Name] = true
	}
	for _, n := range g.Nodes {
		for i, name := range n.Inputs {
			if !slices.Contains(n.Inputs[:i], name) {
				u.by[name] = append(u.by[name], n)
			}
		}
		eachGraph(n, capture)
	}
	return u
}

// eachGraph calls f with the graphs among the attributes of a node.
func eachGraph(n *proto.Node, f func(g *proto.Graph)) {
	for _, a := range n.Attributes {
		if a.Graph != nil {
			f(a.Graph)
		}
	}
}

// summedAxis returns the axis of a matrix along which all its uses in the graph sum; all uses are products. depth
// counts transpositions.
func (ev *evaluator) summedAxis(name string, depth int) (along int, ok bool) {
	s := ev.scope
	if s.graph == nil || depth > 1 {
		return 0, false
	}
	if s.uses == nil {
		s.uses = usesIn(s.graph)
	}
	if s.uses.captured[name] {
		return 0, false
	}
	along = -1
	for _, user := range s.uses.by[name] {
		at, a := slices.Index(user.Inputs, name), -1
		switch {
		case user.Domain != "" || len(user.Outputs) == 0 || slices.Contains(user.Inputs[at+1:], name):
		case user.Op == "MatMul":
			a = 1 - at
		case user.Op == "Gemm" && at == 1:
			a = 0
			if t := user.Attributes["transB"]; t != nil && (t.Int != 0 || t.Ref != "") {
				a = 1
			}
		case user.Op == "Transpose":
			if inner, ok := ev.summedAxis(user.Outputs[0], depth+1); ok {
				a = 1 - inner
			}
		}
		if a < 0 || along >= 0 && a != along {
			return 0, false
		}
		along = a
	}
	return along, along >= 0
}
