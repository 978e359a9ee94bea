package proto

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// Elements of less than 8 bits lie in bytes from the low bits on, whichever field of a tensor they are in.
func TestNarrowTensors(t *testing.T) {
	for _, c := range []struct {
		elem int64
		dims []int
		raw  []byte
		d    dtype.DType
		want []float64
	}{
		{21, []int{3}, []byte{0xf1, 0x07}, dtype.U8, []float64{1, 15, 7}},
		{22, []int{3}, []byte{0xf1, 0x08}, dtype.I8, []float64{1, -1, -8}},
		{23, []int{2, 2}, []byte{0x71, 0xaf}, dtype.F32, []float64{0.5, 6, -6, -1}},
		{25, []int{5}, []byte{0xe4, 0x02}, dtype.U8, []float64{0, 1, 2, 3, 2}},
		{26, []int{5}, []byte{0xe4, 0x02}, dtype.I8, []float64{0, 1, -2, -1, -2}},
	} {
		list := make([]int64, len(c.raw))
		for i, b := range c.raw {
			list[i] = int64(b)
		}
		for _, p := range []*Tensor{{Elem: c.elem, hasRaw: true, raw: c.raw}, {Elem: c.elem, ints: list}} {
			d, err := DTypeOf(c.elem)
			require.NoError(t, err)
			require.Equal(t, c.d, d)
			b, err := p.buffer(d, c.dims, nil)
			require.NoError(t, err)
			for i, v := range c.want {
				require.Equal(t, v, b.Float64(i), "type %d, element %d", c.elem, i)
			}
		}
		_, err := (&Tensor{Elem: c.elem, hasRaw: true, raw: c.raw[1:]}).buffer(c.d, c.dims, nil)
		require.ErrorContains(t, err, "bytes, not")
	}
}
