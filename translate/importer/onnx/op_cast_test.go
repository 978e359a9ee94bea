package onnx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// What is cast to a narrow type has one of its values.
func TestNarrowCasts(t *testing.T) {
	checkEach(t, "",
		"x = f32 6: -9 -8 7.9 8 15 16\ny = Cast(x) to=22\nwant y = i8 6: 7 -8 7 -8 -1 0",
		"x = i32 4: -1 15 16 300\ny = Cast(x) to=21\nwant y = u8 4: 15 15 0 12",
		"x = i32 4: -3 1 2 5\ny = Cast(x) to=26\nwant y = i8 4: 1 1 -2 1",
		"x = i32 3: -1 3 6\ny = Cast(x) to=25\nwant y = u8 3: 3 3 2",
		"x = f32 13: 0.25 0.26 0.75 1.25 1.75 2.5 2.6 3.5 -5 5.1 100 nan -0.3\ny = Cast(x) to=23\nwant y = f32 13: 0 0.5 1 1 2 2 3 4 -4 6 6 0 -0.5",
		"x = f32 6: 0 1 1.1 1.4 1.5 2\ny = Cast(x) to=24\nz = Cast(y) to=1\nwant z = f32 6: 0 1 2 2 2 2",
		"x = f32 6: 0 1 1.1 1.4 1.5 2\ny = Cast(x) to=24 round_mode=\"down\"\nz = Cast(y) to=1\nwant z = f32 6: 0 1 1 1 1 2",
		"x = f32 6: 0 1 1.1 1.4 1.5 2\ny = Cast(x) to=24 round_mode=\"nearest\"\nz = Cast(y) to=1\nwant z = f32 6: 0 1 1 1 2 2",
		"x = f32 2x2: 1 9 -9 16\na = i32 2: 1 2\nl = Cast(a) to=22\nk = Unsqueeze(l, z)\nz = i64 1: 0\ny = CastLike(x, k)\nwant y = i8 2x2: 1 -7 7 0",
		"x = f32 4: -20 -1.5 0.5 20\ns = f32: 1\na = i32: 1\nz = Cast(a) to=22\ny = QuantizeLinear(x, s, z)\nwant y = i8 4: -8 -1 1 7",
		"x = f32 4: -20 -1.5 2.5 20\ns = f32: 1\ny = QuantizeLinear(x, s) output_dtype=21\nwant y = u8 4: 0 0 2 15",
		"x = f32 3: 2.5 -7 20\ns = f32: 2\ny = QuantizeLinear(x, s) output_dtype=23\nwant y = f32 3: 1 -4 6",
		"x = i32 3: 5 -7 1000\ns = f32: 2\nz = u8: 128\ny = QuantizeLinear(x, s, z)\nwant y = u8 3: 130 124 255",
		"x = f16 2: 60000 1\ns = f16: 1\nz = u16: 5000\ny = QuantizeLinear(x, s, z)\nwant y = u16 2: 65000 5001",
		"x = f16 2: 3 1\ns = f32: 0.1\ny = QuantizeLinear(x, s) precision=1\nwant y = u8 2: 30 10",
		"x = f32 3: 3 5 -9\na = f32: 1.5\ns = Cast(a) to=24\ny = QuantizeLinear(x, s) output_dtype=3\nwant y = i8 3: 2 2 -4",
		"x = i8 2x4: 1 2 3 4 5 6 7 8\na = f32 2x2: 1 2 4 0.5\ns = Cast(a) to=24\ny = DequantizeLinear(x, s) block_size=2 output_dtype=1\nwant y = f32 2x4: 1 2 6 8 20 24 3.5 4",
		"x = f32 2: 3 0.6\na = f32: 1\nk = Cast(a) to=24\ny = CastLike(x, k) round_mode=\"down\"\nz = Cast(y) to=1\nwant z = f32 2: 2 0.5",
		"x = i8 2: 3 1\ns = f32: 0.5\ny = DequantizeLinear(x, s) output_dtype=10\nwant y = f16 2: 1.5 0.5",
	)
	refuse(t, "x = f32 1: 1\ny = Cast(x) to=24 round_mode=\"odd\"", `round_mode "odd" is not supported`)
}

// The largest and the least power of two are as far as floats without digits go.
func TestE8M0(t *testing.T) {
	x := buf.From([]float32{0, 0x1p-149, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN())}, 5)
	for saturate, top := range map[int64]float64{0: math.NaN(), 1: 0x1p127} {
		y := operate(t, "Cast", 1, []*buf.Buffer{x}, intAttribute("to", 24), intAttribute("saturate", saturate))[0]
		require.Equal(t, dtype.F8E8M0FNU, y.DType)
		for i, want := range []float64{0x1p-127, 0x1p-127, top, math.NaN(), math.NaN()} {
			if math.IsNaN(want) {
				require.True(t, math.IsNaN(y.Float64(i)), "%d: %v", i, y.Float64(i))
			} else {
				require.Equal(t, want, y.Float64(i), i)
			}
		}
	}
}

// Without saturation a float of 8 bits without infinities becomes NaN beyond 464, halfway from 448 to the number that
// would be next; at 464 itself the tie is for the even one, 448 (ONNX Runtime 1.23).
func TestNotSaturated(t *testing.T) {
	inf := float32(math.Inf(1))
	x := buf.From([]float32{448, 464, 464.5, -464, -465, inf, -inf, float32(math.NaN())}, 8)
	nan := math.NaN()
	for saturate, want := range map[int64][]float64{
		0: {448, 448, nan, -448, nan, nan, nan, nan},
		1: {448, 448, 448, -448, -448, 448, -448, nan},
	} {
		for _, d := range []dtype.DType{dtype.F32, dtype.F16, dtype.F64} {
			y := operate(t, "Cast", 1, []*buf.Buffer{x.Cast(d)}, intAttribute("to", 17), intAttribute("saturate", saturate))[0]
			require.Equal(t, dtype.F8E4M3FN, y.DType)
			for i, w := range want {
				require.True(t, y.Float64(i) == w || math.IsNaN(w) && math.IsNaN(y.Float64(i)), "%v %d: %v", d, i, y.Float64(i))
			}
		}
	}
}
