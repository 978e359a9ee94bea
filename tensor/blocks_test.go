package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// blocksOf makes a random matrix in blocks of q8_0, mxfp4 or tq2_0, and its values.
func blocksOf(f dtype.Format, rows, cols int) (*tensor.Tensor, []float32) {
	r := rand.New(rand.NewPCG(5, 5))
	width, _ := f.RowBytes(cols)
	b := buf.New(dtype.U8, []int{rows, width})
	data := b.Bytes()
	for i := range data {
		data[i] = byte(r.Uint32())
		switch at := i % f.Bytes(); {
		case f == dtype.MXFP4 && at == 0:
			data[i] = byte(120 + r.IntN(8))
		case f == dtype.Q8_0 && at == 1, f == dtype.TQ2_0 && at == 65: // of an f16
			data[i] = byte(0x20 + r.IntN(8))
		}
	}
	values := make([]float32, rows*cols)
	block.Decode(f, values, data)
	return tensor.FromBuffer(b), values
}

// roundedRows are rows whose values are rounded to 8 bits.
func roundedRows(x *tensor.Tensor) *tensor.Tensor {
	list := x.Float32s()
	q, scales := make([]int8, len(list)), make([]float32, len(list)/block.Rounded)
	block.Round(q, scales, list)
	for i := range list {
		list[i] = scales[i/block.Rounded] * float32(q[i])
	}
	return tensor.FromSlice(list, x.Shape()...)
}

// TestPackedMatrix: products with a packed matrix are those with its values, lazily and eagerly, and no kernel writes
// the values.
func TestPackedMatrix(t *testing.T) {
	for _, f := range []dtype.Format{dtype.Q8_0, dtype.MXFP4, dtype.TQ2_0} {
		rows, values := blocksOf(f, 40, 512)
		w := tensor.FromSlice(values, 40, 512)
		for _, lines := range []int{1, 3, 20} {
			x, bias := tensor.Randn(lines, 512), tensor.Randn(40)
			want := x.Linear(w, tensor.Bias(bias)).SiLU().Float32s()
			eager := tensor.Pack(rows, f).Linear(x, bias).SiLU()
			require.InDeltaSlice(t, want, eager.Float32s(), 2e-3)
			rounded := roundedRows(x).Linear(w, tensor.Bias(bias)).SiLU().Float32s()
			dev := acap.Device()
			for i, packed := range []*tensor.Packed{tensor.Pack(rows.To(dev), f), tensor.Pack(rows, f).To(dev).Rounded()} {
				y := packed.Linear(x.To(dev), bias.To(dev)).SiLU()
				exe, err := lazy.Explain(y)
				require.NoError(t, err)
				require.NotContains(t, exe.String(), "unpack_blocks: ", "%v", f)
				got := y.Float32s()
				if i == 1 && lines <= 8 { // it may round more of them
					require.InDeltaSlice(t, rounded, got, 2e-3)
					continue
				}
				exact := true
				for j := range got {
					exact = exact && math.Abs(float64(got[j]-want[j])) < 2e-3
				}
				if i == 1 && !exact {
					require.InDeltaSlice(t, rounded, got, 2e-3)
					continue
				}
				require.True(t, exact, "%v", f)
			}
		}
		at := tensor.FromSlice([]int64{3, 39, 0})
		got := tensor.Pack(rows, f).Embedding(at)
		require.Equal(t, tensor.Embedding(w, at).Float32s(), got.Float32s())
	}
}
