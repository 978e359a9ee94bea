package onnx

import (
	"github.com/go-acap/acap/mlir/importer/onnx/proto"
	"github.com/go-acap/acap/tensor/dtype"
)

func init() {
	registerIn(microsoft, "SkipSimplifiedLayerNormalization", func(n *node) {
		sum := n.Add(n.tensor(0), n.tensor(1))
		if n.has(3) {
			sum = n.Add(sum, n.tensor(3))
		}
		mean := n.Call("mean.dim", n.Square(sum), []int{-1}, true)
		factor := n.Call("rsqrt", n.Add(mean, n.float("epsilon", 1e-5)))
		n.set(n.Mul(n.Mul(sum, factor), n.tensor(2)), nil, factor, sum)
	})
	registerIn(microsoft, "RotaryEmbedding", func(n *node) {
		// The places come before the cosines and sines here; one place is that of the first element.
		places := n.To(n.tensor(1), dtype.I64)
		length := extents(n.tensor(0))[min(rank(n.tensor(0))-2, 2)]
		if size(extents(places)) == 1 && length != 1 {
			row := n.Call("arange.start", 0, length, dtype.I64)
			places = n.Expand(n.Add(row, n.Reshape(places, nil)), []int{extents(n.tensor(0))[0], length})
		}
		n.in = []*value{n.in[0], n.value(2), n.value(3), {tensor: places}}
		if rank(n.tensor(0)) == 3 && n.int("num_heads", 0) == 0 { // heads are as wide as the cache says
			width := 2 * extents(n.tensor(1))[rank(n.tensor(1))-1]
			n.attributes["num_heads"] = &proto.Attribute{Int: int64(extents(n.tensor(0))[2] / max(width, 1))}
		}
		rotary(n)
	})
}
