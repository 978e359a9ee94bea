package dtype_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
)

// TestFacts: what each type is, by its names and by PyTorch's number of it.
func TestFacts(t *testing.T) {
	const whole, real, complex = dtype.CategoryInt, dtype.CategoryFloat, dtype.CategoryComplex
	facts := []struct {
		d                  dtype.DType
		short, torch, mlir string
		code, size, bits   int
		category           dtype.Category
		signed             bool
		signless           dtype.DType
	}{
		{dtype.Bool, "bool", "bool", "i1", 11, 1, 1, dtype.CategoryBool, false, dtype.Bool},
		{dtype.U8, "u8", "uint8", "ui8", 0, 1, 8, whole, false, dtype.I8}, {dtype.I8, "i8", "int8", "i8", 1, 1, 8, whole, true, dtype.I8},
		{dtype.U16, "u16", "uint16", "ui16", 27, 2, 16, whole, false, dtype.I16}, {dtype.I16, "i16", "int16", "i16", 2, 2, 16, whole, true, dtype.I16},
		{dtype.U32, "u32", "uint32", "ui32", 28, 4, 32, whole, false, dtype.I32}, {dtype.I32, "i32", "int32", "i32", 3, 4, 32, whole, true, dtype.I32},
		{dtype.U64, "u64", "uint64", "ui64", 29, 8, 64, whole, false, dtype.I64}, {dtype.I64, "i64", "int64", "i64", 4, 8, 64, whole, true, dtype.I64},
		{dtype.F8E4M3FN, "f8e4m3fn", "float8_e4m3fn", "f8E4M3FN", 24, 1, 8, real, true, dtype.I8},
		{dtype.F8E5M2, "f8e5m2", "float8_e5m2", "f8E5M2", 23, 1, 8, real, true, dtype.I8},
		{dtype.F8E4M3FNUZ, "f8e4m3fnuz", "float8_e4m3fnuz", "f8E4M3FNUZ", 26, 1, 8, real, true, dtype.I8},
		{dtype.F8E5M2FNUZ, "f8e5m2fnuz", "float8_e5m2fnuz", "f8E5M2FNUZ", 25, 1, 8, real, true, dtype.I8},
		{dtype.F8E8M0FNU, "f8e8m0fnu", "float8_e8m0fnu", "f8E8M0FNU", 44, 1, 8, real, false, dtype.I8},
		{dtype.F16, "f16", "float16", "f16", 5, 2, 16, real, true, dtype.F16}, {dtype.BF16, "bf16", "bfloat16", "bf16", 15, 2, 16, real, true, dtype.BF16},
		{dtype.F32, "f32", "float32", "f32", 6, 4, 32, real, true, dtype.F32}, {dtype.F64, "f64", "float64", "f64", 7, 8, 64, real, true, dtype.F64},
		{dtype.C64, "c64", "complex64", "complex<f32>", 9, 8, 64, complex, true, dtype.C64}, {dtype.C128, "c128", "complex128", "complex<f64>", 10, 16, 128, complex, true, dtype.C128},
	}
	all := dtype.All()
	require.Len(t, all, len(facts))
	for i, f := range facts {
		d := f.d
		require.Equal(t, all[i], d)
		require.Equal(t, []string{f.short, f.torch, f.mlir}, []string{d.String(), d.Torch(), d.MLIR()})
		require.Equal(t, []int{f.code, f.size, f.bits}, []int{d.TorchCode(), d.Size(), d.Bits()}, f.short)
		require.Equal(t, f.category, d.Category())
		require.Equal(t, []bool{f.category == whole, f.category == real, f.category == complex, f.category == real && f.size == 1},
			[]bool{d.IsInt(), d.IsFloat(), d.IsComplex(), d.IsFloat8()})
		require.Equal(t, f.signed, d.IsSigned(), f.short)
		require.Equal(t, f.signless, d.Signless(), f.short)
		require.True(t, d.Valid())
		require.Equal(t, d, dtype.FromTorchCode(f.code))
		want := d
		if f.category < real {
			want = dtype.F32
		}
		require.Equal(t, want, dtype.Floating(d))
		require.Equal(t, d, dtype.Promote(d, d))
		require.Equal(t, d, dtype.Promote(d, dtype.Invalid))
		require.Equal(t, d, dtype.Promote(dtype.Invalid, d))
		require.Equal(t, d, dtype.Promote(dtype.Bool, d), "bool gives way")
	}
	for name, want := range map[string]dtype.DType{"float": dtype.F32, "double": dtype.F64, "half": dtype.F16, "long": dtype.I64, "int": dtype.I32,
		"short": dtype.I16, "cfloat": dtype.C64, "cdouble": dtype.C128, "torch.long": dtype.I64, "ui8": dtype.U8, "f8E5M2": dtype.F8E5M2} {
		got, err := dtype.Parse(name)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	for _, name := range []string{"", "invalid", "none", "torch.f7", "torch.torch.float", "F32"} {
		_, err := dtype.Parse(name)
		require.EqualError(t, err, `dtype: unknown element type "`+strings.TrimPrefix(name, "torch.")+`"`)
	}
	require.False(t, dtype.Invalid.Valid() || dtype.DType(len(all)+1).Valid())
	require.Equal(t, "dtype(77)", dtype.DType(77).String())
	require.Equal(t, "invalid", dtype.Invalid.String())
}

// TestComplexPromotion: a complex type is as wide as the widest of the two.
func TestComplexPromotion(t *testing.T) {
	for _, d := range dtype.All() {
		want := dtype.C64
		if d == dtype.F64 || d == dtype.C128 {
			want = dtype.C128
		}
		require.Equal(t, want, dtype.Promote(dtype.C64, d))
		require.Equal(t, want, dtype.Promote(d, dtype.C64))
		require.Equal(t, dtype.C128, dtype.Promote(dtype.C128, d))
		for _, e := range dtype.All() {
			require.Equal(t, dtype.Promote(d, e), dtype.Promote(e, d), "%v, %v", d, e)
		}
	}
}

// TestFormatNames: each format that packs values has a name and a block.
func TestFormatNames(t *testing.T) {
	for want, block := range map[string]int{"bfp16": 8, "q4": 32} {
		f, err := dtype.ParseFormat(want)
		require.NoError(t, err)
		require.Equal(t, want, f.String())
		require.Equal(t, block, f.Block())
		require.True(t, f.Valid())
	}
	require.Len(t, dtype.Formats(), 2)
	require.Equal(t, []any{"", 1, true}, []any{dtype.Plain.String(), dtype.Plain.Block(), dtype.Plain.Valid()})
	require.True(t, dtype.Sparse24.Valid())
	require.False(t, dtype.NumFormats.Valid())
	f, err := dtype.ParseFormat("")
	require.EqualError(t, err, `weights are packed as bfp16 or q4, and not as ""`)
	require.Equal(t, dtype.Plain, f)
	for _, f := range []dtype.Format{dtype.Q8, dtype.I4, dtype.Sparse24} { // of kernels alone
		_, err := dtype.ParseFormat(f.String())
		require.Error(t, err)
	}
}

// TestHalvesRoundToEven: all numbers of 16 bits come back, and halfway between two the even one is taken.
func TestHalvesRoundToEven(t *testing.T) {
	for bits := range 1 << 16 {
		b := dtype.BFloat16(bits)
		f := b.Float32()
		if f != f {
			require.Equal(t, b|0x40, dtype.ToBFloat16(f), "a NaN keeps its sign and bits, and becomes quiet")
			continue
		}
		require.Equal(t, b, dtype.ToBFloat16(f))
		if bits&0x7fff < 0x7f7f { // up to the last but one
			half := math.Float32frombits(uint32(bits)<<16 | 0x8000)
			require.Equal(t, b+b&1, dtype.ToBFloat16(half))
			require.Equal(t, b, dtype.ToBFloat16(math.Nextafter32(half, f)))
			require.Equal(t, b+1, dtype.ToBFloat16(math.Nextafter32(half, 2*half)))
		}
	}
	quiet := dtype.ToBFloat16(math.Float32frombits(0x7f800001))
	require.True(t, quiet.Float32() != quiet.Float32(), "a NaN of low bits alone stays one")
}

// TestGoTypes: the Go types of elements.
func TestGoTypes(t *testing.T) {
	for want, v := range map[dtype.DType]any{
		dtype.Bool: true, dtype.U8: uint8(1), dtype.I8: int8(1), dtype.U16: uint16(1), dtype.I16: int16(1), dtype.U32: uint32(1), dtype.I32: int32(1),
		dtype.U64: uint64(1), dtype.I64: int64(1), dtype.F8E4M3FN: dtype.Float8E4M3FN(1), dtype.F8E5M2: dtype.Float8E5M2(1),
		dtype.F8E4M3FNUZ: dtype.Float8E4M3FNUZ(1), dtype.F8E5M2FNUZ: dtype.Float8E5M2FNUZ(1), dtype.F8E8M0FNU: dtype.Float8E8M0FNU(1), dtype.F16: dtype.Float16(1), dtype.BF16: dtype.BFloat16(1),
		dtype.F32: float32(1), dtype.F64: 1.0, dtype.C64: complex64(1), dtype.C128: complex128(1),
	} {
		require.Equal(t, want, dtype.OfValue(v))
	}
	require.Equal(t, dtype.I64, dtype.OfValue(1))
	require.Equal(t, dtype.Invalid, dtype.OfValue(uint(1)))
	require.Equal(t, dtype.Invalid, dtype.OfValue(nil))
}
