package onnx

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

func init() {
	register("NegativeLogLikelihoodLoss", func(n *node) {
		n.set(n.likelihood(n.tensor(0), n.tensor(1), n.optional(2)))
	})
	register("SoftmaxCrossEntropyLoss", func(n *node) {
		logs := n.Call("log_softmax.int", n.tensor(0), 1)
		n.set(n.likelihood(logs, n.tensor(1), n.optional(2)), logs)
	})
}

// likelihood picks minus the logarithm of the probability of each target, weighted by class.
func (n *node) likelihood(logs, target ops.Value, weight any) ops.Value {
	classes := channels(logs)
	ignored := n.attribute("ignore_index", proto.Int)
	index := target
	if ignored != nil { // any class will do: the weight is 0
		skip := n.Compare("eq", target, int(ignored.Int))
		index = n.Where(skip, n.Full(extents(target), 0, elem(target)), target)
	}
	index = n.Where(n.Compare("lt", index, 0), n.Add(index, classes), index)
	picked := n.Call("gather", logs, 1, n.Call("unsqueeze", n.To(index, dtype.I64), 1))
	loss := n.Neg(n.Call("squeeze.dim", picked, 1))
	var weights ops.Value
	if weight != nil {
		flat := n.Call("index_select", weight, 0, n.view(n.To(index, dtype.I64), -1))
		weights = n.Reshape(flat, extents(target))
	}
	if ignored != nil {
		keep := n.To(n.Compare("ne", target, int(ignored.Int)), elem(logs))
		if weights != nil {
			keep = n.Mul(keep, weights)
		}
		weights = keep
	}
	if weights != nil {
		loss = n.Mul(loss, weights)
	}
	switch reduction := n.text("reduction", "mean"); {
	case reduction == "none":
		return loss
	case reduction == "sum":
		return n.Sum(loss, nil, false)
	case reduction != "mean":
		failf("reduction %q is not supported", reduction)
	case weights != nil:
		return n.Div(n.Sum(loss, nil, false), n.Sum(weights, nil, false))
	}
	return n.Call("mean", loss)
}
