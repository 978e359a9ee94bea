package stablehlo_test

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// compute lowers a text and runs its function on the host.
func compute(t *testing.T, text string, inputs ...*buf.Buffer) []*buf.Buffer {
	t.Helper()
	module, err := mlir.Parse("x.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, stablehlo.Lower(module))
	require.NoError(t, mlir.Verify(module))
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	results, err := exe.Run(context.Background(), inputs)
	require.NoError(t, err)
	return results
}

// numbers are random complex numbers of many sizes, and some on the axes.
func numbers(n int) []complex128 {
	rng := rand.New(rand.NewPCG(3, 4))
	part := func() float64 { return rng.NormFloat64() * math.Exp(2*rng.NormFloat64()) }
	out := []complex128{1, -1, 1i, -1i, 0.5, -2, 0.5i, -0.25i, 1 + 1i, -3 + 4i}
	for len(out) < n {
		out = append(out, complex(part(), part()))
	}
	return out
}

func complexBuffer(values []complex128) *buf.Buffer {
	b := buf.New(dtype.C128, []int{len(values)})
	for i, v := range values {
		b.SetComplex(i, v)
	}
	return b
}

// TestComplexFunctions compares functions of complex tensors, which enter and leave as such, with Go's.
func TestComplexFunctions(t *testing.T) {
	x := numbers(64)
	for name, want := range map[string]func(complex128) complex128{
		"stablehlo.exponential": cmplx.Exp, "stablehlo.log": cmplx.Log, "stablehlo.sqrt": cmplx.Sqrt,
		"stablehlo.sine": cmplx.Sin, "stablehlo.cosine": cmplx.Cos, "stablehlo.tan": cmplx.Tan, "stablehlo.tanh": cmplx.Tanh,
		"chlo.sinh": cmplx.Sinh, "chlo.cosh": cmplx.Cosh, "chlo.asinh": cmplx.Asinh, "chlo.acosh": cmplx.Acosh,
		"chlo.atanh": cmplx.Atanh, "chlo.asin": cmplx.Asin, "chlo.acos": cmplx.Acos, "chlo.atan": cmplx.Atan,
		"chlo.conj": cmplx.Conj, "chlo.square": func(z complex128) complex128 { return z * z },
		"stablehlo.negate":                func(z complex128) complex128 { return -z },
		"stablehlo.rsqrt":                 func(z complex128) complex128 { return 1 / cmplx.Sqrt(z) },
		"stablehlo.exponential_minus_one": func(z complex128) complex128 { return cmplx.Exp(z) - 1 },
		"stablehlo.log_plus_one":          func(z complex128) complex128 { return cmplx.Log(z + 1) },
		"stablehlo.logistic":              func(z complex128) complex128 { return 1 / (1 + cmplx.Exp(-z)) },
		"stablehlo.cbrt":                  func(z complex128) complex128 { return cmplx.Pow(z, 1./3) },
		"stablehlo.sign":                  func(z complex128) complex128 { return z / complex(cmplx.Abs(z), 0) },
	} {
		text := fmt.Sprintf(`func.func @main(%%x: tensor<%[1]dxcomplex<f64>>) -> tensor<%[1]dxcomplex<f64>> {
			%%0 = %[2]s %%x : (tensor<%[1]dxcomplex<f64>>) -> tensor<%[1]dxcomplex<f64>>
			return %%0 : tensor<%[1]dxcomplex<f64>>
		}`, len(x), name)
		got := compute(t, text, complexBuffer(x))[0]
		require.Equal(t, dtype.C128, got.DType)
		for i, z := range x {
			agrees(t, name, z, got.Complex(i), want(z))
		}
	}
}

// agrees leaves out poles and what overflows, where the functions are free to differ.
func agrees(t *testing.T, name string, z, got, want complex128) {
	t.Helper()
	if size := cmplx.Abs(want); size > 1e12 || cmplx.IsNaN(want) {
		return
	}
	require.LessOrEqual(t, cmplx.Abs(got-want), 1e-9*(1+cmplx.Abs(want)), "%s of %v is %v, want %v", name, z, got, want)
}

func TestComplexOperators(t *testing.T) {
	x, y := numbers(40), numbers(41)[1:]
	y[0], y[12] = x[0]+1i, x[12]-1i // ties of real parts
	for name, want := range map[string]func(a, b complex128) complex128{
		"add":      func(a, b complex128) complex128 { return a + b },
		"subtract": func(a, b complex128) complex128 { return a - b },
		"multiply": func(a, b complex128) complex128 { return a * b },
		"divide":   func(a, b complex128) complex128 { return a / b },
		"power":    cmplx.Pow,
		"atan2": func(a, b complex128) complex128 {
			return -1i * cmplx.Log((b+1i*a)/cmplx.Sqrt(a*a+b*b))
		},
		"minimum": func(a, b complex128) complex128 {
			if real(a) < real(b) || real(a) == real(b) && imag(a) < imag(b) {
				return a
			}
			return b
		},
		"maximum": func(a, b complex128) complex128 {
			if real(a) > real(b) || real(a) == real(b) && imag(a) > imag(b) {
				return a
			}
			return b
		},
	} {
		text := strings.ReplaceAll(fmt.Sprintf(`func.func @main(%%x: T, %%y: T) -> T {
			%%0 = stablehlo.%s %%x, %%y : T
			return %%0 : T
		}`, name), "T", "tensor<40xcomplex<f64>>")
		got := compute(t, text, complexBuffer(x), complexBuffer(y))[0]
		for i := range x {
			agrees(t, name, x[i], got.Complex(i), want(x[i], y[i]))
		}
	}
}

// TestTinyFloats compares conversions to every float of 8 bits and less with the constants of the type, and the bits of
// all their numbers with their patterns.
func TestTinyFloats(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"f8E5M2", "f8E4M3", "f8E3M4", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ", "f8E4M3B11FNUZ",
		"f8E8M0FNU", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"} {
		elem := mlir.FloatType{Name: name}
		x := buf.New(dtype.F32, []int{512})
		for i := range x.Len() {
			v := elem.Decode(uint64(i) & (1<<elem.Width() - 1)) // the numbers, then what lies between them
			if i >= 256 {
				v *= 1 + rng.NormFloat64()/4
			}
			x.SetFloat64(i, v)
		}
		for i, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1), 1e30, -1e30, 1e-30} {
			x.SetFloat64(504+i, v)
		}
		got := compute(t, strings.ReplaceAll(`func.func @main(%x: tensor<512xf32>) -> tensor<512xf32> {
			%0 = stablehlo.convert %x : (tensor<512xf32>) -> tensor<512xT>
			%1 = stablehlo.convert %0 : (tensor<512xT>) -> tensor<512xf32>
			return %1 : tensor<512xf32>
		}`, "T", name), x)[0]
		for i := range x.Len() {
			want := elem.Decode(elem.Encode(x.Float64(i)))
			if want != want && got.Float64(i) != got.Float64(i) {
				continue
			}
			require.Equal(t, math.Float64bits(want), math.Float64bits(got.Float64(i)), "%s of %v is %v, want %v", name,
				x.Float64(i), got.Float64(i), want)
		}
		if elem.Width() < 8 {
			continue
		}
		bits := buf.New(dtype.U8, []int{256})
		for i := range bits.Len() {
			bits.SetInt64(i, int64(i))
		}
		back := compute(t, strings.ReplaceAll(`func.func @main(%x: tensor<256xui8>) -> tensor<256xui8> {
			%0 = stablehlo.bitcast_convert %x : (tensor<256xui8>) -> tensor<256xT>
			%1 = stablehlo.bitcast_convert %0 : (tensor<256xT>) -> tensor<256xui8>
			return %1 : tensor<256xui8>
		}`, "T", name), bits)[0]
		for i := range bits.Len() {
			if v := elem.Decode(uint64(i)); v == v {
				require.EqualValues(t, i, back.Int64(i), name)
			}
		}
	}
}

