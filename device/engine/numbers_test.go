package engine

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// widths are the integer types with their bits.
var widths = map[dtype.DType]int{dtype.I8: 8, dtype.I16: 16, dtype.I32: 32, dtype.I64: 64}

// TestBitsOfIntegers compares operations on single integers with package bits, at the ends of each type.
func TestBitsOfIntegers(t *testing.T) {
	for d, width := range widths {
		numbers := []int64{0, 1, 2, 3, 5, 96, -1, -2, 100, 1 << (width - 1), 1<<(width-1) - 1, 1 << (width - 2)}
		x := buf.New(d, []int{len(numbers)})
		for i, v := range numbers {
			x.SetInt64(i, v)
		}
		one := func(text, result string) *buf.Buffer {
			in := fmt.Sprintf("tensor<%dx%s>", len(numbers), d)
			out := fmt.Sprintf("tensor<%dx%s>", len(numbers), result)
			p := compile(t, "func.func @main(%x: "+in+") -> "+out+" {\n%r = "+strings.NewReplacer("$T", in, "$R", out).Replace(text)+
				"\nreturn %r : "+out+"\n}", Options{Backend: portable.Compile})
			return run(t, p, x)[0]
		}
		unsigned := func(i int) uint64 { return uint64(x.Int64(i)) << (64 - width) >> (64 - width) }
		for text, f := range map[string]func(i int) int64{
			"math.ctlz %x : $T":  func(i int) int64 { return int64(bits.LeadingZeros64(unsigned(i)) - 64 + width) },
			"math.cttz %x : $T":  func(i int) int64 { return int64(min(bits.TrailingZeros64(unsigned(i)), width)) },
			"math.ctpop %x : $T": func(i int) int64 { return int64(bits.OnesCount64(unsigned(i))) },
			"math.absi %x : $T":  func(i int) int64 { return max(x.Int64(i), -x.Int64(i)) << (64 - width) >> (64 - width) },
		} {
			got := one(text, d.String())
			for i := range numbers {
				require.Equal(t, f(i), got.Int64(i), "%s of %d", text, x.Int64(i))
			}
		}
		for i, v := range buf.Slice[bool](one("\"arith.trunci\"(%x) : ($T) -> $R", "i1")) {
			require.Equal(t, x.Int64(i)&1 != 0, v, x.Int64(i))
		}
		for i, v := range buf.Slice[bool](one("\"arith.index_cast\"(%x) : ($T) -> $R", "i1")) {
			require.Equal(t, x.Int64(i)&1 != 0, v, x.Int64(i))
		}
		if width < 64 {
			wide := one("arith.index_castui %x : $T to $R", "index")
			for i := range numbers {
				require.Equal(t, unsigned(i), uint64(wide.Int64(i)))
			}
		}
	}
}

// TestExtendedProducts compares both halves of products with products of numbers of twice the width.
func TestExtendedProducts(t *testing.T) {
	for d, width := range widths {
		numbers := []int64{0, 1, 3, -1, -2, 100, 1 << (width - 1), 1<<(width-1) - 1, 0x5a5a5a5a5a5a5a5a, -0x123456789abcdef}
		n := len(numbers) * len(numbers)
		x, y := buf.New(d, []int{n}), buf.New(d, []int{n})
		for i := range n {
			x.SetInt64(i, numbers[i/len(numbers)])
			y.SetInt64(i, numbers[i%len(numbers)])
		}
		for _, unsigned := range []bool{true, false} {
			name := map[bool]string{true: "mului", false: "mulsi"}[unsigned]
			ty := fmt.Sprintf("tensor<%dx%s>", n, d)
			p := compile(t, strings.ReplaceAll("func.func @main(%x: T, %y: T) -> (T, T) {\n%l, %h = arith."+name+"_extended %x, %y : T\nreturn %l, %h : T, T\n}", "T", ty), Options{})
			out := run(t, p, x, y)
			for i := range n {
				a, b := uint64(x.Int64(i)), uint64(y.Int64(i))
				if unsigned {
					a, b = a<<(64-width)>>(64-width), b<<(64-width)>>(64-width)
				}
				high, low := bits.Mul64(a, b)
				if !unsigned { // of two's complement
					if x.Int64(i) < 0 {
						high -= b
					}
					if y.Int64(i) < 0 {
						high -= a
					}
				}
				if width < 64 {
					high = high<<(64-width) | low>>width
				}
				cut := func(v uint64) int64 { return int64(v) << (64 - width) >> (64 - width) }
				require.Equal(t, [2]int64{cut(low), cut(high)}, [2]int64{cut(uint64(out[0].Int64(i))), cut(uint64(out[1].Int64(i)))},
					"%s of %d and %d", name, x.Int64(i), y.Int64(i))
			}
		}
	}
}

