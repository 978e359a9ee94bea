package scalar

import "math"

// inverseRoot is 1/√x.
func inverseRoot(x float64) float64 { return 1 / math.Sqrt(x) }

// sigmoid is 1/(1+e⁻ˣ), by an exponential that does not overflow.
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

// Log is the natural logarithm. That of Go's package math takes subnormal numbers for larger ones on amd64.
func Log(x float64) float64 {
	if x > 0 && x < leastNormal {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// Log10 is the logarithm to base 10, of subnormal numbers, too.
func Log10(x float64) float64 {
	if x > 0 && x < leastNormal {
		return math.Log10(x*0x1p54) - 54*(math.Ln2/math.Ln10)
	}
	return math.Log10(x)
}

// leastNormal is the least number with all 53 bits.
const leastNormal = 0x1p-1022
