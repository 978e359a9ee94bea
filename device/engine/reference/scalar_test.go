package reference_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
)

// scalar computes an operation on elements, with results of the given types.
func scalar(name string, attrs mlir.Attrs, results []dtype.DType, x ...reference.Element) ([]reference.Element, bool) {
	var types []mlir.Type
	for _, d := range results {
		types = append(types, mlir.ElemType(d))
	}
	return reference.Scalar(mlir.NewOp(name, nil, types, attrs), x)
}

// one computes an operation with one result, which must have the wanted type.
func one(t *testing.T, name string, attrs mlir.Attrs, d dtype.DType, x ...reference.Element) reference.Element {
	t.Helper()
	y, ok := scalar(name, attrs, []dtype.DType{d}, x...)
	require.True(t, ok, name)
	require.Len(t, y, 1, name)
	require.Equal(t, d, y[0].DType, name)
	return y[0]
}

// integers are the integer types, each with numbers at its ends and around zero.
func integers() map[dtype.DType][]reference.Element {
	list := map[dtype.DType][]reference.Element{}
	for _, d := range []dtype.DType{dtype.Bool, dtype.I8, dtype.I16, dtype.I32, dtype.I64} {
		top := int64(1) << (d.Bits() - 1)
		for _, v := range []int64{0, 1, 2, 3, 5, 7, -1, -2, -3, -8, 100, top, top - 1, top >> 1, 0x5a5a5a5a5a5a5a5a} {
			list[d] = append(list[d], reference.IntElement(d, v))
		}
	}
	return list
}

// signed is the number of a two's complement, unsigned the number of its bits.
func signed(x reference.Element) *big.Int {
	v := unsigned(x)
	if v.Bit(x.DType.Bits()-1) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(x.DType.Bits())))
	}
	return v
}

func unsigned(x reference.Element) *big.Int {
	v := new(big.Int).SetUint64(uint64(x.Int))
	return v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(x.DType.Bits())))
}

// low gives the element of the low bits of a number.
func low(d dtype.DType, v *big.Int) reference.Element {
	bits := new(big.Int).Mod(v, new(big.Int).Lsh(big.NewInt(1), 64))
	return reference.IntElement(d, int64(bits.Uint64()))
}

type integerFunc = func(x, y *big.Int) *big.Int

// quotient divides and rounds by the remainder of a division to the floor; nothing divided by zero gives more than 0.
func quotient(up func(x, y, rest *big.Int) bool) integerFunc {
	return func(x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return new(big.Int)
		}
		q, rest := floored(x, y)
		if rest.Sign() != 0 && up(x, y, rest) {
			q.Add(q, big.NewInt(1))
		}
		return q
	}
}

func floored(x, y *big.Int) (q, rest *big.Int) {
	q, rest = new(big.Int).DivMod(x, y, new(big.Int)) // of Euclid: the rest is not negative
	if y.Sign() < 0 && rest.Sign() != 0 {
		q.Sub(q, big.NewInt(1))
		rest.Add(rest, y)
	}
	return q, rest
}