// TestExtendedSums compares sums and their carries with sums of 64 bits and math/bits.
func TestExtendedSums(t *testing.T) {
	for d, width := range widths {
		numbers := []int64{0, 1, -1, -2, 100, 1 << (width - 1), 1<<(width-1) - 1, 0x5a5a5a5a5a5a5a5a}
		n := len(numbers) * len(numbers)
		x, y := buf.New(d, []int{n}), buf.New(d, []int{n})
		for i := range n {
			x.SetInt64(i, numbers[i/len(numbers)])
			y.SetInt64(i, numbers[i%len(numbers)])
		}
		p := compile(t, fmt.Sprintf(`func.func @main(%%x: tensor<%[1]dx%[2]s>, %%y: tensor<%[1]dx%[2]s>) -> (tensor<%[1]dx%[2]s>, tensor<%[1]dxi1>) {
			%%s, %%c = arith.addui_extended %%x, %%y : tensor<%[1]dx%[2]s>, tensor<%[1]dxi1>
			return %%s, %%c : tensor<%[1]dx%[2]s>, tensor<%[1]dxi1>
		}`, n, d), Options{})
		out := run(t, p, x, y)
		for i := range n {
			sum, carry := bits.Add64(uint64(x.Int64(i))<<(64-width), uint64(y.Int64(i))<<(64-width), 0)
			require.Equal(t, int64(sum)>>(64-width), out[0].Int64(i), "%d + %d of %d bits", x.Int64(i), y.Int64(i), width)
			require.Equal(t, int64(carry), out[1].Int64(i), "%d + %d of %d bits", x.Int64(i), y.Int64(i), width)
		}
	}
}

// TestBits: the arithmetic of i1 is the arithmetic of one bit, which is -1 for operations with signs. The results are
// by hand, for the operands that have one.
func TestBits(t *testing.T) {
	for name, want := range map[string]string{ // of 00, 01, 10, 11; - where the result is not defined
		"arith.addi": "0110", "arith.subi": "0110", "arith.muli": "0001", "arith.divui": "-0-1", "arith.remui": "-0-0",
		"arith.ceildivui": "-0-1", "arith.divsi": "-0--", "arith.remsi": "-0--", "arith.floordivsi": "-0--", "arith.ceildivsi": "-0--",
		"arith.shli": "0-1-", "arith.shrui": "0-1-", "arith.shrsi": "0-1-", "math.ipowi": "1-11",
		"math.absi": "0011", "math.ctpop": "0011", "math.ctlz": "1100", "math.cttz": "1100",
		"arith.mului_extended": "0001", "arith.mulsi_extended": "0001", "arith.addui_extended": "0110",
	} {
		results, y, types := "%r", ", %y", "tensor<4xi1>"
		switch name {
		case "math.absi", "math.ctpop", "math.ctlz", "math.cttz":
			y = ""
		case "arith.mului_extended", "arith.mulsi_extended":
			results = "%r, %s"
		case "arith.addui_extended":
			results, types = "%r, %s", "tensor<4xi1>, tensor<4xi1>"
		}
		p := compile(t, "func.func @main(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {\n"+results+" = "+name+" %x"+y+" : "+types+
			"\nreturn %r : tensor<4xi1>\n}", Options{})
		x, z := buf.From([]bool{false, false, true, true}, 4), buf.From([]bool{false, true, false, true}, 4)
		defined := int64(strings.IndexAny(want, "01"))
		for i := range 4 {
			if want[i] == '-' {
				x.SetInt64(i, defined>>1)
				z.SetInt64(i, defined&1)
			}
		}
		out := run(t, p, x, z)
		for i := range 4 {
			if want[i] != '-' {
				require.Equal(t, int64(want[i]-'0'), out[0].Int64(i), "%s of bits %02b", name, i)
			}
		}
	}
}

