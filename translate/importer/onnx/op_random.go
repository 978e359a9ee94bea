package onnx

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// The random operators draw from the generator of the device on which the model runs. A seed of
// their own is not looked at: what it would give is up to each implementation.
func init() {
	uniform := func(n *node, dims []int, d dtype.DType) ops.Value {
		low, high := n.float("low", 0), n.float("high", 1)
		return n.To(n.Add(n.Mul(n.Call("rand", dims, dtype.F32), high-low), low), d)
	}
	normal := func(n *node, dims []int, d dtype.DType) ops.Value {
		mean, scale := n.float("mean", 0), n.float("scale", 1)
		return n.To(n.Add(n.Mul(n.Call("randn", dims, dtype.F32), scale), mean), d)
	}
	for name, draw := range map[string]func(*node, []int, dtype.DType) ops.Value{
		"RandomUniform": uniform, "RandomNormal": normal,
	} {
		register(name, func(n *node) {
			dims, ok := n.ints("shape")
			if !ok {
				failf("the shape is missing")
			}
			n.set(draw(n, dims, n.elementType(dtype.F32)))
		})
		register(name+"Like", func(n *node) {
			x := n.tensor(0)
			n.set(draw(n, extents(x), n.elementType(elem(x))))
		})
	}
	register("Multinomial", func(n *node) { // of logarithms of probabilities
		x := n.tensor(0)
		drawn := n.Call("multinomial", n.Call("softmax.int", x, -1), n.int("sample_size", 1), true)
		n.set(n.To(drawn, n.elementType(dtype.I32)))
	})
	register("Bernoulli", func(n *node) {
		p := n.tensor(0)
		hit := n.Compare("lt", n.Call("rand", extents(p), dtype.F32), p)
		n.set(n.To(hit, n.elementType(elem(p))))
	})
}

// elementType returns the type that the attribute dtype names.
func (n *node) elementType(or dtype.DType) dtype.DType {
	if n.attributes["dtype"] == nil {
		return or
	}
	d, err := proto.DTypeOf(int64(n.int("dtype", 0)))
	if err != nil {
		failf("%w", err)
	}
	return d
}

// isRandom names the operators whose results are not the same each time.
var isRandom = map[string]bool{"RandomUniform": true, "RandomNormal": true, "RandomUniformLike": true,
	"RandomNormalLike": true, "Bernoulli": true, "Multinomial": true}

// IsRandom reports whether the model draws random numbers, also in its subgraphs and functions.
func (m *Model) IsRandom() bool {
	found := draws(m.proto.Graph.Nodes)
	for _, f := range m.proto.Functions {
		found = found || draws(f.Nodes)
	}
	return found
}

func draws(nodes []*proto.Node) bool {
	for _, n := range nodes {
		if n.Domain == "" && (isRandom[n.Op] || n.Op == "Dropout" && len(n.Inputs) == 3) {
			return true
		}
		for _, a := range n.Attributes {
			if a.Graph != nil && draws(a.Graph.Nodes) {
				return true
			}
		}
	}
	return false
}