// TestIntegers compares operations on integers with numbers of any size; the result is their low bits.
func TestIntegers(t *testing.T) {
	var floor = quotient(func(_, _, _ *big.Int) bool { return false })
	var ceil = quotient(func(_, _, _ *big.Int) bool { return true })
	var trunc = quotient(func(x, y, _ *big.Int) bool { return x.Sign() != y.Sign() })
	rest := func(x, y *big.Int) *big.Int {
		if y.Sign() == 0 {
			return new(big.Int)
		}
		return new(big.Int).Rem(x, y)
	}
	larger := func(x, y *big.Int) *big.Int {
		if x.Cmp(y) > 0 {
			return x
		}
		return y
	}
	smaller := func(x, y *big.Int) *big.Int {
		if x.Cmp(y) < 0 {
			return x
		}
		return y
	}
	shift := func(y *big.Int) uint { return uint(min(y.Uint64(), 64)) }
	table := map[string]struct {
		of func(reference.Element) *big.Int
		f  integerFunc
	}{
		"arith.addi":       {signed, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
		"arith.subi":       {signed, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }},
		"arith.muli":       {signed, func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }},
		"arith.andi":       {signed, func(x, y *big.Int) *big.Int { return new(big.Int).And(x, y) }},
		"arith.ori":        {signed, func(x, y *big.Int) *big.Int { return new(big.Int).Or(x, y) }},
		"arith.xori":       {signed, func(x, y *big.Int) *big.Int { return new(big.Int).Xor(x, y) }},
		"arith.shli":       {unsigned, func(x, y *big.Int) *big.Int { return new(big.Int).Lsh(x, shift(y)) }},
		"arith.shrui":      {unsigned, func(x, y *big.Int) *big.Int { return new(big.Int).Rsh(x, shift(y)) }},
		"arith.divsi":      {signed, trunc},
		"arith.floordivsi": {signed, floor},
		"arith.ceildivsi":  {signed, ceil},
		"arith.remsi":      {signed, rest},
		"arith.divui":      {unsigned, trunc},
		"arith.ceildivui":  {unsigned, ceil},
		"arith.remui":      {unsigned, rest},
		"arith.maxsi":      {signed, larger},
		"arith.minsi":      {signed, smaller},
		"arith.maxui":      {unsigned, larger},
		"arith.minui":      {unsigned, smaller},
	}
	for d, numbers := range integers() {
		for _, x := range numbers {
			for _, y := range numbers {
				for name, c := range table {
					require.Equal(t, low(d, c.f(c.of(x), c.of(y))), one(t, name, nil, d, x, y), "%s of %d and %d", name, x.Int, y.Int)
				}
				want := low(d, new(big.Int).Rsh(signed(x), shift(unsigned(y))))
				require.Equal(t, want, one(t, "arith.shrsi", nil, d, x, y), "shrsi of %d and %d", x.Int, y.Int)
				for name, of := range map[string]func(reference.Element) *big.Int{"arith.mului_extended": unsigned, "arith.mulsi_extended": signed} {
					product := new(big.Int).Mul(of(x), of(y))
					got, ok := scalar(name, nil, []dtype.DType{d, d}, x, y)
					require.True(t, ok)
					require.Equal(t, []reference.Element{low(d, product), low(d, new(big.Int).Rsh(product, uint(d.Bits())))}, got,
						"%s of %d and %d", name, x.Int, y.Int)
				}
				predicates := []bool{x.Int == y.Int, x.Int != y.Int}
				for _, of := range []func(reference.Element) *big.Int{signed, unsigned} {
					c := of(x).Cmp(of(y))
					predicates = append(predicates, c < 0, c <= 0, c > 0, c >= 0)
				}
				for p, want := range predicates {
					got := one(t, "arith.cmpi", mlir.Attrs{{Name: "predicate", Value: mlir.Int(p)}}, dtype.Bool, x, y)
					require.Equal(t, want, got.Int == 1, "predicate %d of %d and %d", p, x.Int, y.Int)
				}
				require.Equal(t, x, one(t, "arith.select", nil, d, reference.IntElement(dtype.Bool, 1), x, y))
				require.Equal(t, y, one(t, "arith.select", nil, d, reference.IntElement(dtype.Bool, 0), x, y))
			}
		}
	}
}