// TestNormal compares which numbers have all bits of their fraction with the formats' definitions, math.sincos with
// Go's, and math.clampf with its bounds.
func TestNormal(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for d, least := range map[string]float64{"f16": 0x1p-14, "bf16": 0x1p-126, "f32": 0x1p-126, "f64": 0x1p-1022, "f8E5M2": 0x1p-14, "f8E4M3FN": 0x1p-6} {
		x := buf.From([]float64{0, 1, -1, least, -least, least / 2, -least / 2, inf, -inf, nan}, 10)
		text := "%y = arith.truncf %x : tensor<10xf64> to tensor<10x" + d + ">"
		if d == "f64" {
			text = "%y = arith.negf %x : tensor<10xf64>"
		}
		p := compile(t, "func.func @main(%x: tensor<10xf64>) -> tensor<10xi1> {\n"+text+"\n%n = math.isnormal %y : tensor<10x"+d+">\nreturn %n : tensor<10xi1>\n}", Options{})
		require.Equal(t, []bool{false, true, true, true, true, false, false, false, false, false}, buf.Slice[bool](run(t, p, x)[0]), d)
	}
	x := buf.From([]float64{0, 1, -2, 0.5}, 4)
	p := compile(t, `func.func @main(%x: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
		%s, %c = math.sincos %x : tensor<4xf64>
		%low = arith.constant dense<-1.0> : tensor<4xf64>
		%high = arith.constant dense<0.25> : tensor<4xf64>
		%k = math.clampf %x to [%low, %high] : tensor<4xf64>
		return %s, %c, %k : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
	}`, Options{})
	out := run(t, p, x)
	for i := range 4 {
		require.InDelta(t, math.Sin(x.Float64(i)), out[0].Float64(i), 1e-14)
		require.InDelta(t, math.Cos(x.Float64(i)), out[1].Float64(i), 1e-14)
		require.Equal(t, []float64{0, 0.25, -1, 0.25}[i], out[2].Float64(i))
	}
}

// TestFloatsAndIntegers compares what crosses between them with Go's conversions.
func TestFloatsAndIntegers(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	x := buf.From([]float64{0, 1, -1, 2.5, 254.9, inf, -inf, nan, 1e9, 3}, 10)
	p := compile(t, `func.func @main(%x: tensor<10xf64>, %n: tensor<10xi32>, %t: tensor<10xi1>) ->
		(tensor<10xi1>, tensor<10xi64>, tensor<10xf64>, tensor<10xf64>, tensor<10xi32>, tensor<10xi32>) {
		%a = "math.isfinite"(%x) : (tensor<10xf64>) -> tensor<10xi1>
		%z = arith.constant dense<0.0> : tensor<10xf64>
		%f = arith.select %a, %x, %z : tensor<10xi1>, tensor<10xf64>
		%m = math.absf %f : tensor<10xf64>
		%b = arith.fptoui %m : tensor<10xf64> to tensor<10xi64>
		%c = "math.fpowi"(%f, %n) : (tensor<10xf64>, tensor<10xi32>) -> tensor<10xf64>
		%d = arith.sitofp %t : tensor<10xi1> to tensor<10xf64>
		%e = arith.extsi %t : tensor<10xi1> to tensor<10xi32>
		%g = arith.extui %t : tensor<10xi1> to tensor<10xi32>
		return %a, %b, %c, %d, %e, %g : tensor<10xi1>, tensor<10xi64>, tensor<10xf64>, tensor<10xf64>, tensor<10xi32>, tensor<10xi32>
	}`, Options{Backend: portable.Compile})
	n := buf.From([]int32{0, 2, 3, -2, 1, 2, 2, 2, 1, -1}, 10)
	truth := buf.From([]bool{true, false, true, true, false, false, true, false, true, false}, 10)
	out := run(t, p, x, n, truth)
	for i := range 10 {
		v := x.Float64(i)
		finite := v-v == 0
		require.Equal(t, finite, out[0].Int64(i) != 0)
		if !finite {
			v = 0
		}
		require.Equal(t, int64(math.Abs(v)), out[1].Int64(i))
		require.InEpsilon(t, 1+math.Abs(math.Pow(v, float64(n.Int64(i)))), 1+math.Abs(out[2].Float64(i)), 1e-12)
		require.Equal(t, -float64(truth.Int64(i)), out[3].Float64(i), "one bit that is set is -1")
		require.Equal(t, -truth.Int64(i), out[4].Int64(i))
		require.Equal(t, truth.Int64(i), out[5].Int64(i))
	}
}

