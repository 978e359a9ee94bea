package onnx

import "github.com/go-acap/acap/ops"

func init() {
	register("MatMul", func(n *node) {
		if s, ok := n.productOfBytes(n.inputBytes(0), n.inputBytes(1)); ok {
			n.setSums(s, nil)
			return
		}
		n.set(n.Call("matmul", n.tensor(0), n.tensor(1)))
	})
	register("Gemm", gemm)
	register("Einsum", func(n *node) {
		n.set(n.Call("einsum", n.text("equation", ""), n.all()))
	})
	register("Det", func(n *node) { n.set(n.To(n.Call("_linalg_det", n.wide(n.tensor(0))), elem(n.tensor(0)))) })
}

// gemm is alpha·A·B + beta·C with A and B transposed as the attributes say.
func gemm(n *node) {
	a, b := n.tensor(0), n.tensor(1)
	if rank(a) != 2 || rank(b) != 2 {
		failf("takes matrices, not tensors of %d and %d dimensions", rank(a), rank(b))
	}
	alpha, beta := n.float("alpha", 1), n.float("beta", 1)
	if alpha == 1 && beta == 1 {
		if s, ok := n.productOfBytes(n.turnedIf(n.inputBytes(0), "transA"), n.turnedIf(n.inputBytes(1), "transB")); ok {
			n.setBiased(s, 2, func(b ops.Value) ops.Value { return b })
			return
		}
	}
	if n.bool("transA", false) {
		a = n.Call("t", a)
	}
	if n.bool("transB", false) {
		b = n.Call("t", b)
	}
	scaleA, scaleC := scalar(alpha), scalar(beta)
	switch {
	case n.has(2):
		n.set(n.Call("addmm", n.tensor(2), a, b, scaleC, scaleA))
	case alpha == 1:
		n.set(n.Call("mm", a, b))
	default:
		n.set(n.Mul(n.Call("mm", a, b), scaleA))
	}
}

// scalar returns a whole number as one, which integers can be scaled by, too.
func scalar(v float64) any {
	if v == float64(int(v)) {
		return int(v)
	}
	return v
}