// TestIntegerPowers compares with products; of negative powers only powers of 1 and -1 are not zero.
func TestIntegerPowers(t *testing.T) {
	for _, d := range []dtype.DType{dtype.I8, dtype.I32, dtype.I64} {
		for _, x := range []int64{-3, -2, -1, 0, 1, 2, 3, 7} {
			want := big.NewInt(1)
			for y := range int64(12) {
				require.Equal(t, low(d, want), one(t, "math.ipowi", nil, d, reference.IntElement(d, x), reference.IntElement(d, y)), "%d to %d", x, y)
				want.Mul(want, big.NewInt(x))
			}
		}
		for x, want := range map[int64][2]int64{-3: {}, -1: {-1, 1}, 0: {}, 1: {1, 1}, 2: {}} {
			for i, y := range []int64{-3, -2} {
				require.Equal(t, want[i], one(t, "math.ipowi", nil, d, reference.IntElement(d, x), reference.IntElement(d, y)).Int, "%d to %d", x, y)
			}
		}
	}
	got := one(t, "math.ipowi", nil, dtype.I64, reference.IntElement(dtype.I64, 3), reference.IntElement(dtype.I64, math.MaxInt64))
	want := new(big.Int).Exp(big.NewInt(3), big.NewInt(math.MaxInt64), new(big.Int).Lsh(big.NewInt(1), 64))
	require.Equal(t, low(dtype.I64, want), got)
}

// TestOneInteger compares operations on one integer with the digits of its bits.
func TestOneInteger(t *testing.T) {
	for d, numbers := range integers() {
		for _, x := range numbers {
			u := unsigned(x)
			ones, zeros := 0, d.Bits()
			for i := range d.Bits() {
				ones += int(u.Bit(i))
				if u.Bit(i) != 0 {
					zeros = min(zeros, i)
				}
			}
			for name, want := range map[string]*big.Int{
				"math.ctpop": big.NewInt(int64(ones)),
				"math.ctlz":  big.NewInt(int64(d.Bits() - u.BitLen())),
				"math.cttz":  big.NewInt(int64(zeros)),
				"math.absi":  new(big.Int).Abs(signed(x)),
			} {
				require.Equal(t, low(d, want), one(t, name, nil, d, x), "%s of %s %d", name, d, x.Int)
			}
			for _, to := range []dtype.DType{dtype.Bool, dtype.I8, dtype.I16, dtype.I32, dtype.I64} {
				for name, want := range map[string]*big.Int{"arith.extsi": signed(x), "arith.index_cast": signed(x), "arith.trunci": signed(x),
					"arith.extui": u, "arith.index_castui": u} {
					require.Equal(t, low(to, want), one(t, name, nil, to, x), "%s of %s %d to %s", name, d, x.Int, to)
				}
			}
			for name, v := range map[string]*big.Int{"arith.sitofp": signed(x), "arith.uitofp": u} {
				single, _ := new(big.Float).SetInt(v).Float32()
				double, _ := new(big.Float).SetInt(v).Float64()
				require.Equal(t, reference.Element{DType: dtype.F32, Float: float64(single)}, one(t, name, nil, dtype.F32, x))
				require.Equal(t, reference.Element{DType: dtype.F64, Float: double}, one(t, name, nil, dtype.F64, x))
			}
		}
	}
}