// TestAffineApply compares affine expressions of indices of both signs with the definition of floor and ceiling.
func TestAffineApply(t *testing.T) {
	floor := func(a, b int64) int64 { return int64(math.Floor(float64(a) / float64(b))) }
	for text, f := range map[string]func(a, b int64) int64{
		"(a, b) -> (a + b)":             func(a, b int64) int64 { return a + b },
		"(a, b) -> (a * 3 - b)":         func(a, b int64) int64 { return 3*a - b },
		"(a, b) -> (a floordiv 4)":      func(a, b int64) int64 { return floor(a, 4) },
		"(a, b) -> (a ceildiv 4)":       func(a, b int64) int64 { return -floor(-a, 4) },
		"(a, b) -> (a mod 4)":           func(a, b int64) int64 { return a - 4*floor(a, 4) },
		"(a)[b] -> (b * 2 + a)":         func(a, b int64) int64 { return 2*b + a },
		"(a)[b] -> (a + 5 - b)":         func(a, b int64) int64 { return a + 5 - b },
		"(a, b) -> (b)":                 func(a, b int64) int64 { return b },
		"(a, b) -> ((a + b) mod 3 * 2)": func(a, b int64) int64 { return 2 * (a + b - 3*floor(a+b, 3)) },
		"(a, b) -> (7)":                 func(a, b int64) int64 { return 7 },
	} {
		p := compile(t, `func.func @main(%x: tensor<16xi64>, %y: tensor<16xi64>) -> tensor<16xindex> {
			%e = tensor.empty() : tensor<16xindex>
			%r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
				ins(%x, %y : tensor<16xi64>, tensor<16xi64>) outs(%e : tensor<16xindex>) {
				^bb0(%p: i64, %q: i64, %o: index):
					%a = arith.index_cast %p : i64 to index
					%b = arith.index_cast %q : i64 to index
					%s = "affine.apply"(%a, %b) {map = affine_map<`+text+`>} : (index, index) -> index
					linalg.yield %s : index
				} -> tensor<16xindex>
			return %r : tensor<16xindex>
		}`, Options{Backend: portable.Compile})
		x, y := buf.New(dtype.I64, []int{16}), buf.New(dtype.I64, []int{16})
		for i := range 16 {
			x.SetInt64(i, int64(i-8))
			y.SetInt64(i, int64(i*5%7-3))
		}
		out := run(t, p, x, y)[0]
		for i := range 16 {
			require.Equal(t, f(x.Int64(i), y.Int64(i)), out.Int64(i), "%s of %d and %d", text, x.Int64(i), y.Int64(i))
		}
	}
}

