package proto

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Floats of 8 bits have the values of ONNX's table of each type, whichever field of a tensor they are in.
func TestFloat8(t *testing.T) {
	nan := math.NaN()
	for elem, want := range map[int64]map[byte]float64{
		17: {0x00: 0, 0x01: 0x1p-9, 0x38: 1, 0x7e: 448, 0xfe: -448, 0x7f: nan},
		18: {0x00: 0, 0x01: 0x1p-10, 0x40: 1, 0x7f: 240, 0xff: -240, 0x80: nan},
		19: {0x00: 0, 0x01: 0x1p-16, 0x3c: 1, 0x7b: 57344, 0x7c: math.Inf(1), 0x7d: nan},
		20: {0x00: 0, 0x01: 0x1p-17, 0x40: 1, 0x7f: 57344, 0xff: -57344, 0x80: nan},
		24: {0x00: 0x1p-127, 0x7f: 1, 0xfe: 0x1p127, 0xff: nan},
	} {
		for bits, v := range want {
			for _, p := range []*Tensor{{Elem: elem, hasRaw: true, raw: []byte{bits}}, {Elem: elem, ints: []int64{int64(bits)}}} {
				d, err := DTypeOf(elem)
				require.NoError(t, err)
				require.True(t, d.IsFloat8())
				require.Equal(t, elem, ElementOf(d))
				b, err := p.buffer(d, []int{1}, nil)
				require.NoError(t, err)
				if got := b.Float64(0); math.IsNaN(v) {
					require.True(t, math.IsNaN(got), "%d %#x", elem, bits)
				} else {
					require.Equal(t, v, got, "%d %#x", elem, bits)
				}
			}
		}
	}
}
