package portable

import (
	"math"
	"sync"
)

// The error function is a Taylor polynomial around the middle of each 16th of 1, up to where it is 1 in f32.
const (
	erfParts  = 16
	erfEnd    = 4
	erfDegree = 6
)

// erfTable has the coefficients of each part, lowest first. Every product is rounded before it is added, so the
// coefficients are the same on every processor.
var erfTable = sync.OnceValue(func() *[erfEnd * erfParts][erfDegree + 1]float64 {
	t := new([erfEnd * erfParts][erfDegree + 1]float64)
	for i := range t {
		x := (float64(i) + 0.5) / erfParts
		slope := 2 / math.SqrtPi * exp(-x*x)
		// erf x is the slope times the sum of 2ⁿ·x²ⁿ⁺¹/(1·3·…·(2n+1)) (NIST, Digital Library of Mathematical Functions, 7.6.2).
		term := slope * x
		for n := 0.0; term > 0x1p-60; n++ {
			t[i][0] += term
			term *= 2 * x * x / (2*n + 3)
		}
		before, last, factorial := 0.0, slope, 1.0
		for n := 1.0; n <= erfDegree; n++ {
			factorial *= n
			t[i][int(n)] = last / factorial
			before, last = last, -2*(float64(x*last)+float64((n-1)*before)) // f⁽ⁿ⁺¹⁾ = -2·(x·f⁽ⁿ⁾ + (n-1)·f⁽ⁿ⁻¹⁾)
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
