package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// Quantized operators that ONNX Runtime has beside the operators of ai.onnx: they compute on the numbers that their
// operands stand for, and round once.
func init() {
	registerIn(microsoft, "QuantizeLinear", quantizeLinear)
	registerIn(microsoft, "DequantizeLinear", dequantizeLinear)
	registerIn(microsoft, "QLinearAdd", quantizedBinary("add.Tensor", (*node).addInSteps))
	registerIn(microsoft, "QLinearMul", quantizedBinary("mul.Tensor", (*node).multiplyInSteps))
	unary := func(f func(n *node, x ops.Value) ops.Value) func(n *node) {
		return func(n *node) { n.requantize(f(n, n.numbersAt(0)), 3) }
	}
	registerIn(microsoft, "QLinearSigmoid", unary(func(n *node, x ops.Value) ops.Value { return n.Call("sigmoid", x) }))
	registerIn(microsoft, "QLinearLeakyRelu", unary(func(n *node, x ops.Value) ops.Value {
		return n.Call("leaky_relu", x, n.float("alpha", 0.01))
	}))
	registerIn(microsoft, "QLinearSoftmax", quantizedSoftmax)
	registerIn(microsoft, "QLinearGlobalAveragePool", unary(func(n *node, x ops.Value) ops.Value {
		return n.channelsFirst(x, func(x ops.Value) ops.Value { return n.Call("mean.dim", x, spatial(x), true) })
	}))
	registerIn(microsoft, "QLinearAveragePool", unary(func(n *node, x ops.Value) ops.Value {
		return n.channelsFirst(x, func(x ops.Value) ops.Value {
			return n.averageOf(x, n.geometry(x, nil), n.bool("count_include_pad", false))
		})
	}))
	registerIn(microsoft, "QLinearConcat", func(n *node) {
		var list []ops.Value
		for i := 2; i+2 < len(n.in); i += 3 {
			list = append(list, n.numbersAt(i))
		}
		if len(list) == 0 || len(n.in) != 2+3*len(list) {
			failf("%d inputs are no scale, zero point and tensors with theirs", len(n.in))
		}
		n.requantize(n.Call("cat", list, axis(n.int("axis", 0), rank(list[0]))), 0)
	})
	registerIn(microsoft, "QLinearReduceMean", unary(func(n *node, x ops.Value) ops.Value {
		dims, given := n.ints("axes")
		for d := 0; !given && d < rank(x); d++ {
			dims = append(dims, d)
		}
		return n.Call("mean.dim", x, axes(dims, rank(x)), n.bool("keepdims", true))
	}))
	registerIn(microsoft, "QLinearWhere", func(n *node) {
		n.requantize(n.Where(n.tensor(0), n.numbersAt(1), n.numbersAt(4)), 7)
	})
	registerIn(microsoft, "QLinearConv", func(n *node) {
		n.in = slices.Clone(n.in)
		n.set(n.channelsFirst(n.tensor(0), func(x ops.Value) ops.Value {
			n.in[0] = &value{tensor: x}
			quantizedConv(n)
			return n.out[0].tensor
		}))
	})
	registerIn(microsoft, "MatMulIntegerToFloat", func(n *node) {
		if s, ok := n.productOfBytes(n.bytesAt(0, 2, 4, -2), n.bytesAt(1, 3, 5, -1)); ok {
			n.setBiased(s, 6, func(b ops.Value) ops.Value { return b })
			return
		}
		n.set(n.integerProduct(n.tensor(0), n.tensor(2), n.zeroPoint(4), n.zeroPoint(5), 3, 6))
	})
	registerIn(microsoft, "DynamicQuantizeMatMul", func(n *node) {
		a, scale, zero := n.quantizeDynamically(n.tensor(0))
		if b := n.bytesAt(1, 2, 3, -1); b != nil {
			one := slices.Repeat([]int{1}, rank(a))
			rows := &importer.Bytes{Codes: a, Scale: n.Reshape(scale, one), Zero: n.To(n.Reshape(zero, one), dtype.I32)}
			if s, ok := n.productOfBytes(rows, b); ok {
				n.setBiased(s, 4, func(b ops.Value) ops.Value { return b })
				return
			}
		}
		n.set(n.integerProduct(a, scale, zero, n.zeroPoint(3), 2, 4))
	})
	registerIn(microsoft, "QGemm", quantizedGemm)
	registerIn(microsoft, "QAttention", func(n *node) { // on the numbers of the input and the weights
		x, w := n.numbersOfQuantized(0, 3, 6), n.numbersOfQuantized(1, 4, 7)
		n.in = []*value{{tensor: x}, {tensor: w}, n.input(2), n.input(5), n.input(8)}
		packedAttention(n)
	})
	registerIn(microsoft, "DynamicQuantizeLSTM", func(n *node) {
		w, r := n.gateWeights(1, 8), n.gateWeights(2, 10)
		n.in = append([]*value{n.in[0], {tensor: w}, {tensor: r}}, n.in[3:min(8, len(n.in))]...)
		n.recur(4, lstmCell)
	})
	registerIn(microsoft, "QEmbedLayerNormalization", func(n *node) {
		all := *n // with scales where others have places
		n.in = n.in[:min(8, len(n.in))]
		n.embed(func(i int, v ops.Value) ops.Value {
			return n.dequantize(v, n.onlyElement(all.tensor(6+i)), all.zeroPoint(11+i))
		})
	})
	registerIn(microsoft, "MatMulNBits", matmulBits)
	registerIn(microsoft, "MatMulBnb4", matmulBnb4)
}

