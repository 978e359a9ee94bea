package lazy_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// TestAttentionReadsByIndex: attention over rows that an index selects from a memory of all sequences reads them where
// they are. Where something else reads the selected rows as well, keys and values have an index each or two parts of
// one, or come from memories of other lengths, they are selected first. Both give what the host does. Rows may be
// blocks of 8 bits, scores capped, and heads have sinks.
func TestAttentionReadsByIndex(t *testing.T) {
	const sequences, heads, places, keys, width = 3, 2, 100, 64, 32
	q := tensor.Randn(sequences, 2*heads, 1, width)
	memory, other, longer := tensor.Randn(heads, places, width), tensor.Randn(heads, places, width), tensor.Randn(heads, places+20, width)
	numbers := func(step int64) *tensor.Tensor {
		list := make([]int64, sequences*keys)
		for i := range list {
			list[i] = (int64(i)*step + int64(i)/50) % places
		}
		return tensor.FromSlice(list)
	}
	lengths := tensor.FromSlice([]int64{5, 64, 33}, sequences, 1, 1, 1)
	type how struct{ half, apart, parts, long, more, blocks, capped, sinks, copies bool }
	attend := func(move func(*tensor.Tensor) *tensor.Tensor, c how) *tensor.Tensor {
		read := func(x, index *tensor.Tensor) *tensor.Tensor {
			x = move(x)
			if c.half {
				x = tensor.Call("_to_copy", x, tensor.DType(dtype.F16))[0]
			}
			if c.blocks {
				x = blocks(x)
			}
			x = x.IndexSelect(1, index)
			if c.blocks {
				x = tensor.Call("_unpack_blocks", x, "q8_0")[0]
			}
			if c.half {
				x = tensor.Call("_to_copy", x, tensor.DType(dtype.F32))[0]
			}
			return x.Reshape([]int{heads, sequences, keys, width}).Transpose(0, 1)
		}
		index, second := move(numbers(1)), move(numbers(7))
		values := other
		switch {
		case c.parts:
			both := move(tensor.Cat([]*tensor.Tensor{numbers(1), numbers(7)}))
			index, second = both.Narrow(0, 0, sequences*keys), both.Narrow(0, sequences*keys, sequences*keys)
		case !c.apart:
			second = index
		}
		if c.long {
			values = longer
		}
		k, v := read(memory, index), read(values, second)
		seen := move(tensor.ArangeOf[int64](0, keys, 1)).Reshape([]int{1, 1, 1, keys}).Lt(move(lengths))
		y := move(q)
		rows := func() *tensor.Tensor {
			return y.Reshape([]int{sequences, heads, 2, width}).MatMul(k.Transpose(2, 3)).MulScalar(0.2)
		}
		switch {
		case c.sinks:
			sinks := move(tensor.FromSlice([]float32{1, -1, 0.5, 2}, heads, 2, 1))
			all := tensor.Call("_sink_softmax", rows().MaskedFillScalar(seen.LogicalNot(), math.Inf(-1)), sinks, -1)[0]
			y = all.MatMul(v).Reshape([]int{sequences, 2 * heads, 1, width})
		case c.capped:
			all := rows().MulScalar(1/1.5).Tanh().MulScalar(1.5).MaskedFillScalar(seen.LogicalNot(), math.Inf(-1)).Softmax(-1)
			y = all.MatMul(v).Reshape([]int{sequences, 2 * heads, 1, width})
		default:
			y = y.ScaledDotProductAttention(k, v, tensor.AttnMask(seen), tensor.With("enable_gqa", true))
		}
		if c.more {
			y = y.Add(k.Mean())
		}
		return y
	}
	host := func(x *tensor.Tensor) *tensor.Tensor { return x }
	device := func(x *tensor.Tensor) *tensor.Tensor { return x.To(acap.Device()) }
	for _, c := range []how{{}, {half: true}, {blocks: true}, {capped: true}, {sinks: true}, {apart: true, copies: true}, {parts: true, copies: true}, {long: true, copies: true},
		{more: true, copies: true}} {
		y := attend(device, c)
		e, err := lazy.Explain(y)
		require.NoError(t, err)
		copies := slices.ContainsFunc(e.Kernels, func(k lazy.ExplainedKernel) bool { return slices.Contains(k.Calls, "index_select") })
		require.Equal(t, c.copies, copies, "%+v", c)
		require.InDeltaSlice(t, attend(host, c).Float32s(), y.Float32s(), 1e-5)
	}
}

// blocks packs rows as GGUF's q8_0: for 32 numbers a scale, f16, and 8 bits each.
func blocks(x *tensor.Tensor) *tensor.Tensor {
	dims := x.Shape()
	rows := x.Reshape([]int{dims[0], dims[1], dims[2] / 32, 32})
	scale := rows.Abs().Amax(tensor.Dim(-1), tensor.Keepdim).DivScalar(127)
	bytes := func(x *tensor.Tensor, d dtype.DType) *tensor.Tensor {
		return tensor.Call("view.dtype", tensor.Call("_to_copy", x, tensor.DType(d))[0], dtype.U8)[0]
	}
	both := []*tensor.Tensor{bytes(scale, dtype.F16), bytes(rows.Div(scale).Round(), dtype.I8)}
	return tensor.Cat(both, tensor.Dim(-1)).Reshape([]int{dims[0], dims[1], dims[2] / 32 * 34})
}
