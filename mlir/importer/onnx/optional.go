package onnx

import "github.com/go-acap/acap/tensor/buf"

func init() {
	register("Optional", func(n *node) {
		if n.has(0) {
			n.out[0] = n.value(0)
			return
		}
		n.out[0] = &value{absent: true}
	})
	register("OptionalHasElement", func(n *node) {
		n.setKnown(0, buf.From([]bool{n.has(0) && !n.value(0).absent}).Reshape(nil))
	})
	register("OptionalGetElement", func(n *node) {
		if n.value(0).absent {
			failf("the optional value has no element")
		}
		n.out[0] = n.value(0)
	})
}