// TestNamedElements compares named operations on elements with Go's, of floats and of integers, with a conversion where
// the result is of another type.
func TestNamedElements(t *testing.T) {
	x, y := buf.From([]float32{1, 2.5, 0.25, 4, -3, 0.5}, 2, 3), buf.From([]float32{2, 0.5, 3, -1, 2, 4}, 2, 3)
	i, j := buf.From([]int32{1, 7, -9, 4, -3, 0}, 2, 3), buf.From([]int32{2, -2, 4, -1, 2, 4}, 2, 3)
	type function = func(x, y float64) float64
	one := func(f func(float64) float64) function { return func(x, _ float64) float64 { return f(x) } }
	for name, f := range map[string]function{
		"add": func(x, y float64) float64 { return x + y }, "sub": func(x, y float64) float64 { return x - y },
		"mul": func(x, y float64) float64 { return x * y }, "div": func(x, y float64) float64 { return x / y },
		"max": math.Max, "min": math.Min, "powf": math.Pow, "exp": one(math.Exp), "log": one(math.Log), "abs": one(math.Abs),
		"ceil": one(math.Ceil), "floor": one(math.Floor), "negf": one(func(x float64) float64 { return -x }), "round": one(math.Round),
		"sqrt": one(math.Sqrt), "rsqrt": one(func(x float64) float64 { return 1 / math.Sqrt(x) }), "tanh": one(math.Tanh), "erf": one(math.Erf),
		"copy": one(func(x float64) float64 { return x }), "square": one(func(x float64) float64 { return x * x }),
		"reciprocal": one(func(x float64) float64 { return 1 / x }),
	} {
		binary := strings.Contains(" add sub mul div max min powf ", " "+name+" ")
		text := func(elem string) string {
			args, types := "%x", "$T"
			if binary {
				args, types = "%x, %y", "$T, $T"
			}
			return strings.ReplaceAll("func.func @main(%x: $T, %y: $T) -> $T {\n%e = tensor.empty() : $T\n%r = linalg."+name+
				" ins("+args+" : "+types+") outs(%e : $T) -> $T\nreturn %r : $T\n}", "$T", "tensor<2x3x"+elem+">")
		}
		for _, backend := range []func(kernel.Kernel) (kernel.Code, error){nil, portable.Compile} {
			got := run(t, compile(t, text("f32"), Options{Backend: backend}), x, y)[0]
			for k := range 6 {
				want := f(x.Float64(k), y.Float64(k))
				if want != want {
					require.True(t, math.IsNaN(got.Float64(k)))
					continue
				}
				require.InDelta(t, want, got.Float64(k), 1e-5*math.Max(1, math.Abs(want)), "%s of %v and %v", name, x.Float64(k), y.Float64(k))
			}
		}
		if !strings.Contains(" add sub mul div max min copy ", " "+name+" ") {
			continue
		}
		got := run(t, compile(t, text("i32"), Options{}), i, j)[0]
		for k := range 6 {
			require.Equal(t, int64(f(float64(i.Int64(k)), float64(j.Int64(k)))), got.Int64(k), "%s of %d and %d", name, i.Int64(k), j.Int64(k))
		}
	}
	p := compile(t, `func.func @main(%c: tensor<4xi1>, %x: tensor<4xi8>, %y: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
		%e = tensor.empty() : tensor<4xi8>
		%r = linalg.select ins(%c, %x, %y : tensor<4xi1>, tensor<4xi8>, tensor<4xi8>) outs(%e : tensor<4xi8>) -> tensor<4xi8>
		%d = linalg.div_unsigned ins(%x, %y : tensor<4xi8>, tensor<4xi8>) outs(%e : tensor<4xi8>) -> tensor<4xi8>
		return %r, %d : tensor<4xi8>, tensor<4xi8>
	}`, Options{})
	out := run(t, p, buf.From([]bool{true, false, false, true}, 4), buf.From([]int8{1, -2, 3, -4}, 4), buf.From([]int8{5, 6, 7, 2}, 4))
	require.Equal(t, []int8{1, 6, 7, -4}, buf.Slice[int8](out[0]))
	require.Equal(t, []int8{0, 42, 0, 126}, buf.Slice[int8](out[1]))
}
