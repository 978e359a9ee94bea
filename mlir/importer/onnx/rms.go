package onnx

import (
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/dtype"
)

func init() { register("RMSNormalization", rmsNorm) }

// rmsNorm divides by the root of the mean square over all dimensions from axis on, in f32 if
// stash_type says so.
func rmsNorm(n *node) {
	x := n.tensor(0)
	var dims []int
	for d := axis(n.int("axis", -1), rank(x)); d < rank(x); d++ {
		dims = append(dims, d)
	}
	if len(dims) == 0 {
		failf("takes a tensor with dimensions")
	}
	var wide ops.Value = x
	if n.int("stash_type", 1) == 1 && elem(x).Size() < 4 {
		wide = n.To(x, dtype.F32)
	}
	mean := n.Call("mean.dim", n.Square(wide), dims, true)
	factor := n.Call("rsqrt", n.Add(mean, n.float("epsilon", 1e-5)))
	n.set(n.Mul(n.To(n.Mul(wide, factor), elem(x)), n.tensor(1)))
}
