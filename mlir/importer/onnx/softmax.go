package onnx

import "github.com/go-acap/acap/ops"

func init() {
	softmax := func(name string, f func(n *node, x ops.Value, d int) ops.Value) {
		register(name, func(n *node) { n.softmax(f) })
	}
	softmax("Softmax", func(n *node, x ops.Value, d int) ops.Value {
		return n.Call("softmax.int", x, d)
	})
	softmax("LogSoftmax", func(n *node, x ops.Value, d int) ops.Value {
		return n.Call("log_softmax.int", x, d)
	})
	softmax("Hardmax", func(n *node, x ops.Value, d int) ops.Value {
		first := n.Call("argmax", x, d, true)
		return n.Call("scatter.value", n.Zeros(x.Type()), d, first, 1)
	})
}

// softmax is along one axis since version 13; before, over all dimensions from axis on at once.
func (n *node) softmax(f func(n *node, x ops.Value, d int) ops.Value) {
	x := n.tensor(0)
	if n.version >= 13 {
		n.set(f(n, x, axis(n.int("axis", -1), rank(x))))
		return
	}
	flat := n.flatten(x, n.int("axis", 1))
	n.set(n.Reshape(f(n, flat, 1), extents(x)))
}
