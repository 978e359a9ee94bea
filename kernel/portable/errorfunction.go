package portable

import (
	"math"
	"math/big"
	"sync"
)

// The error function is a Taylor polynomial around the middle of each of so many parts of 1, up to where it is 1 in f32.
const (
	erfParts  = 16
	erfEnd    = 4
	erfDegree = 6
)

// erfTable has the coefficients of each part, lowest first. They are rounded once, so they are the same on every
// processor.
var erfTable = sync.OnceValue(func() *[erfEnd * erfParts][erfDegree + 1]float64 {
	t := new([erfEnd * erfParts][erfDegree + 1]float64)
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	times := func(x, y *big.Float) *big.Float { return new(big.Float).SetPrec(200).Mul(x, y) }
	pi, _ := new(big.Float).SetPrec(200).SetString("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
	slope := new(big.Float).SetPrec(200).Quo(number(2), new(big.Float).SetPrec(200).Sqrt(pi)) // at 0
	for i := range t {
		x := number((float64(i) + 0.5) / erfParts)
		square := times(x, x)
		// power is xⁿ⁺ⁿ/n!, with alternating signs.
		value, derivative, power := number(0), number(0), number(1)
		for n := 0.0; n < 120; n++ {
			derivative.Add(derivative, power)
			value.Add(value, new(big.Float).SetPrec(200).Quo(times(power, x), number(2*n+1)))
			power = times(power, square)
			power.Quo(power, number(-(n + 1)))
		}
		before, last := times(slope, value), times(slope, derivative)
		t[i][0], _ = before.Float64()
		before = number(0)
		factorial := number(1)
		for n := 1; n <= erfDegree; n++ {
			factorial = times(factorial, number(float64(n)))
			t[i][n], _ = new(big.Float).SetPrec(200).Quo(last, factorial).Float64()
			next := times(x, last) // f⁽ⁿ⁺¹⁾ = -2·(x·f⁽ⁿ⁾ + (n-1)·f⁽ⁿ⁻¹⁾)
			next.Add(next, times(number(float64(n-1)), before))
			before, last = last, times(number(-2), next)
		}
	}
	return t
})

// erfLanes is the series at 0 for small numbers, whose result may be as small.
func erfLanes(d, a []float32) {
	const small = 0.5
	const slope = 2 / math.SqrtPi
	table := erfTable()
	a = a[:len(d)]
	for i := range d {
		x := float64(a[i])
		z := math.Abs(x)
		switch {
		case z < small:
			s := float64(x * x)
			p := float64(s*(-slope/(5040*15))) + slope/(720*13)
			p = float64(s*p) - slope/(120*11)
			p = float64(s*p) + slope/(24*9)
			p = float64(s*p) - slope/(6*7)
			p = float64(s*p) + slope/(2*5)
			p = float64(s*p) - slope/3
			p = float64(s*p) + slope
			d[i] = float32(float64(x * p))
		case z < erfEnd:
			n := int(z * erfParts)
			c := &table[n]
			r := z - (float64(n)+0.5)/erfParts
			p := float64(r*c[6]) + c[5]
			p = float64(r*p) + c[4]
			p = float64(r*p) + c[3]
			p = float64(r*p) + c[2]
			p = float64(r*p) + c[1]
			p = float64(r*p) + c[0]
			d[i] = float32(math.Copysign(p, x))
		case z >= erfEnd:
			d[i] = float32(math.Copysign(1, x))
		default: // NaN
			d[i] = a[i]
		}
	}
}
