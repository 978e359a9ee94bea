package portable

import (
	"math"
	"math/bits"

	"github.com/go-acap/acap/kernel"
)

// functions1 are computed in f64 for every floating type.
var functions1 = map[kernel.Op]func(float64) float64{
	kernel.Sqrt:      math.Sqrt,
	kernel.RSqrt:     func(x float64) float64 { return 1 / math.Sqrt(x) },
	kernel.Cbrt:      math.Cbrt,
	kernel.Exp:       exp,
	kernel.Exp2:      math.Exp2,
	kernel.Expm1:     math.Expm1,
	kernel.Log:       math.Log,
	kernel.Log2:      math.Log2,
	kernel.Log10:     math.Log10,
	kernel.Log1p:     math.Log1p,
	kernel.Sin:       math.Sin,
	kernel.Cos:       math.Cos,
	kernel.Tan:       math.Tan,
	kernel.Asin:      math.Asin,
	kernel.Acos:      math.Acos,
	kernel.Atan:      math.Atan,
	kernel.Sinh:      sinh,
	kernel.Cosh:      cosh,
	kernel.Tanh:      math.Tanh,
	kernel.Asinh:     math.Asinh,
	kernel.Acosh:     math.Acosh,
	kernel.Atanh:     math.Atanh,
	kernel.Erf:       math.Erf,
	kernel.Erfc:      math.Erfc,
	kernel.Sigmoid:   sigmoid,
	kernel.Floor:     math.Floor,
	kernel.Ceil:      math.Ceil,
	kernel.Trunc:     math.Trunc,
	kernel.RoundEven: math.RoundToEven,
	kernel.Round:     math.Round,
	kernel.Abs:       math.Abs,
}

// sigmoid avoids the loss of digits that 1/(1+exp(-x)) has for no x, but keeps
// exp from overflowing.
func sigmoid(x float64) float64 {
	if x >= 0 {
		return 1 / (1 + math.Exp(-x))
	}
	e := math.Exp(x)
	return e / (1 + e)
}

// exp goes on where math.Exp of some processors gives infinity early.
func exp(x float64) float64 {
	if x > 709 {
		e := math.Exp(x / 2)
		return e * e
	}
	return math.Exp(x)
}

// sinh and cosh go on where eˣ is infinite but its half is not.
func sinh(x float64) float64 {
	if math.Abs(x) > 700 {
		e := math.Exp(math.Abs(x) / 2)
		return math.Copysign(e/2*e, x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if math.Abs(x) > 700 {
		e := math.Exp(math.Abs(x) / 2)
		return e / 2 * e
	}
	return math.Cosh(x)
}

func floatUnary[T float](op kernel.Op) func(d, a []T) {
	if op == kernel.Neg {
		return negLanes[T]
	}
	f, ok := functions1[op]
	if !ok {
		return nil
	}
	return func(d, a []T) {
		a = a[:len(d)]
		for i := range d {
			d[i] = T(f(float64(a[i])))
		}
	}
}

func negLanes[T number](d, a []T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = -a[i]
	}
}

func integerUnary[T integer](op kernel.Op, width int) func(d, a []T) {
	switch op {
	case kernel.Neg:
		return negLanes[T]
	case kernel.Abs:
		return func(d, a []T) {
			for i, x := range a[:len(d)] {
				d[i] = max(x, -x)
				if x == -x || x > 0 {
					d[i] = x
				}
			}
		}
	case kernel.Not:
		return func(d, a []T) {
			for i, x := range a[:len(d)] {
				d[i] = ^x
			}
		}
	case kernel.CountOnes:
		return func(d, a []T) {
			for i, x := range a[:len(d)] {
				d[i] = T(bits.OnesCount64(uint64(x) & (1<<width - 1)))
			}
		}
	}
	return nil
}

func notBool(d, a []uint8) {
	for i, x := range a[:len(d)] {
		d[i] = x ^ 1
	}
}

func isNaN[T float](d []uint8, a []T) {
	for i, x := range a[:len(d)] {
		d[i] = truth(x != x)
	}
}

func isInf[T float](d []uint8, a []T) {
	for i, x := range a[:len(d)] {
		d[i] = truth(x-x != 0 && x == x)
	}
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
