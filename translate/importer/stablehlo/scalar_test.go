package stablehlo_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// integer is a type of integers; its elements are held with their sign or without.
type integer struct {
	name   string
	bits   int
	signed bool
}

// wrap brings a number into the range of the type.
func (t integer) wrap(v int64) int64 {
	if t.signed {
		return v << (64 - t.bits) >> (64 - t.bits)
	}
	return int64(uint64(v) << (64 - t.bits) >> (64 - t.bits))
}

func (t integer) unsigned(v int64) uint64 { return uint64(v) << (64 - t.bits) >> (64 - t.bits) }

// less orders two elements.
func (t integer) less(x, y int64) bool {
	if t.signed {
		return x < y
	}
	return t.unsigned(x) < t.unsigned(y)
}

// integerFunctions are what the operations do to two elements (one-sided ones to the first).
var integerFunctions = map[string]func(t integer, x, y int64) int64{
	"add x y":      func(_ integer, x, y int64) int64 { return x + y },
	"subtract x y": func(_ integer, x, y int64) int64 { return x - y },
	"multiply x y": func(_ integer, x, y int64) int64 { return x * y },
	"and x y":      func(_ integer, x, y int64) int64 { return x & y },
	"or x y":       func(_ integer, x, y int64) int64 { return x | y },
	"xor x y":      func(_ integer, x, y int64) int64 { return x ^ y },
	"not x":        func(_ integer, x, _ int64) int64 { return ^x },
	"negate x":     func(_ integer, x, _ int64) int64 { return -x },
	"abs x": func(t integer, x, _ int64) int64 {
		if t.signed && x < 0 {
			return -x
		}
		return x
	},
	"sign x": func(t integer, x, _ int64) int64 {
		switch {
		case x == 0:
			return 0
		case t.signed && x < 0:
			return -1
		}
		return 1
	},
	"maximum x y": func(t integer, x, y int64) int64 {
		if t.less(x, y) {
			return y
		}
		return x
	},
	"minimum x y": func(t integer, x, y int64) int64 {
		if t.less(x, y) {
			return x
		}
		return y
	},
	"clamp y x y": func(_ integer, x, y int64) int64 { return y },
	"divide x y": func(t integer, x, y int64) int64 {
		switch {
		case y == 0:
			return -1
		case !t.signed:
			return int64(t.unsigned(x) / t.unsigned(y))
		case y == -1:
			return -x
		}
		return x / y
	},
	"remainder x y": func(t integer, x, y int64) int64 {
		switch {
		case y == 0:
			return x
		case !t.signed:
			return int64(t.unsigned(x) % t.unsigned(y))
		case y == -1:
			return 0
		}
		return x % y
	},
	"shift_left x y": func(t integer, x, y int64) int64 {
		if t.unsigned(y) >= uint64(t.bits) {
			return 0
		}
		return x << t.unsigned(y)
	},
	"shift_right_logical x y": func(t integer, x, y int64) int64 {
		if t.unsigned(y) >= uint64(t.bits) {
			return 0
		}
		return int64(t.unsigned(x) >> t.unsigned(y))
	},
	"shift_right_arithmetic x y": func(t integer, x, y int64) int64 {
		return x << (64 - t.bits) >> (64 - t.bits) >> min(t.unsigned(y), uint64(t.bits-1))
	},
	"popcnt x":              func(t integer, x, _ int64) int64 { return int64(bits.OnesCount64(t.unsigned(x))) },
	"count_leading_zeros x": func(t integer, x, _ int64) int64 { return int64(bits.LeadingZeros64(t.unsigned(x)) - 64 + t.bits) },
	"power x y": func(t integer, x, y int64) int64 {
		if t.signed && y < 0 {
			switch x {
			case 1:
				return 1
			case -1:
				return 1 - 2*(y&1)
			}
			return 0
		}
		r := int64(1)
		for n := t.unsigned(y); n > 0; n >>= 1 {
			if n&1 != 0 {
				r *= x
			}
			x *= x
		}
		return r
	},
}