// TestFloats compares operations on floats with Go's, on numbers, infinities and NaN, rounded to each type.
func TestFloats(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	numbers := []float64{0, math.Copysign(0, -1), 0.3, -0.3, 0.5, -0.5, 1, -1, 1.5, 2.5, -2.5, 3.25, 7, inf, -inf, nan}
	rounded := map[dtype.DType]func(float64) float64{
		dtype.F64:  func(x float64) float64 { return x },
		dtype.F32:  func(x float64) float64 { return float64(float32(x)) },
		dtype.F16:  func(x float64) float64 { return float64(dtype.ToFloat16(float32(x)).Float32()) },
		dtype.BF16: func(x float64) float64 { return float64(dtype.ToBFloat16(float32(x)).Float32()) },
	}
	same := func(name string, want float64, got float64, x ...float64) {
		t.Helper()
		if want != want {
			require.True(t, math.IsNaN(got), "%s of %v is %v", name, x, got)
			return
		}
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%s of %v is %v, not %v", name, x, got, want)
	}
	table1 := map[string]func(float64) float64{
		"arith.negf": func(x float64) float64 { return math.Copysign(x, -math.Copysign(1, x)) }, "math.absf": math.Abs, "math.sqrt": math.Sqrt,
		"math.rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "math.cbrt": math.Cbrt, "math.exp": math.Exp, "math.exp2": math.Exp2,
		"math.expm1": math.Expm1, "math.log": math.Log, "math.log2": math.Log2, "math.log10": math.Log10, "math.log1p": math.Log1p, "math.sin": math.Sin,
		"math.cos": math.Cos, "math.tan": math.Tan, "math.asin": math.Asin, "math.acos": math.Acos, "math.atan": math.Atan, "math.sinh": math.Sinh,
		"math.cosh": math.Cosh, "math.tanh": math.Tanh, "math.asinh": math.Asinh, "math.acosh": math.Acosh, "math.atanh": math.Atanh, "math.erf": math.Erf,
		"math.erfc": math.Erfc, "math.floor": math.Floor, "math.ceil": math.Ceil, "math.trunc": math.Trunc, "math.roundeven": math.RoundToEven,
		"math.round": math.Round, "arith.extf": rounded[dtype.F64], "arith.truncf": rounded[dtype.F64],
	}
	either := func(x, y float64, f func(x, y float64) float64) float64 { // NaN if one is
		if x != x || y != y {
			return nan
		}
		return f(x, y)
	}
	number := func(x, y float64, f func(x, y float64) float64) float64 { // NaN if both are
		switch {
		case x != x:
			return y
		case y != y:
			return x
		}
		return f(x, y)
	}
	table2 := map[string]func(x, y float64) float64{
		"arith.addf": func(x, y float64) float64 { return x + y }, "arith.subf": func(x, y float64) float64 { return x - y },
		"arith.mulf": func(x, y float64) float64 { return x * y }, "arith.divf": func(x, y float64) float64 { return x / y },
		"arith.remf": math.Mod, "math.powf": math.Pow, "math.atan2": math.Atan2, "math.copysign": math.Copysign,
		"arith.maximumf": func(x, y float64) float64 { return either(x, y, math.Max) },
		"arith.minimumf": func(x, y float64) float64 { return either(x, y, math.Min) },
		"arith.maxnumf":  func(x, y float64) float64 { return number(x, y, math.Max) },
		"arith.minnumf":  func(x, y float64) float64 { return number(x, y, math.Min) },
	}
	for d, round := range rounded {
		for _, x := range numbers {
			ex := reference.FloatElement(d, x)
			require.Equal(t, d, ex.DType)
			same("rounding", round(x), ex.Float, x)
			x = ex.Float
			for name, f := range table1 {
				same(name, round(f(x)), one(t, name, nil, d, ex).Float, x)
			}
			for name, want := range map[string]bool{"math.isnan": x != x, "math.isinf": x == inf || x == -inf, "math.isfinite": x-x == 0} {
				require.Equal(t, want, one(t, name, nil, dtype.Bool, ex).Int == 1, "%s of %v", name, x)
			}
			for _, n := range []int64{-2, 0, 3} {
				same("fpowi", round(math.Pow(x, float64(n))), one(t, "math.fpowi", nil, d, ex, reference.IntElement(dtype.I32, n)).Float, x, float64(n))
			}
			for _, y := range numbers {
				ey := reference.FloatElement(d, y)
				y := ey.Float
				for name, f := range table2 {
					same(name, round(f(x, y)), one(t, name, nil, d, ex, ey).Float, x, y)
				}
				z := reference.FloatElement(d, 0.7)
				same("fma", round(math.FMA(x, y, z.Float)), one(t, "math.fma", nil, d, ex, ey, z).Float, x, y)
			}
		}
	}
}

// TestFloatsToIntegers: numbers lose their fraction, those over the signed ones as well.
func TestFloatsToIntegers(t *testing.T) {
	for x, want := range map[float64]int64{0: 0, 1.9: 1, -1.9: -1, 127: 127, -128: -128} {
		require.Equal(t, reference.IntElement(dtype.I8, want), one(t, "arith.fptosi", nil, dtype.I8, reference.FloatElement(dtype.F32, x)))
	}
	for x, want := range map[float64]uint64{0: 0, 1.9: 1, 200.5: 200, 1 << 62: 1 << 62, 1 << 63: 1 << 63, 3 << 62: 3 << 62} {
		require.Equal(t, int64(want), one(t, "arith.fptoui", nil, dtype.I64, reference.FloatElement(dtype.F64, x)).Int, x)
	}
	require.Equal(t, reference.IntElement(dtype.I8, -56), one(t, "arith.fptoui", nil, dtype.I8, reference.FloatElement(dtype.F32, 200)))
}

