package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/portable"
)

var backends = map[string]Options{"native": {}, "portable": {Backend: portable.Compile}}

// float8s are the floats of 8 bits.
var float8s = []dtype.DType{dtype.F8E4M3FN, dtype.F8E5M2, dtype.F8E4M3FNUZ, dtype.F8E5M2FNUZ}

// TestBitcastKeepsBits: a bitcast between any two types of one width, of arith or of tensor, there and back,
// gives what it was given, bit by bit.
func TestBitcastKeepsBits(t *testing.T) {
	for _, types := range [][]string{{"i8", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"}, {"i16", "f16", "bf16"}, {"i32", "f32"}, {"i64", "f64"}} {
		d, _ := dtype.Parse(types[0])
		x := buf.New(d, []int{256})
		for i := range x.Len() {
			x.SetInt64(i, int64(uint64(i)*0x0101010101010101)>>(64-d.Bits()))
		}
		for _, from := range types {
			for _, to := range types {
				for _, dialect := range []string{"arith", "tensor"} {
					text := strings.NewReplacer("$I", types[0], "$A", from, "$B", to, "$D", dialect).Replace(
						`func.func @main(%x: tensor<256x$I>) -> tensor<256x$I> {
  %a = $D.bitcast %x : tensor<256x$I> to tensor<256x$A>
  %b = $D.bitcast %a : tensor<256x$A> to tensor<256x$B>
  %r = $D.bitcast %b : tensor<256x$B> to tensor<256x$I>
  return %r : tensor<256x$I>
}`)
					for way, o := range backends {
						require.Equal(t, x.Bytes(), run(t, compile(t, text, o), x)[0].Bytes(), "%s by %s and %s, %s", dialect, from, to, way)
					}
				}
			}
		}
	}
}

// TestFloat8Bits: the bits of 1 and -2 as the OCP's specification of 8-bit floats, and AMD's, write them.
func TestFloat8Bits(t *testing.T) {
	for elem, want := range map[string][]int8{"f8E5M2": {0x3c, -0x40}, "f8E4M3FN": {0x38, -0x40}, "f8E5M2FNUZ": {0x40, -0x3c}, "f8E4M3FNUZ": {0x40, -0x38}} {
		for way, o := range backends {
			p := compile(t, strings.ReplaceAll(`func.func @main(%x: tensor<2xf32>) -> tensor<2xi8> {
  %0 = arith.truncf %x : tensor<2xf32> to tensor<2x$E>
  %1 = arith.bitcast %0 : tensor<2x$E> to tensor<2xi8>
  return %1 : tensor<2xi8>
}`, "$E", elem), o)
			require.Equal(t, want, buf.Slice[int8](run(t, p, buf.From([]float32{1, -2}, 2))[0]), "%s, %s", elem, way)
		}
	}
}

// TestFloat8Conversions: all 256 values of a float of 8 bits are widened exactly, and numbers of f32 and f64 are
// rounded to the nearest of them.
func TestFloat8Conversions(t *testing.T) {
	var numbers []float64
	for i := range 255 {
		v := math.Ldexp(1+float64(i%16)/16, i/16-17)
		numbers = append(numbers, v, -v, math.Nextafter(v, 0), math.Nextafter(v, 1e9), float64(math.Nextafter32(float32(v), 1e9)))
	}
	numbers = append(numbers, 0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 448, 464, 465, 57344, 61439, 61440, 1e30, 1e-30, 1e300, 1e-300)
	wide := buf.From(numbers, len(numbers))
	narrow := buf.New(dtype.F32, []int{len(numbers)})
	for i, v := range numbers {
		narrow.SetFloat64(i, v)
	}
	all := buf.New(dtype.I8, []int{256})
	for i := range 256 {
		all.SetInt64(i, int64(int8(i)))
	}
	for _, d := range float8s {
		f := d.Format()
		text := strings.NewReplacer("$E", d.MLIR(), "$N", fmt.Sprint(len(numbers))).Replace(
			`func.func @main(%b: tensor<256xi8>, %x: tensor<$Nxf32>, %y: tensor<$Nxf64>) -> (tensor<256xf32>, tensor<256xf16>, tensor<$Nxi8>, tensor<$Nxi8>, tensor<256xi8>) {
  %0 = arith.bitcast %b : tensor<256xi8> to tensor<256x$E>
  %1 = arith.extf %0 : tensor<256x$E> to tensor<256xf32>
  %2 = arith.extf %0 : tensor<256x$E> to tensor<256xf16>
  %3 = arith.truncf %x : tensor<$Nxf32> to tensor<$Nx$E>
  %4 = arith.bitcast %3 : tensor<$Nx$E> to tensor<$Nxi8>
  %5 = arith.truncf %y : tensor<$Nxf64> to tensor<$Nx$E>
  %6 = arith.bitcast %5 : tensor<$Nx$E> to tensor<$Nxi8>
  %7 = arith.mulf %0, %0 : tensor<256x$E>
  %8 = arith.bitcast %7 : tensor<256x$E> to tensor<256xi8>
  return %1, %2, %4, %6, %8 : tensor<256xf32>, tensor<256xf16>, tensor<$Nxi8>, tensor<$Nxi8>, tensor<256xi8>
}`)
		for way, o := range backends {
			out := run(t, compile(t, text, o), all, narrow, wide)
			for i := range 256 {
				v := f.Decode(uint64(i))
				for _, r := range out[:2] {
					require.Equal(t, withSign(v), withSign(r.Float64(i)), "%s, %s: %#x", d, way, i)
				}
				if square := v * v; square == square {
					require.Equal(t, f.Encode(square), uint64(uint8(out[4].Int64(i))), "%s, %s: the square of %v", d, way, v)
				}
			}
			for i, v := range numbers {
				require.Equal(t, f.Encode(narrow.Float64(i)), uint64(uint8(out[2].Int64(i))), "%s, %s: %v", d, way, narrow.Float64(i))
				require.Equal(t, f.Encode(v), uint64(uint8(out[3].Int64(i))), "%s, %s: %v", d, way, v)
			}
		}
	}
}

// TestPowersOfTwo: f8E8M0FNU is widened exactly, and rounds as package float says.
func TestPowersOfTwo(t *testing.T) {
	f := dtype.F8E8M0FNU.Format()
	var numbers []float64
	for code := range 255 {
		v := math.Ldexp(1, code-127)
		numbers = append(numbers, v, 1.5*v, float64(math.Nextafter32(float32(v), 0)), float64(math.Nextafter32(float32(1.5*v), 0)))
	}
	numbers = append(numbers, 0, math.Copysign(0, -1), -1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32)
	wide, narrow := buf.From(numbers, len(numbers)), buf.New(dtype.F32, []int{len(numbers)})
	all := buf.New(dtype.I8, []int{256})
	for i := range 256 {
		all.SetInt64(i, int64(int8(i)))
	}
	for i, v := range numbers {
		narrow.SetFloat64(i, v)
	}
	text := strings.ReplaceAll(`func.func @main(%b: tensor<256xi8>, %x: tensor<$Nxf32>, %y: tensor<$Nxf64>) -> (tensor<256xf32>, tensor<$Nxi8>, tensor<$Nxi8>) {
  %0 = arith.bitcast %b : tensor<256xi8> to tensor<256xf8E8M0FNU>
  %1 = arith.extf %0 : tensor<256xf8E8M0FNU> to tensor<256xf32>
  %3 = arith.truncf %x : tensor<$Nxf32> to tensor<$Nxf8E8M0FNU>
  %4 = arith.bitcast %3 : tensor<$Nxf8E8M0FNU> to tensor<$Nxi8>
  %5 = arith.truncf %y : tensor<$Nxf64> to tensor<$Nxf8E8M0FNU>
  %6 = arith.bitcast %5 : tensor<$Nxf8E8M0FNU> to tensor<$Nxi8>
  return %1, %4, %6 : tensor<256xf32>, tensor<$Nxi8>, tensor<$Nxi8>
}`, "$N", fmt.Sprint(len(numbers)))
	for way, o := range backends {
		out := run(t, compile(t, text, o), all, narrow, wide)
		for i := range 256 {
			require.Equal(t, withSign(f.Decode(uint64(i))), withSign(out[0].Float64(i)), "%s: %#x", way, i)
		}
		for i, v := range numbers {
			require.Equal(t, f.Encode(narrow.Float64(i)), uint64(uint8(out[1].Int64(i))), "%s: %v", way, v)
			require.Equal(t, f.Encode(v), uint64(uint8(out[2].Int64(i))), "%s: %v", way, v)
		}
	}
}

// TestFloat8Sums: a sum of floats of 8 bits rounds each addition, as it is written.
func TestFloat8Sums(t *testing.T) {
	p := compile(t, `func.func @main(%x: tensor<2x8xi8>) -> tensor<2xi8> {
  %0 = arith.bitcast %x : tensor<2x8xi8> to tensor<2x8xf8E5M2>
  %z = arith.constant dense<0.0> : tensor<2xf8E5M2>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<2x8xf8E5M2>) outs(%z : tensor<2xf8E5M2>) dimensions = [1]
  %2 = arith.bitcast %1 : tensor<2xf8E5M2> to tensor<2xi8>
  return %2 : tensor<2xi8>
}`, Options{})
	x := make([]int8, 16) // eight times 1, and 8 with seven times 1, which are half of a unit of 8 each: ties go to even
	for i := range x {
		x[i] = 0x3c
	}
	x[8] = 0x48
	require.Equal(t, []int8{0x48, 0x48}, buf.Slice[int8](run(t, p, buf.From(x, 2, 8))[0]))
}
