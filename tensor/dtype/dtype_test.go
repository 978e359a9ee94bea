package dtype_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/dtype"
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

// The table is that of PyTorch's promoteTypes for the real types.
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

// TestFloat8 states values of the specification's tables, and that f16 holds all of them.
func TestFloat8(t *testing.T) {
	for bits, want := range map[byte]float32{0x00: 0, 0x01: 0x1p-9, 0x07: 7 * 0x1p-9, 0x08: 0x1p-6, 0x38: 1,
		0x7e: 448, 0xfe: -448, 0xb8: -1} {
		require.Equal(t, want, dtype.Float8E4M3(bits), "%#x", bits)
	}
	for bits, want := range map[byte]float32{0x00: 0, 0x01: 0x1p-16, 0x03: 3 * 0x1p-16, 0x04: 0x1p-14, 0x3c: 1,
		0x7b: 57344, 0x7c: float32(math.Inf(1)), 0xfc: float32(math.Inf(-1)), 0xbc: -1} {
		require.Equal(t, want, dtype.Float8E5M2(bits), "%#x", bits)
	}
	for bits := range 256 {
		for _, v := range []float32{dtype.Float8E4M3(byte(bits)), dtype.Float8E5M2(byte(bits))} {
			half := dtype.ToFloat16(v).Float32()
			require.True(t, half == v || half != half && v != v, "%#x", bits)
			require.Equal(t, math.Signbit(float64(v)), v == v && bits >= 128 || v != v && math.Signbit(float64(v)))
		}
	}
	require.True(t, dtype.Float8E4M3(0x7f) != dtype.Float8E4M3(0x7f))
	require.True(t, dtype.Float8E5M2(0x7d) != dtype.Float8E5M2(0x7d))
}
