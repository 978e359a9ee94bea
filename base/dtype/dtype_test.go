package dtype_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

func TestNames(t *testing.T) {
	for _, d := range dtype.All() {
		for _, name := range []string{d.String(), d.Torch(), "torch." + d.Torch()} {
			got, err := dtype.Parse(name)
			require.NoError(t, err)
			require.Equal(t, d, got)
		}
		require.Equal(t, d, dtype.FromTorchCode(d.TorchCode()))
	}
	_, err := dtype.Parse("f7")
	require.ErrorContains(t, err, `"f7"`)
	require.Equal(t, dtype.Invalid, dtype.FromTorchCode(99))
}

// The table is PyTorch's promoteTypes for the real types.
func TestPromote(t *testing.T) {
	order := []dtype.DType{dtype.U8, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.F16, dtype.F32,
		dtype.F64, dtype.Bool, dtype.BF16}
	rows := []string{
		"u8 i16 i16 i32 i64 f16 f32 f64 u8 bf16",
		"i16 i8 i16 i32 i64 f16 f32 f64 i8 bf16",
		"i16 i16 i16 i32 i64 f16 f32 f64 i16 bf16",
		"i32 i32 i32 i32 i64 f16 f32 f64 i32 bf16",
		"i64 i64 i64 i64 i64 f16 f32 f64 i64 bf16",
		"f16 f16 f16 f16 f16 f16 f32 f64 f16 f32",
		"f32 f32 f32 f32 f32 f32 f32 f64 f32 f32",
		"f64 f64 f64 f64 f64 f64 f64 f64 f64 f64",
		"u8 i8 i16 i32 i64 f16 f32 f64 bool bf16",
		"bf16 bf16 bf16 bf16 bf16 f32 f32 f64 bf16 bf16",
	}
	for i, a := range order {
		var names [10]string
		_, err := fmt.Sscan(rows[i], &names[0], &names[1], &names[2], &names[3], &names[4], &names[5],
			&names[6], &names[7], &names[8], &names[9])
		require.NoError(t, err)
		for j, b := range order {
			require.Equal(t, names[j], dtype.Promote(a, b).String(), "%v with %v", a, b)
		}
	}
}

func TestBFloat16(t *testing.T) {
	for _, c := range []struct {
		in   float32
		want float32
	}{
		{1, 1}, {1.00390625, 1}, {1.01171875, 1.015625}, // ties go to even
		{-3.14159, -3.140625}, {float32(math.Inf(1)), float32(math.Inf(1))},
		{math.MaxFloat32, float32(math.Inf(1))}, {0, 0},
	} {
		require.Equal(t, c.want, dtype.ToBFloat16(c.in).Float32(), "%v", c.in)
	}
	nan := dtype.ToBFloat16(float32(math.NaN())).Float32()
	require.True(t, nan != nan)
}

func TestOf(t *testing.T) {
	require.Equal(t, dtype.F32, dtype.Of[float32]())
	require.Equal(t, dtype.BF16, dtype.Of[dtype.BFloat16]())
	require.Equal(t, dtype.Invalid, dtype.OfValue("text"))
}

func ExamplePromote() {
	fmt.Println(dtype.Promote(dtype.U8, dtype.I8), dtype.Promote(dtype.I64, dtype.F16))
	// Output: i16 f16
}

// Pairs of unsigned integers and of floats of 8 bits, for which PyTorch has no table.
func TestPromoteFurther(t *testing.T) {
	for pair, want := range map[[2]dtype.DType]dtype.DType{
		{dtype.U8, dtype.U16}: dtype.U16, {dtype.U32, dtype.U16}: dtype.U32, {dtype.U64, dtype.U8}: dtype.U64,
		{dtype.U16, dtype.I8}: dtype.I32, {dtype.U16, dtype.I16}: dtype.I32, {dtype.U16, dtype.I64}: dtype.I64,
		{dtype.U32, dtype.I32}: dtype.I64, {dtype.U16, dtype.Bool}: dtype.U16, {dtype.U64, dtype.F16}: dtype.F16,
		{dtype.U32, dtype.C64}: dtype.C64, {dtype.F8E5M2, dtype.F8E4M3FN}: dtype.F16,
		{dtype.F8E4M3FNUZ, dtype.BF16}: dtype.BF16, {dtype.F8E5M2, dtype.I64}: dtype.F8E5M2,
	} {
		require.Equal(t, want, dtype.Promote(pair[0], pair[1]), "%v", pair)
		require.Equal(t, want, dtype.Promote(pair[1], pair[0]), "%v", pair)
		require.True(t, dtype.Compatible(pair[0], pair[1]))
	}
	for _, d := range dtype.All() {
		require.Equal(t, !d.IsInt() || !d.IsSigned(), dtype.Compatible(dtype.U64, d), "%v", d)
	}
}