// TestIntegerFunctions compares operations on integers of all widths with Go's, at zero, at the ends and between.
func TestIntegerFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, width := range []int{8, 16, 32, 64} {
		for _, signed := range []bool{true, false} {
			it := integer{fmt.Sprint("i", width), width, signed}
			d := map[int]dtype.DType{8: dtype.I8, 16: dtype.I16, 32: dtype.I32, 64: dtype.I64}[width]
			if !signed {
				it.name = "u" + it.name
			}
			numbers := []int64{0, 1, 2, 3, 7, -1, -2, -7, 1 << (width - 1), 1<<(width-1) - 1, 5, 10, int64(width), int64(width - 1), int64(width + 1)}
			for range 9 {
				numbers = append(numbers, int64(r.Uint64()))
			}
			n := len(numbers) * len(numbers)
			x, y := buf.New(d, []int{n}), buf.New(d, []int{n})
			for i := range n {
				x.SetInt64(i, numbers[i/len(numbers)]<<(64-width)>>(64-width))
				y.SetInt64(i, numbers[i%len(numbers)]<<(64-width)>>(64-width))
			}
			type call struct {
				name, text string
				want       func(x, y int64) int64
			}
			var calls []call
			for text, f := range integerFunctions {
				words := strings.Fields(text)
				calls = append(calls, call{text, fmt.Sprintf("stablehlo.%s %%%s : $T", words[0], strings.Join(words[1:], ", %")),
					func(x, y int64) int64 { return it.wrap(f(it, x, y)) }})
			}
			for direction, f := range map[string]func(x, y int64) bool{
				"EQ": func(x, y int64) bool { return x == y }, "NE": func(x, y int64) bool { return x != y },
				"LT": it.less, "GT": func(x, y int64) bool { return it.less(y, x) },
				"LE": func(x, y int64) bool { return !it.less(y, x) }, "GE": func(x, y int64) bool { return !it.less(x, y) },
			} {
				calls = append(calls, call{direction, fmt.Sprintf("stablehlo.compare %s, %%x, %%y : ($T, $T) -> $B", direction),
					func(x, y int64) int64 {
						if f(x, y) {
							return 1
						}
						return 0
					}})
			}
			for _, c := range calls {
				result := "$T"
				if strings.HasSuffix(c.text, "$B") {
					result = "$B"
				}
				// Programs take and give signed integers, whose bits are read as the others.
				back := "%1 = stablehlo.bitcast_convert %0 : ($T) -> $S\nreturn %1 : $S"
				if result == "$B" {
					back = "return %0 : $B"
				}
				text := strings.NewReplacer("$T", fmt.Sprintf("tensor<%dx%s>", n, it.name), "$B", fmt.Sprintf("tensor<%dxi1>", n),
					"$S", fmt.Sprintf("tensor<%dxi%d>", n, width)).Replace("func.func @main(%p: $S, %q: $S) -> " + strings.Replace(result, "$T", "$S", 1) +
					" {\n%x = stablehlo.bitcast_convert %p : ($S) -> $T\n%y = stablehlo.bitcast_convert %q : ($S) -> $T\n%0 = " + c.text + "\n" + back + "\n}")
				got := compute(t, text, x, y)[0]
				for i := range n {
					v, w := it.wrap(x.Int64(i)), it.wrap(y.Int64(i))
					require.Equal(t, c.want(v, w), it.wrap(got.Int64(i)), "%s of %d and %d in %s", c.name, v, w, it.name)
				}
			}
		}
	}
}

