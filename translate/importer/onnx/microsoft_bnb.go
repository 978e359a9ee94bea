package onnx

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// halvesOfCodes are the numbers of the first eight codes of FP4, for a largest magnitude of 1. The other eight are
// their negatives.
var halvesOfCodes = []float64{0, 1. / 192, 2. / 3, 1, 1. / 3, 1. / 2, 1. / 6, 1. / 4}

// normalCodes are the numbers of the codes of NF4: quantiles of a normal distribution
// (https://arxiv.org/abs/2305.14314, appendix E).
var normalCodes = []float64{-1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
	-0.18477343022823334, -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634,
	0.33791524171829224, 0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1}

// matmulBnb4 is x·Wᵀ for the weights [N K] of bitsandbytes. A code of 4 bits names one of 16 numbers. A byte has two
// codes, the high bits first. Blocks of codes that follow each other through all rows have a scale each.
func matmulBnb4(n *node) {
	x, rows, columns, block := n.tensor(0), n.int("K", 0), n.int("N", 0), n.int("block_size", 0)
	if rows < 1 || columns < 1 || block < 1 || rows > 1<<31 || columns > 1<<31 {
		failf("%d rows of %d columns in blocks of %d", rows, columns, block)
	}
	if !n.bool("transB", true) {
		failf("transB 0, for gradients, is not supported")
	}
	count := rows * columns
	blocks := (count + block - 1) / block
	packed, scales := n.view(n.tensor(1), -1), n.view(n.tensor(2), -1)
	if elem(packed) != dtype.U8 || extents(packed)[0] != (count+1)/2 || extents(scales)[0] != blocks {
		failf("%s of %s and scales of %s for %d numbers in blocks of %d", elem(packed), shape.String(extents(n.tensor(1))), shape.String(extents(n.tensor(2))), count, block)
	}
	numbers := n.buffer(dtype.F32, []int{16})
	for code := range 16 {
		switch kind := n.int("quant_type", -1); kind {
		case 0:
			numbers.SetFloat64(code, halvesOfCodes[code%8]*float64(1-code/8*2))
		case 1:
			numbers.SetFloat64(code, normalCodes[code])
		default:
			failf("quant_type %d is not supported: 0 is FP4 and 1 is NF4", kind)
		}
	}
	halves := []ops.Value{n.Call("bitwise_right_shift.Tensor_Scalar", packed, 4), n.Call("bitwise_and.Scalar", packed, 15)}
	codes := n.To(n.view(n.Call("stack", halves, 1), -1), dtype.I64)
	weights := n.Call("index_select", n.constant(numbers), 0, codes)
	weights = n.Call("constant_pad_nd", n.Call("slice.Tensor", weights, 0, 0, count, 1), []int{0, blocks*block - count}, 0)
	weights = n.Mul(n.view(weights, blocks, block), n.view(n.To(scales, dtype.F32), blocks, 1))
	weights = n.view(n.Call("slice.Tensor", n.view(weights, -1), 0, 0, count, 1), columns, rows)
	weights = n.To(weights, elem(x))
	n.set(n.Call("matmul", x, n.Call("t", weights)))
}
