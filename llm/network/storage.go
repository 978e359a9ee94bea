package network

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/tensor"
)

// packed returns rows as they are kept.
func packed(k cache.Storage, x *tensor.Tensor) *tensor.Tensor {
	if k.Format == dtype.Plain {
		return as(x, k.DType)
	}
	return packQ80(x)
}

// unpacked returns the numbers of rows that are kept, f32.
func unpacked(k cache.Storage, x *tensor.Tensor) *tensor.Tensor {
	if k.Format == dtype.Plain {
		return as(x, dtype.F32)
	}
	return tensor.Call("_unpack_blocks", x, k.Format.String())[0]
}

// as returns numbers converted to another type.
func as(x *tensor.Tensor, d dtype.DType) *tensor.Tensor {
	if x.DType() == d {
		return x
	}
	return tensor.Call("_to_copy", x, tensor.DType(d))[0]
}

// packQ80 packs rows as GGUF's q8_0: each 32 numbers x are the nearest multiples of a scale, max|x|/127, which is f16,
// by 8 bits. A half is rounded away from 0.
func packQ80(x *tensor.Tensor) *tensor.Tensor {
	const block = 32
	dims := x.Shape()
	last := len(dims) - 1
	parts := append(dims[:last:last], dims[last]/block, block)
	x = x.Reshape(parts)
	scale := x.Abs().Amax(tensor.Dim(-1), tensor.Keepdim).DivScalar(127)
	some := scale.GtScalar(0)
	by := some.Where(scale, scale.OnesLike()).Reciprocal()
	q := x.Mul(by)
	q = q.Sign().Mul(q.Abs().AddScalar(0.5).Floor())
	bytes := func(x *tensor.Tensor, d dtype.DType) *tensor.Tensor {
		return tensor.Call("view.dtype", as(x, d), dtype.U8)[0]
	}
	both := tensor.Cat([]*tensor.Tensor{bytes(scale, dtype.F16), bytes(q, dtype.I8)}, tensor.Dim(-1))
	return both.Reshape(append(dims[:last:last], dims[last]/block*dtype.Q8_0.Bytes()))
}
