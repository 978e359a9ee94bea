package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	activation := func(name string, f func(n *node, x ops.Value) ops.Value) {
		register(name, func(n *node) { n.set(f(n, n.tensor(0))) })
	}
	activation("Celu", func(n *node, x ops.Value) ops.Value {
		return n.Call("celu", x, n.float("alpha", 1))
	})
	activation("Elu", func(n *node, x ops.Value) ops.Value {
		return n.Call("elu", x, n.float("alpha", 1))
	})
	activation("LeakyRelu", func(n *node, x ops.Value) ops.Value {
		return n.Call("leaky_relu", x, n.float("alpha", 0.01))
	})
	activation("HardSwish", func(n *node, x ops.Value) ops.Value { return n.Call("hardswish", x) })
	activation("HardSigmoid", func(n *node, x ops.Value) ops.Value {
		return n.hardSigmoid(x, n.float("alpha", 0.2), n.float("beta", 0.5))
	})
	activation("Softplus", (*node).softplus)
	activation("Softsign", func(n *node, x ops.Value) ops.Value {
		return n.Div(x, n.Add(n.Call("abs", x), 1))
	})
	activation("Gelu", func(n *node, x ops.Value) ops.Value {
		return n.Call("gelu", x, n.text("approximate", "none"))
	})
	activation("Selu", selu)
	activation("Shrink", shrink)
	activation("ThresholdedRelu", func(n *node, x ops.Value) ops.Value {
		return n.Keep(n.Compare("gt", x, n.float("alpha", 1)), x)
	})
	register("PRelu", func(n *node) {
		x, slope := n.tensor(0), n.tensor(1)
		if n.version < 7 && rank(slope) == 1 { // one slope for each channel
			for range rank(x) - 2 {
				slope = n.Call("unsqueeze", slope, rank(slope))
			}
		}
		n.set(n.Where(n.Compare("lt", x, 0), n.Mul(x, slope), x))
	})
	register("Dropout", dropout)
	register("Swish", func(n *node) { n.set(n.swish(n.tensor(0), n.float("alpha", 1))) })
	register("SwiGLU", func(n *node) {
		gate, x := n.tensor(0), n.tensor(1)
		if !slices.Equal(extents(gate), extents(x)) {
			failf("a gate of %s for %s", shape.String(extents(gate)), shape.String(extents(x)))
		}
		n.set(n.Mul(n.swish(gate, n.float("alpha", 1)), x))
	})
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
		if size(extents(x)) == 0 {
			return x
		}
		first := n.Call("argmax", x, d, true)
		return n.Call("scatter.value", n.Zeros(x.Type()), d, first, 1)
	})
}

func (n *node) hardSigmoid(x ops.Value, alpha, beta float64) ops.Value {
	return n.Call("clamp", n.Add(n.Mul(x, alpha), beta), 0, 1)
}

// softplus is log(1 + eˣ), computed without overflow as max(x, 0) + log1p(e^-|x|).
func (n *node) softplus(x ops.Value) ops.Value {
	tail := n.Call("log1p", n.Call("exp", n.Neg(n.Call("abs", x))))
	return n.Add(n.Call("relu", x), tail)
}

// selu has constants that the model may change.
func selu(n *node, x ops.Value) ops.Value {
	alpha := n.float("alpha", 1.67326319217681884765625)
	gamma := n.float("gamma", 1.05070102214813232421875)
	return n.Call("elu", x, alpha, gamma)
}

// shrink moves what is farther than lambd from zero towards zero by bias, and zeroes the rest.
func shrink(n *node, x ops.Value) ops.Value {
	lambd, bias := n.float("lambd", 0.5), n.float("bias", 0)
	low := n.Keep(n.Compare("lt", x, -lambd), n.Add(x, bias))
	return n.convert(n.Where(n.Compare("gt", x, lambd), n.Sub(x, bias), low), elem(x))
}

// dropout does nothing unless the model asks for training.
func dropout(n *node) {
	ratio := n.float("ratio", 0.5)
	if n.has(1) {
		ratio = n.number(1)
	}
	training := false
	if n.has(2) {
		training = n.integer(2) != 0
	}
	if training && ratio != 0 && !math.IsNaN(ratio) {
		results := n.Calls("native_dropout", n.tensor(0), ratio, true)
		n.set(results...)
		return
	}
	n.out[0] = n.value(0)
	if n.wants(1) {
		n.set(nil, n.Full(extents(n.tensor(0)), true, dtype.Bool))
	}
}

// swish is x·σ(α·x).
func (n *node) swish(x ops.Value, alpha float64) ops.Value {
	return n.Mul(x, n.Call("sigmoid", n.Mul(x, alpha)))
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
