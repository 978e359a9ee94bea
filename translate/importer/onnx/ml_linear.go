package onnx

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	registerIn(classical, "LinearRegressor", func(n *node) {
		y := n.linearModel(n.rows(0), n.int("targets", 1))
		n.set(n.To(n.transformed(y, n.text("post_transform", "NONE")), dtype.F32))
	})
	registerIn(classical, "LinearClassifier", func(n *node) {
		c, x, transform := n.classes("classlabels_ints"), n.rows(0), n.text("post_transform", "NONE")
		lines := c.len()
		if lines == 2 && len(n.exactFloats("coefficients")) == extents(x)[1] {
			lines = 1 // which tells the second class from the first
		}
		scores := n.linearModel(x, lines)
		if lines == 1 && c.len() == 2 {
			scores = n.twoScores(scores)
		}
		threshold := 0.5
		if transform == "NONE" {
			threshold = 0
		}
		n.classify(c, n.transformed(scores, transform), threshold)
	})
}

// linearModel is X·Wᵀ + b for the attributes coefficients, target after target, and intercepts.
func (n *node) linearModel(x ops.Value, targets int) ops.Value {
	weights, features := n.exactFloats("coefficients"), extents(x)[1]
	if targets < 1 || targets > len(weights) || targets*features != len(weights) {
		failf("%d coefficients of %d targets for %s", len(weights), targets, shape.String(extents(x)))
	}
	y := n.Call("matmul", x, n.Call("t", n.floatMatrix(weights, elem(x), targets, features)))
	if b := n.exactFloats("intercepts"); b != nil {
		if len(b) != targets {
			failf("%d intercepts for %d targets", len(b), targets)
		}
		y = n.Add(y, n.floatVector(b, elem(x)))
	}
	return y
}