// Floats of 8 bits and unsigned integers pass the boundary of a function with their own types.
func TestBoundaryTypes(t *testing.T) {
	x, n := buf.New(dtype.F8E5M2, []int{3}), buf.New(dtype.U32, []int{2})
	for i, v := range []float64{1.5, -3, 49152} {
		x.SetFloat64(i, v)
	}
	n.SetFloat64(0, 4000000000)
	n.SetFloat64(1, 7)
	out := compute(t, `func.func @main(%x: tensor<3xf8E5M2>, %n: tensor<2xui32>) -> (tensor<3xf8E5M2>, tensor<2xui32>, tensor<2xui64>) {
		%0 = stablehlo.add %x, %x : tensor<3xf8E5M2>
		%1 = stablehlo.divide %n, %n : tensor<2xui32>
		%2 = stablehlo.convert %n : (tensor<2xui32>) -> tensor<2xui64>
		return %0, %1, %2 : tensor<3xf8E5M2>, tensor<2xui32>, tensor<2xui64>
	}`, x, n)
	require.Equal(t, []dtype.DType{dtype.F8E5M2, dtype.U32, dtype.U64}, []dtype.DType{out[0].DType, out[1].DType, out[2].DType})
	for i, want := range []float64{3, -6, math.Inf(1)} {
		require.Equal(t, want, out[0].Float64(i))
	}
	require.Equal(t, []uint32{1, 1}, buf.Slice[uint32](out[1]))
	require.Equal(t, []uint64{4000000000, 7}, buf.Slice[uint64](out[2]))
}

