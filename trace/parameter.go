package trace

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
)

// Parameter returns a leaf that wants a gradient, for an owner, the handle whose value
// it is.
func Parameter(b *buf.Buffer, owner any) *Node {
	n := Leaf(b)
	n.Require(owner)
	return n
}

// Require makes a node that nothing takes yet a parameter's value: gradients flow to it
// and end there.
func (n *Node) Require(owner any) {
	s := *n.site
	s.owner, s.link = owner, nil
	n.site = &s
	n.grad, n.ends = true, true
}

// IsParameter reports whether the node is a parameter's value.
func (n *Node) IsParameter() bool { return n.ends }

// Owner returns the handle whose value the node is; nil unless it is a parameter's.
func (n *Node) Owner() any { return n.site.owner }

// Link is a gradient that Go code computes, in the place of the gradients of the calls
// that led to a node.
type Link struct {
	Inputs []ops.Value // what gradients flow to
	// Builder adds calls where the inputs are; nil if that is where the node is.
	Builder ops.Builder
	// Backward returns the gradient of each input, or nil, from the gradients of the results; some of these may be nil.
	Backward func(grads []ops.Value) []ops.Value

	edges    []Edge // of Inputs
	constant bool   // the node is constant in inputs that get no gradient
}

// Connect makes gradients flow from a node that nothing takes yet through a link.
func (n *Node) Connect(l *Link) {
	l.edges = make([]Edge, len(l.Inputs))
	for i, v := range l.Inputs {
		l.edges[i] = edgeOf(v)
	}
	s := *n.site
	s.link = l
	n.site = &s
	n.grad, n.ends = true, false
}

// Junction returns a node of no call, which no program computes, for gradients of values
// of several types to meet in.
func Junction(types []ops.TensorType) *Node {
	s := &site{}
	s.call.Out = types
	s.seal()
	return &Node{site: s}
}

// Affect has values computed whenever a node is, which has just been recorded: a call that
// updates something besides its results, as normalization in training does, needs no
// barrier of its own.
func (n *Node) Affect(values ...ops.Value) {
	s := *n.site
	for _, v := range values {
		e := edgeOf(v)
		s.effects = append(s.effects[:len(s.effects):len(s.effects)], e.Node)
	}
	n.site = &s
}