// numbersAt returns the numbers that input i stands for, whose only scale and zero point are the next inputs.
func (n *node) numbersAt(i int) ops.Value {
	n.oneElement(i+1, i+2)
	return n.numbersOfQuantized(i, i+1, i+2)
}

// numbersOfQuantized returns the numbers that an input stands for, whose scale and zero point are other inputs, one for
// all or for each column.
func (n *node) numbersOfQuantized(i, scale, zero int) ops.Value {
	return n.dequantize(n.tensor(i), n.onlyElement(n.tensor(scale)), n.zeroPoint(zero))
}

// gateWeights returns the weights [D G·H I] of a recurrent operator from quantized ones [D I G·H], whose scales and
// zero points are the inputs from scale on: one for each direction, or for each column.
func (n *node) gateWeights(i, scale int) ops.Value {
	w := n.tensor(i)
	if rank(w) != 3 {
		failf("weights of %s", shape.String(extents(w)))
	}
	perColumn := func(v ops.Value) ops.Value {
		d := extents(w)
		if count := size(extents(v)); count != d[0] && count != d[0]*d[2] || d[0] == 0 {
			failf("%s of scales or zero points for weights of %s", shape.String(extents(v)), shape.String(d))
		}
		return n.view(v, d[0], 1, -1)
	}
	return n.Call("transpose.int", n.dequantize(w, perColumn(n.tensor(scale)), perColumn(n.tensor(scale+1))), 1, 2)
}

// zeroPoint returns input i, without dimensions if it has one element, or nil.
func (n *node) zeroPoint(i int) ops.Value {
	if !n.has(i) {
		return nil
	}
	return n.onlyElement(n.tensor(i))
}

// integerProduct is A·B for what the quantized matrices stand for, and a bias. B is the second input, whose scale
// and zero point may be one for each column.
func (n *node) integerProduct(a, scale, zero, zeroB ops.Value, scaleB, bias int) ops.Value {
	left := n.dequantize(a, n.onlyElement(scale), zero)
	right := n.dequantize(n.tensor(1), n.onlyElement(n.tensor(scaleB)), zeroB)
	y := n.Call("matmul", left, right)
	if n.has(bias) {
		y = n.Add(y, n.tensor(bias))
	}
	return y
}

// onlyElement takes the dimensions from a scale of one element, and leaves others.
func (n *node) onlyElement(x ops.Value) ops.Value {
	if size(extents(x)) == 1 {
		return n.Reshape(x, nil)
	}
	return x
}