// TestBitcasts gives the bits of one and of the largest negative number of each type, and takes them back.
func TestBitcasts(t *testing.T) {
	for d, c := range map[dtype.DType]struct {
		to   dtype.DType
		bits map[float64]uint64
	}{
		dtype.F16:  {dtype.I16, map[float64]uint64{1: 0x3c00, -65504: 0xfbff}},
		dtype.BF16: {dtype.I16, map[float64]uint64{1: 0x3f80, -1.5: 0xbfc0}},
		dtype.F32:  {dtype.I32, map[float64]uint64{1: 0x3f800000, -math.MaxFloat32: 0xff7fffff}},
		dtype.F64:  {dtype.I64, map[float64]uint64{1: 0x3ff0000000000000, -math.MaxFloat64: 0xffefffffffffffff}},
	} {
		for x, bits := range c.bits {
			number, integer := reference.FloatElement(d, x), reference.IntElement(c.to, int64(bits))
			require.Equal(t, integer, one(t, "arith.bitcast", nil, c.to, number), "%s %v", d, x)
			require.Equal(t, number, one(t, "arith.bitcast", nil, d, integer), "%s %x", d, bits)
		}
	}
	require.Equal(t, reference.IntElement(dtype.I8, -3), one(t, "arith.bitcast", nil, dtype.I8, reference.IntElement(dtype.I8, -3)))
}

// TestNoScalar: what has no rule for numbers is said to have none.
func TestNoScalar(t *testing.T) {
	x := reference.IntElement(dtype.I8, 3)
	for name, in := range map[string][]reference.Element{
		"foo.bar": {x}, "foo.baz": {x, x}, "foo.three": {x, x, x}, "foo.none": nil,
		"arith.cmpi": {x, x}, "arith.cmpf": {x, x}, "arith.foo_extended": {x, x},
	} {
		y, ok := scalar(name, nil, []dtype.DType{dtype.I8}, in...)
		require.False(t, ok, name)
		require.Empty(t, y)
	}
}

// TestAffine compares expressions with floors and ceilings of fractions, for numbers of both signs.
func TestAffine(t *testing.T) {
	floor := func(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }
	dim, symbol, constant := mlir.Dim(0), mlir.Symbol(0), mlir.Const(3)
	for kind, f := range map[mlir.AffineKind]func(a, b int) int{
		mlir.AffineAdd:      func(a, b int) int { return a + b },
		mlir.AffineMul:      func(a, b int) int { return a * b },
		mlir.AffineFloorDiv: floor,
		mlir.AffineCeilDiv:  func(a, b int) int { return -floor(-a, b) },
		mlir.AffineMod:      func(a, b int) int { return a - b*floor(a, b) },
	} {
		for a := -7; a <= 7; a++ {
			require.Equal(t, f(a, 3), reference.AffineValue(&mlir.AffineExpr{Kind: kind, LHS: dim, RHS: constant}, []int{a}, 1), "kind %d of %d and 3", kind, a)
			for _, b := range []int{-3, -1, 1, 2} {
				got := reference.AffineValue(&mlir.AffineExpr{Kind: kind, LHS: dim, RHS: symbol}, []int{a, b}, 1)
				require.Equal(t, f(a, b), got, "kind %d of %d and %d", kind, a, b)
			}
		}
	}
	for _, kind := range []mlir.AffineKind{mlir.AffineFloorDiv, mlir.AffineCeilDiv, mlir.AffineMod} {
		require.Zero(t, reference.AffineValue(&mlir.AffineExpr{Kind: kind, LHS: dim, RHS: symbol}, []int{5, 0}, 1), "by zero")
	}
}
