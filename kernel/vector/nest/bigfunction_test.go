package nest_test

import (
	"math"
	"math/big"

	"github.com/go-acap/acap/kernel"
)

// Functions to a few hundred bits by their series, as the reference for f64.

const bigBits = 256

func bigOf(x float64) *big.Float     { return new(big.Float).SetPrec(bigBits).SetFloat64(x) }
func add(a, b *big.Float) *big.Float { return new(big.Float).Add(a, b) }
func sub(a, b *big.Float) *big.Float { return new(big.Float).Sub(a, b) }
func mul(a, b *big.Float) *big.Float { return new(big.Float).Mul(a, b) }
func quo(a, b *big.Float) *big.Float { return new(big.Float).Quo(a, b) }
func sqrt(a *big.Float) *big.Float   { return new(big.Float).Sqrt(a) }
func half(a *big.Float) *big.Float   { return new(big.Float).SetMantExp(a, -1) }
func twice(a *big.Float) *big.Float  { return new(big.Float).SetMantExp(a, 1) }

var bigOne, bigTwo = bigOf(1), bigOf(2)

// series sums first·(1 + r₁ + r₁r₂ + …) with the ratios that next gives, scaled by
// weight, until the terms do not count.
func series(first *big.Float, next func(term *big.Float, n int) *big.Float, weight func(n int) float64) *big.Float {
	prec := first.Prec()
	sum, term := new(big.Float).SetPrec(prec), first
	for n := 0; ; n++ {
		t := quo(term, new(big.Float).SetPrec(prec).SetFloat64(weight(n)))
		sum = add(sum, t)
		if t.Sign() == 0 || n > 8 && t.MantExp(nil) < sum.MantExp(nil)-int(prec) && t.MantExp(nil) < first.MantExp(nil)-int(prec) {
			return sum
		}
		term = next(term, n)
	}
}

func unit(int) float64 { return 1 }

// bigExpm1 is eˣ - 1. Beyond ±1200 no f64 tells it from the limits.
func bigExpm1(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	if limit := bigOf(math.Copysign(1200, float64(x.Sign()))); x.MantExp(nil) > 10 {
		x = limit
	}
	halvings := max(0, x.MantExp(nil)+8)
	r := new(big.Float).SetMantExp(x, -halvings)
	m := series(r, func(t *big.Float, n int) *big.Float { return quo(mul(t, r), bigOf(float64(n+2))) }, unit)
	for range halvings { // e²ˣ - 1 = m·(m + 2)
		m = mul(m, add(m, bigTwo))
	}
	return m
}

func bigExp(x *big.Float) *big.Float {
	if x.Sign() < 0 {
		return quo(bigOne, bigExp(new(big.Float).Neg(x)))
	}
	return add(bigExpm1(x), bigOne)
}

// bigAtanh is the series for |x| < ½.
func bigAtanh(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	z := mul(x, x)
	return series(x, func(t *big.Float, n int) *big.Float { return mul(t, z) },
		func(n int) float64 { return float64(2*n + 1) })
}

var bigLn2 = twice(bigAtanh(quo(bigOne, bigOf(3))))

// bigLog is log(x) for x > 0.
func bigLog(x *big.Float) *big.Float {
	m := new(big.Float)
	e := x.MantExp(m)
	if f, _ := m.Float64(); f < 0.7 {
		m, e = twice(m), e-1
	}
	l := twice(bigAtanh(quo(sub(m, bigOne), add(m, bigOne))))
	return add(l, mul(bigLn2, bigOf(float64(e))))
}

// bigLog1p is log(1+x) for x > -1.
func bigLog1p(x *big.Float) *big.Float {
	if f, _ := x.Float64(); math.Abs(f) < 0.3 {
		return twice(bigAtanh(quo(x, add(bigTwo, x))))
	}
	return bigLog(add(bigOne, x))
}

var bigPi = pi(1600)

// pi is π = 16·atan(1/5) - 4·atan(1/239), Machin's formula.
func pi(bits uint) *big.Float {
	atan := func(x int64) *big.Float { // of 1/x, by its series
		sum := new(big.Float).SetPrec(bits)
		term := new(big.Float).SetPrec(bits).Quo(bigOf(1), bigOf(float64(x)))
		for n := int64(1); term.Sign() != 0 && term.MantExp(nil) > -int(bits); n += 2 {
			part := new(big.Float).SetPrec(bits).Quo(term, bigOf(float64(n)))
			if n%4 == 3 {
				part.Neg(part)
			}
			sum.Add(sum, part)
			term.Quo(term, bigOf(float64(x*x)))
		}
		return sum
	}
	return sub(mul(bigOf(16), atan(5)), mul(bigOf(4), atan(239)))
}