// TestQuantizedMoves: operations that only copy elements copy the stored integers, whose 32 bits are more than a float
// has; where the quantization changes, the numbers stay.
func TestQuantizedMoves(t *testing.T) {
	x := buf.From([]int32{16777217, -16777217, 3, 33554435, -5, 2147483647}, 2, 3)
	const start = "%i = stablehlo.constant dense<[1, 0]> : tensor<2xi64>\n%j = stablehlo.constant dense<[2, 2]> : tensor<2xi64>\n" +
		"%k = stablehlo.constant dense<1> : tensor<2xi64>\n%a = stablehlo.constant dense<1> : tensor<i64>\n"
	for text, result := range map[string]string{
		"stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3xQ>) -> $R":                                                     "2x2x3",
		"stablehlo.reshape %x : (tensor<2x3xQ>) -> $R":                                                                             "3x2",
		"stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xQ>) -> $R":                                                            "3x2",
		"stablehlo.slice %x [0:2, 1:3] : (tensor<2x3xQ>) -> $R":                                                                    "2x2",
		"stablehlo.reverse %x, dims = [1] : $R":                                                                                    "2x3",
		"stablehlo.concatenate %x, %x, dim = 0 : (tensor<2x3xQ>, tensor<2x3xQ>) -> $R":                                             "4x3",
		"stablehlo.pad %x, %z, low = [0, 1], high = [1, 0], interior = [0, 1] : (tensor<2x3xQ>, tensor<Q>) -> $R":                  "3x6",
		"stablehlo.dynamic_slice %x, %a, %a, sizes = [1, 2] : (tensor<2x3xQ>, tensor<i64>, tensor<i64>) -> $R":                     "1x2",
		"stablehlo.dynamic_update_slice %x, %y, %a, %a : (tensor<2x3xQ>, tensor<1x2xQ>, tensor<i64>, tensor<i64>) -> $R":           "2x3",
		"stablehlo.select %p, %x, %w : tensor<2x3xi1>, $R":                                                                         "2x3",
		"stablehlo.real_dynamic_slice %x, %i, %j, %k : (tensor<2x3xQ>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> $R":         "1x2",
		"stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [1, 2] : (tensor<2x3xQ>, tensor<3xi64>) -> $R":                          "2x2x3",
		"stablehlo.dynamic_reshape %x, %s : (tensor<2x3xQ>, tensor<2xi64>) -> $R":                                                  "3x2",
		"stablehlo.dynamic_pad %x, %z, %k, %i, %i : (tensor<2x3xQ>, tensor<Q>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> $R": "5x4",
		`"stablehlo.gather"(%x, %g) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], ` +
			`index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>} : (tensor<2x3xQ>, tensor<3x1xi64>) -> $R`: "3x3",
		`"stablehlo.dynamic_gather"(%x, %g, %e) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], ` +
			`index_vector_dim = 1>} : (tensor<2x3xQ>, tensor<3x1xi64>, tensor<2xi64>) -> $R`: "3x3",
	} {
		moved := func(elem string) []byte {
			result := strings.ReplaceAll("tensor<"+result+"xQ>", "Q", elem)
			return compute(t, strings.NewReplacer("$R", result, "Q", elem, "$S", strings.ReplaceAll(result, elem, "i32")).Replace(
				"func.func @main(%q: tensor<2x3xi32>) -> $S {\n"+start+
					"%x = stablehlo.bitcast_convert %q : (tensor<2x3xi32>) -> tensor<2x3xQ>\n%w = stablehlo.reverse %x, dims = [0] : tensor<2x3xQ>\n"+
					"%y = stablehlo.slice %x [0:1, 0:2] : (tensor<2x3xQ>) -> tensor<1x2xQ>\n%y0 = stablehlo.slice %x [1:2, 0:1] : (tensor<2x3xQ>) -> tensor<1x1xQ>\n"+
					"%z = stablehlo.reshape %y0 : (tensor<1x1xQ>) -> tensor<Q>\n%p = stablehlo.constant dense<[[true, false, true], [false, true, false]]> : tensor<2x3xi1>\n"+
					"%d = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi64>\n%s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>\n"+
					"%g = stablehlo.constant dense<[[1], [0], [1]]> : tensor<3x1xi64>\n%e = stablehlo.constant dense<[1, 3]> : tensor<2xi64>\n"+
					"%0 = "+text+"\n%1 = stablehlo.bitcast_convert %0 : ($R) -> $S\nreturn %1 : $S\n}"), x)[0].Bytes()
		}
		require.Equal(t, moved("i32"), moved("!quant.uniform<i32:f32, 0.5:3>"), text)
	}
	got := compute(t, `func.func @main(%p: tensor<2xi8>, %q: tensor<2xi8>) -> (tensor<4xi8>, tensor<2xi8>, tensor<2xi8>) {
		%x = stablehlo.bitcast_convert %p : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
		%y = stablehlo.bitcast_convert %q : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32, 0.25:1>>
		%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.25:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.25:1>>
		%1 = stablehlo.bitcast_convert %0 : (tensor<4x!quant.uniform<i8:f32, 0.25:1>>) -> tensor<4xi8>
		%2 = stablehlo.reshape %x : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8<-4:3>:f32, 0.5>>
		%3 = stablehlo.bitcast_convert %2 : (tensor<2x!quant.uniform<i8<-4:3>:f32, 0.5>>) -> tensor<2xi8>
		%z = stablehlo.bitcast_convert %p : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
		%4 = stablehlo.reverse %z, dims = [0] : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
		%5 = stablehlo.bitcast_convert %4 : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2xi8>
		return %1, %3, %5 : tensor<4xi8>, tensor<2xi8>, tensor<2xi8>
	}`, buf.From([]int8{1, 7}, 2), buf.From([]int8{3, -2}, 2))
	require.Equal(t, []int8{3, 15, 3, -2}, buf.Slice[int8](got[0]))
	require.Equal(t, []int8{1, 3}, buf.Slice[int8](got[1]))
	require.Equal(t, []int8{3, 3}, buf.Slice[int8](got[2])) // 1.5 and 0.5, the other way round
}