// TestFloatFunctions compares operations on floats with Go's, special numbers included.
func TestFloatFunctions(t *testing.T) {
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3, -7.25, 1e-3, 100, math.Inf(1), math.Inf(-1), math.NaN(), 0.75, -0.25, 2}
	truth := func(f func(x float64) bool) func(x, y float64) float64 {
		return func(x, _ float64) float64 {
			if f(x) {
				return 1
			}
			return 0
		}
	}
	one := func(f func(x float64) float64) func(x, y float64) float64 {
		return func(x, _ float64) float64 { return f(x) }
	}
	// order numbers floats as IEEE 754's total order has them.
	order := func(x float64) int64 {
		b := int64(math.Float64bits(x))
		if b < 0 {
			return math.MinInt64 - b - 1
		}
		return b
	}
	both := func(f func(x, y float64) bool) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			if f(x, y) {
				return 1
			}
			return 0
		}
	}
	for text, want := range map[string]func(x, y float64) float64{
		"stablehlo.add %x, %y : $T":       func(x, y float64) float64 { return x + y },
		"stablehlo.subtract %x, %y : $T":  func(x, y float64) float64 { return x - y },
		"stablehlo.multiply %x, %y : $T":  func(x, y float64) float64 { return x * y },
		"stablehlo.divide %x, %y : $T":    func(x, y float64) float64 { return x / y },
		"stablehlo.remainder %x, %y : $T": math.Mod, "stablehlo.power %x, %y : $T": math.Pow, "stablehlo.atan2 %x, %y : $T": math.Atan2,
		"stablehlo.maximum %x, %y : $T": math.Max, "stablehlo.minimum %x, %y : $T": math.Min,
		"stablehlo.clamp %y, %x, %y : $T": func(x, y float64) float64 { return math.Min(math.Max(y, x), y) },
		"stablehlo.negate %x : $T":        one(func(x float64) float64 { return -x }), "stablehlo.abs %x : $T": one(math.Abs),
		"stablehlo.ceil %x : $T": one(math.Ceil), "stablehlo.floor %x : $T": one(math.Floor),
		"stablehlo.round_nearest_afz %x : $T": one(math.Round), "stablehlo.round_nearest_even %x : $T": one(math.RoundToEven),
		"stablehlo.exponential %x : $T": one(math.Exp), "stablehlo.log %x : $T": one(math.Log), "stablehlo.sqrt %x : $T": one(math.Sqrt),
		"stablehlo.rsqrt %x : $T": one(func(x float64) float64 { return 1 / math.Sqrt(x) }), "stablehlo.cbrt %x : $T": one(math.Cbrt),
		"stablehlo.sine %x : $T": one(math.Sin), "stablehlo.cosine %x : $T": one(math.Cos), "stablehlo.tanh %x : $T": one(math.Tanh),
		"stablehlo.logistic %x : $T": one(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
		"stablehlo.sign %x : $T": one(func(x float64) float64 {
			if x > 0 || x < 0 {
				return math.Copysign(1, x)
			}
			return x
		}),
		"chlo.square %x : $T -> $T":                                 one(func(x float64) float64 { return x * x }),
		"chlo.erf %x : $T -> $T":                                    one(math.Erf),
		"chlo.tan %x : $T -> $T":                                    one(math.Tan),
		"chlo.sinh %x : $T -> $T":                                   one(math.Sinh),
		"chlo.is_inf %x : $T -> $B":                                 truth(func(x float64) bool { return math.IsInf(x, 0) }),
		"chlo.is_pos_inf %x : $T -> $B":                             truth(func(x float64) bool { return math.IsInf(x, 1) }),
		"chlo.is_neg_inf %x : $T -> $B":                             truth(func(x float64) bool { return math.IsInf(x, -1) }),
		"stablehlo.is_finite %x : ($T) -> $B":                       truth(func(x float64) bool { return x-x == 0 }),
		"stablehlo.compare EQ, %x, %y : ($T, $T) -> $B":             both(func(x, y float64) bool { return x == y }),
		"stablehlo.compare NE, %x, %y : ($T, $T) -> $B":             both(func(x, y float64) bool { return x != y }),
		"stablehlo.compare LT, %x, %y : ($T, $T) -> $B":             both(func(x, y float64) bool { return x < y }),
		"stablehlo.compare LE, %x, %y : ($T, $T) -> $B":             both(func(x, y float64) bool { return x <= y }),
		"stablehlo.compare GT, %x, %y : ($T, $T) -> $B":             both(func(x, y float64) bool { return x > y }),
		"stablehlo.compare GE, %x, %y : ($T, $T) -> $B":             both(func(x, y float64) bool { return x >= y }),
		"stablehlo.compare LT, %x, %y, TOTALORDER : ($T, $T) -> $B": both(func(x, y float64) bool { return order(x) < order(y) }),
		"stablehlo.compare GE, %x, %y, TOTALORDER : ($T, $T) -> $B": both(func(x, y float64) bool { return order(x) >= order(y) }),
		"stablehlo.convert %x : ($T) -> $B":                         truth(func(x float64) bool { return x != 0 }),
	} {
		for _, d := range []dtype.DType{dtype.F64, dtype.F32, dtype.BF16} {
			n := len(numbers) * len(numbers)
			x, y := buf.New(d, []int{n}), buf.New(d, []int{n})
			for i := range n {
				x.SetFloat64(i, numbers[i/len(numbers)])
				y.SetFloat64(i, numbers[i%len(numbers)])
			}
			result := "$T"
			if strings.HasSuffix(text, "$B") {
				result = "$B"
			}
			tolerance := map[dtype.DType]float64{dtype.F64: 1e-12, dtype.F32: 1e-5, dtype.BF16: 1e-2}[d]
			got := compute(t, strings.NewReplacer("$T", fmt.Sprintf("tensor<%dx%s>", n, d), "$B", fmt.Sprintf("tensor<%dxi1>", n)).
				Replace("func.func @main(%x: $T, %y: $T) -> "+result+" {\n%0 = "+text+"\nreturn %0 : "+result+"\n}"), x, y)[0]
			for i := range n {
				w, g := want(x.Float64(i), y.Float64(i)), got.Float64(i)
				if result == "$B" {
					g = float64(got.Int64(i))
				}
				if w == g || w != w && g != g || math.Abs(w) > 1e30 {
					continue
				}
				require.LessOrEqual(t, math.Abs(w-g), tolerance*math.Max(1, math.Abs(w)), "%s of %v and %v in %s is %v, want %v", text, x.Float64(i), y.Float64(i), d, g, w)
			}
		}
	}
}