// bigSinCos are the sine and cosine.
func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	x = new(big.Float).SetPrec(1600).Set(x)
	n, _ := add(quo(x, half(bigPi)), bigOf(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	r := sub(x, mul(half(bigPi), new(big.Float).SetInt(n)))
	z := new(big.Float).Neg(mul(r, r))
	taylor := func(first *big.Float, start int) *big.Float {
		return series(first, func(t *big.Float, n int) *big.Float {
			k := float64(2*n + start)
			return quo(mul(t, z), bigOf(k*(k+1)))
		}, unit)
	}
	sin, cos = taylor(r.SetPrec(bigBits), 2), taylor(bigOne, 1)
	for range n.Mod(n, big.NewInt(4)).Int64() {
		sin, cos = cos, sin.Neg(sin)
	}
	return sin, cos
}

func bigAtan(x *big.Float) *big.Float {
	if x.Sign() == 0 {
		return x
	}
	for range 6 {
		x = quo(x, add(bigOne, sqrt(add(bigOne, mul(x, x)))))
	}
	z := new(big.Float).Neg(mul(x, x))
	y := series(x, func(t *big.Float, n int) *big.Float { return mul(t, z) },
		func(n int) float64 { return float64(2*n + 1) })
	return new(big.Float).SetMantExp(y, 6)
}

// bigErf has as many bits as its complement needs. Beyond 28 it differs from 1 by no
// number of f64.
func bigErf(v float64) *big.Float {
	v = max(-28, min(28, v))
	prec := bigBits + uint(3*v*v)
	x := new(big.Float).SetPrec(prec).SetFloat64(v)
	z := new(big.Float).Neg(mul(x, x))
	y := series(x, func(t *big.Float, n int) *big.Float { return quo(mul(t, z), bigOf(float64(n+1))) },
		func(n int) float64 { return float64(2*n + 1) })
	return quo(twice(y), sqrt(pi(prec)))
}

func bigErfc(v float64) *big.Float {
	y := bigErf(v)
	return sub(new(big.Float).SetPrec(y.Prec()).SetInt64(1), y)
}

func bigCbrt(v float64) *big.Float {
	x, y := bigOf(v), bigOf(math.Cbrt(v))
	for range 4 {
		y = sub(y, quo(sub(y, quo(x, mul(y, y))), bigOf(3)))
	}
	return y
}

func bigAsinh(x *big.Float) *big.Float {
	z := mul(x, x)
	return bigLog1p(add(x, quo(z, add(bigOne, sqrt(add(bigOne, z))))))
}

// bigFunctions are the functions at plain numbers inside their domain.
var bigFunctions = map[kernel.Op]func(v float64) *big.Float{
	kernel.Exp:   func(v float64) *big.Float { return bigExp(bigOf(v)) },
	kernel.Exp2:  func(v float64) *big.Float { return bigExp(mul(bigOf(v), bigLn2)) },
	kernel.Expm1: func(v float64) *big.Float { return bigExpm1(bigOf(v)) },
	kernel.Log:   func(v float64) *big.Float { return bigLog(bigOf(v)) },
	kernel.Log2:  func(v float64) *big.Float { return quo(bigLog(bigOf(v)), bigLn2) },
	kernel.Log10: func(v float64) *big.Float { return quo(bigLog(bigOf(v)), bigLog(bigOf(10))) },
	kernel.Log1p: func(v float64) *big.Float { return bigLog1p(bigOf(v)) },
	kernel.Sigmoid: func(v float64) *big.Float {
		return quo(bigOne, add(bigOne, bigExp(bigOf(-v))))
	},
	kernel.Sinh: func(v float64) *big.Float {
		m := bigExpm1(bigOf(math.Abs(v)))
		return mul(bigOf(math.Copysign(0.5, v)), add(m, quo(m, add(m, bigOne))))
	},
	kernel.Cosh: func(v float64) *big.Float {
		e := bigExp(bigOf(v))
		return half(add(e, quo(bigOne, e)))
	},
	kernel.Tanh: func(v float64) *big.Float {
		m := bigExpm1(bigOf(2 * max(-99, min(99, v))))
		return quo(m, add(m, bigTwo))
	},
	kernel.Asinh: func(v float64) *big.Float {
		if v < 0 {
			return new(big.Float).Neg(bigAsinh(bigOf(-v)))
		}
		return bigAsinh(bigOf(v))
	},
	kernel.Acosh: func(v float64) *big.Float {
		t := sub(bigOf(v), bigOne)
		return bigLog1p(add(t, sqrt(mul(t, add(t, bigTwo)))))
	},
	kernel.Atanh: func(v float64) *big.Float {
		return half(bigLog1p(quo(bigOf(2*v), sub(bigOne, bigOf(v)))))
	},
	kernel.Sin: func(v float64) *big.Float { y, _ := bigSinCos(bigOf(v)); return y },
	kernel.Cos: func(v float64) *big.Float { _, y := bigSinCos(bigOf(v)); return y },
	kernel.Tan: func(v float64) *big.Float { y, x := bigSinCos(bigOf(v)); return quo(y, x) },
	kernel.Asin: func(v float64) *big.Float {
		x := bigOf(v)
		return twice(bigAtan(quo(x, add(bigOne, sqrt(sub(bigOne, mul(x, x)))))))
	},
	kernel.Acos: func(v float64) *big.Float {
		x := bigOf(v)
		if v == -1 {
			return bigPi
		}
		return twice(bigAtan(sqrt(quo(sub(bigOne, x), add(bigOne, x)))))
	},
	kernel.Atan: func(v float64) *big.Float { return bigAtan(bigOf(v)) },
	kernel.Erf:  bigErf, kernel.Erfc: bigErfc, kernel.Cbrt: bigCbrt,
}

// bigFunctions2 are the functions of two operands.
var bigFunctions2 = map[kernel.Op]func(v, w float64) *big.Float{
	kernel.Pow: func(v, w float64) *big.Float {
		y := bigExp(mul(bigOf(w), bigLog(bigOf(math.Abs(v)))))
		if v < 0 && math.Mod(w, 2) != 0 {
			y.Neg(y)
		}
		return y
	},
	kernel.Hypot: func(v, w float64) *big.Float {
		return sqrt(add(mul(bigOf(v), bigOf(v)), mul(bigOf(w), bigOf(w))))
	},
	kernel.Atan2: func(v, w float64) *big.Float {
		y := bigAtan(quo(bigOf(v), bigOf(w)))
		switch {
		case w > 0:
			return y
		case v < 0:
			return sub(y, bigPi)
		}
		return add(y, bigPi)
	},
}
