package onnx

import (
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	registerIn(microsoft, "BiasAdd", func(n *node) { n.set(n.Add(n.Add(n.tensor(0), n.tensor(1)), n.tensor(2))) })
	registerIn(microsoft, "Inverse", func(n *node) {
		x := n.tensor(0)
		n.set(n.To(n.Call("linalg_inv", n.wide(x)), elem(x)))
	})
	registerIn(microsoft, "ExpandDims", func(n *node) {
		x := n.tensor(0)
		n.set(n.Call("unsqueeze", x, axis(n.integer(1), rank(x)+1)))
	})
	registerIn(microsoft, "CDist", func(n *node) {
		x, y := n.tensor(0), n.tensor(1)
		if rank(x) != 2 || rank(y) != 2 {
			failf("takes matrices, not tensors of %d and %d dimensions", rank(x), rank(y))
		}
		apart := n.sum(n.Square(n.Sub(n.Call("unsqueeze", x, 1), y)), []int{2}, false)
		switch metric := n.text("metric", "sqeuclidean"); metric {
		case "sqeuclidean":
		case "euclidean":
			apart = n.Call("sqrt", apart)
		default:
			failf("metric %q is not supported", metric)
		}
		n.set(apart)
	})
	for _, name := range []string{"GatherND", "GridSample", "Pad", "Range", "Trilu"} { // as in ai.onnx
		registerIn(microsoft, name, func(n *node) {
			n.version = newestVersion
			operators[proto.Key{Name: name}](n)
		})
	}
}
