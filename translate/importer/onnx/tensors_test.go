package onnx

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// TestListedElements: elements that stand one by one in a tensor's fields, packed and one a field.
func TestListedElements(t *testing.T) {
	fixed := func(number, bytes int, packed bool, words ...uint64) []byte {
		var all, out []byte
		for _, w := range words {
			one := binary.LittleEndian.AppendUint64(nil, w)[:bytes]
			wire := map[int]int{4: wireFixed32, 8: wireFixed64}[bytes]
			all, out = append(all, one...), append(append(out, tag(number, wire)...), one...)
		}
		if packed {
			return putBytes(number, all)
		}
		return out
	}
	single := func(v float32) uint64 { return uint64(math.Float32bits(v)) }
	m, err := Read(putModel(24, putGraph(putBytes(11, putText(1, "x")), putBytes(12, putText(1, "x")))), "m")
	require.NoError(t, err)
	for _, packed := range []bool{true, false} {
		for _, c := range []struct {
			code   int64
			fields []byte
			dtype  dtype.DType
			want   []complex128
		}{
			{1, fixed(4, 4, packed, single(1.5), single(-2)), dtype.F32, []complex128{1.5, -2}},
			{11, fixed(10, 8, packed, math.Float64bits(1.5), math.Float64bits(-2)), dtype.F64, []complex128{1.5, -2}},
			{14, fixed(4, 4, packed, single(1.5), single(-2), single(3), single(4)), dtype.C64, []complex128{1.5 - 2i, 3 + 4i}},
			{15, fixed(10, 8, packed, math.Float64bits(1.5), math.Float64bits(-2), math.Float64bits(3), math.Float64bits(4)),
				dtype.C128, []complex128{1.5 - 2i, 3 + 4i}},
			{10, append(putInt(5, 0x3e00), putInt(5, 0xc000)...), dtype.F16, []complex128{1.5, -2}},
			{16, append(putInt(5, 0x3fc0), putInt(5, 0xc000)...), dtype.BF16, []complex128{1.5, -2}},
			{19, append(putInt(5, 0x40), putInt(5, 0xc0)...), dtype.F8E5M2, []complex128{2, -2}},
			{7, append(putInt(7, 5), putInt(7, -2)...), dtype.I64, []complex128{5, -2}},
			{3, append(putInt(5, 5), putInt(5, -2)...), dtype.I8, []complex128{5, -2}},
		} {
			data := append(append(putInt(1, 2), putInt(2, c.code)...), c.fields...)
			v, err := m.ReadInput(0, data, "x.pb")
			require.NoError(t, err, c.dtype)
			require.Equal(t, c.dtype, v.Tensor.DType)
			for i, want := range c.want {
				if c.dtype.IsComplex() {
					require.Equal(t, want, v.Tensor.Complex(i), c.dtype)
				} else {
					require.Equal(t, real(want), v.Tensor.Float64(i), c.dtype)
				}
			}
			_, err = m.ReadInput(0, append(data, putInt(1, 3)...), "x.pb")
			require.ErrorContains(t, err, " elements", "of a matrix of two by three %v", c.dtype)
		}
	}
	_, err = m.ReadInput(1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 inputs")
	_, err = m.ReadInput(-1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 inputs")
	_, err = m.ReadOutput(1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 outputs")
	_, err = m.ReadOutput(-1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 outputs")
}