// TestFloat8E8M0FNU holds conversions against PyTorch 2.14: the bits of an f32, and
// torch.tensor([f]).to(torch.float8_e8m0fnu).view(torch.uint8).
func TestFloat8E8M0FNU(t *testing.T) {
	for bits, want := range map[uint32]uint8{0: 0, 0x80000000: 0, 0x3f800000: 127, 0x3fc00000: 128, 0x3fbfffff: 127, 0x3fc00001: 128,
		0x40000000: 128, 0x40400000: 129, 0x3f400000: 127, 0x3f3fffff: 126, 0xbf800000: 127, 0xc0400000: 129, 0x7f800000: 255, 0xff800000: 255,
		0x7fc00000: 255, 1: 0, 0x200000: 0, 0x3fffff: 0, 0x400000: 0, 0x400001: 1, 0x80400001: 1, 0x5fffff: 1, 0x600000: 1, 0x7fffff: 1,
		0x800000: 1, 0x7effffff: 254, 0x7f000000: 254, 0x7f3fffff: 254, 0x7f400000: 255, 0x7f7fffff: 255, 0xff7fffff: 255, 0x40c00000: 130,
		0x501502f9: 160, 0xb8d1b717: 114, 0x3dcccccd: 124} {
		require.Equal(t, want, dtype.Float8Bits(dtype.F8E8M0FNU, math.Float32frombits(bits)), "%#x", bits)
	}
	for code := range 255 {
		v := math.Ldexp(1, code-127)
		require.EqualValues(t, v, dtype.Float8E8M0FNU(code).Float32())
		require.EqualValues(t, code, dtype.ToFloat8E8M0FNU(float32(v)))
	}
	require.True(t, math.IsNaN(float64(dtype.Float8E8M0FNU(255).Float32())))
	require.Equal(t, dtype.BF16, dtype.Promote(dtype.F8E8M0FNU, dtype.F8E5M2))
	require.Equal(t, dtype.F32, dtype.Promote(dtype.F8E8M0FNU, dtype.F32))
}

// TestFloat8 states values of the specifications' tables.
func TestFloat8(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for d, values := range map[dtype.DType]map[byte]float64{
		dtype.F8E4M3FN:   {0: 0, 1: 0x1p-9, 7: 7 * 0x1p-9, 8: 0x1p-6, 0x38: 1, 0x7e: 448, 0xfe: -448, 0xb8: -1, 0x7f: nan},
		dtype.F8E5M2:     {0: 0, 1: 0x1p-16, 3: 3 * 0x1p-16, 4: 0x1p-14, 0x3c: 1, 0x7b: 57344, 0x7c: inf, 0xfc: -inf, 0x7f: nan},
		dtype.F8E4M3FNUZ: {0: 0, 1: 0x1p-10, 0x40: 1, 0x7f: 240, 0xff: -240, 0x80: nan},
		dtype.F8E5M2FNUZ: {0: 0, 1: 0x1p-17, 0x40: 1, 0x7f: 57344, 0xff: -57344, 0x80: nan},
	} {
		for bits, want := range values {
			got := float64(dtype.Float8Value(d, bits))
			require.True(t, got == want || got != got && want != want, "%v %#x: %v", d, bits, got)
			require.Equal(t, bits, dtype.Float8Bits(d, float32(want)), "%v %v", d, want)
		}
		for bits := range 256 {
			half := dtype.ToFloat16(dtype.Float8Value(d, byte(bits))).Float32()
			require.True(t, half == dtype.Float8Value(d, byte(bits)) || half != half, "%#x", bits)
		}
	}
	require.Equal(t, dtype.Float8E5M2(0xff), dtype.ToFloat8E5M2(float32(math.Copysign(nan, -1))))
	require.Equal(t, float32(-240), dtype.ToFloat8E4M3FNUZ(-241).Float32())
	require.Equal(t, float32(57344), dtype.ToFloat8E5M2FNUZ(61439).Float32())
}

func ExampleToFloat8E4M3FN() {
	fmt.Println(dtype.ToFloat8E4M3FN(0.3).Float32(), dtype.ToFloat8E4M3FN(500).Float32(), dtype.ToFloat8E5M2(1e6).Float32())
	// Output: 0.3125 448 +Inf
}

// TestLeastNormal: the smallest numbers of full precision, by the formats' definitions.
func TestLeastNormal(t *testing.T) {
	for d, want := range map[dtype.DType]float64{dtype.F64: 0x1p-1022, dtype.F32: 0x1p-126, dtype.BF16: 0x1p-126, dtype.F16: 0x1p-14,
		dtype.F8E5M2: 0x1p-14, dtype.F8E4M3FN: 0x1p-6, dtype.F8E4M3FNUZ: 0x1p-7, dtype.F8E8M0FNU: 0x1p-127} {
		require.Equal(t, want, d.Format().LeastNormal(), d.String())
	}
}