// requantize gives the first output the type of the zero point that follows the scale in input i, of bytes
// like the first input if there is none.
func (n *node) requantize(x ops.Value, i int) {
	n.oneElement(i, i+1)
	d, zero := dtype.U8, ops.Value(nil)
	if n.has(i + 1) {
		zero = n.onlyElement(n.tensor(i + 1))
		d = elem(zero)
	} else if first := elem(n.tensor(0)); first == dtype.I8 {
		d = first
	}
	n.set(n.quantize(x, n.onlyElement(n.tensor(i)), zero, d))
}

// channelsFirst runs f on a picture whose channels come last if the model says so.
func (n *node) channelsFirst(x ops.Value, f func(ops.Value) ops.Value) ops.Value {
	if !n.bool("channels_last", false) {
		return f(x)
	}
	if rank(x) < 3 {
		failf("takes a tensor of at least 3 dimensions, not %d", rank(x))
	}
	first, last := make([]int, rank(x)), make([]int, rank(x))
	for d := range first {
		switch d {
		case 0:
		case 1:
			first[d], last[d] = rank(x)-1, 2
		default:
			first[d], last[d] = d-1, d+1
		}
	}
	last[rank(x)-1] = 1
	return n.Call("permute", f(n.Call("permute", x, first)), last)
}

// quantizedGemm is alpha times a product of quantized matrices, plus a bias of integers. The second matrix may have a
// scale for each column. Without a scale for the result its numbers are not rounded.
func quantizedGemm(n *node) {
	if s, ok := n.productOfBytes(n.turnedIf(n.bytesAt(0, 1, 2, -1), "transA"), n.turnedIf(n.bytesAt(3, 4, 5, n.outputs("transB")), "transB")); ok && n.float("alpha", 1) == 1 {
		if n.has(6) {
			s = s.Plus(n.Emit, n.tensor(6))
		}
		if !n.has(7) {
			n.setSums(s, nil)
			return
		}
		if n.setQuantized(s, 7) {
			return
		}
	}
	scaleA, scaleB := n.onlyElement(n.tensor(1)), n.onlyElement(n.tensor(4))
	a := n.numbersAt(0)
	zeroB := ops.Value(nil)
	if n.has(5) {
		zeroB = n.onlyElement(n.tensor(5))
	}
	b := n.tensor(3)
	if n.bool("transA", false) {
		a = n.Call("transpose.int", a, -2, -1)
	}
	if n.bool("transB", false) {
		b = n.Call("transpose.int", b, -2, -1)
	}
	y := n.Call("matmul", a, n.dequantize(b, scaleB, zeroB))
	alpha := n.float("alpha", 1)
	if alpha != 1 {
		y = n.Mul(y, alpha)
	}
	if n.has(6) { // whose unit is the unit of the products
		unit := n.Mul(n.Mul(scaleA, scaleB), alpha)
		y = n.Add(y, n.Mul(n.To(n.tensor(6), elem(y)), unit))
	}
	if !n.has(7) {
		n.set(y)
		return
	}
	n.requantize(y, 7)
}

// outputs is the dimension of a matrix for the columns of a product.
func (n *node) outputs(transposed string) int {
	if n.bool(transposed, false) {
		return 0
	}
	return 1
}

// quantizedSoftmax has a whole number of steps to 1: what the scale leaves over is cut off. The version of ai.onnx says
// which dimensions are summed.
func quantizedSoftmax(n *node) {
	n.version = int64(n.int("opset", 13))
	x := n.numbersAt(0)
	scale, zero := n.parameter(3, dtype.F32, x, math.MaxInt), n.parameter(4, dtype.I32, x, math.MaxInt)
	if scale == nil || zero == nil {
		failf("takes one scale and zero point")
	}
	steps := n.quotient(1, scale)
	if t, ok := steps.(ops.Value); ok {
		steps = n.Call("floor", t)
	} else {
		steps = math.Floor(steps.(float64))
	}
	d := elem(n.tensor(0))
	n.in = []*value{{tensor: x}}
	n.softmax(func(n *node, x ops.Value, along int) ops.Value { return n.Call("softmax.int", x, along) })
	n.set(n.nearest(n.Mul(n.out[0].tensor, steps), zero, d))
}
