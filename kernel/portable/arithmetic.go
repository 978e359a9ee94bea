package portable

import (
	"math"

	"github.com/go-acap/acap/kernel"
)

// binary returns the loop of a binary operation on lanes of type T.
func binary[T element](op kernel.Op) func(d, a, b []T) {
	switch op {
	case kernel.Add:
		return addLanes[T]
	case kernel.Sub:
		return subLanes[T]
	case kernel.Mul:
		return mulLanes[T]
	case kernel.Min, kernel.MinNum:
		return minLanes[T]
	case kernel.Max, kernel.MaxNum:
		return maxLanes[T]
	}
	return nil
}

func addLanes[T element](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] + b[i]
	}
}

func subLanes[T element](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] - b[i]
	}
}

func mulLanes[T element](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] * b[i]
	}
}

func minLanes[T element](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = min(a[i], b[i])
	}
}

func maxLanes[T element](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = max(a[i], b[i])
	}
}

// zip makes a loop of a function of two numbers.
func zip[T any](f func(a, b T) T) func(d, a, b []T) {
	return func(d, a, b []T) {
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = f(a[i], b[i])
		}
	}
}

func integerBinary[T integer](op kernel.Op) func(d, a, b []T) {
	if f := binary[T](op); f != nil {
		return f
	}
	switch op {
	case kernel.Div:
		return zip(quotient[T])
	case kernel.Rem:
		return zip(remainder[T])
	case kernel.FloorDiv:
		return zip(floorQuotient[T])
	case kernel.Mod:
		return zip(modulo[T])
	case kernel.Pow:
		return zip(power[T])
	case kernel.And:
		return zip(func(a, b T) T { return a & b })
	case kernel.Or:
		return zip(func(a, b T) T { return a | b })
	case kernel.Xor:
		return zip(func(a, b T) T { return a ^ b })
	case kernel.Shl:
		return zip(func(a, b T) T { return a << uint64(b) })
	case kernel.Shr:
		return zip(func(a, b T) T { return a >> uint64(b) })
	}
	return nil
}

func quotient[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a / b
}

func remainder[T integer](a, b T) T {
	if b == 0 {
		return 0
	}
	return a % b
}

func floorQuotient[T integer](a, b T) T {
	q := quotient(a, b)
	if r := remainder(a, b); r != 0 && (r < 0) != (b < 0) {
		q--
	}
	return q
}

func modulo[T integer](a, b T) T {
	r := remainder(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

// power raises to an integer power by squaring; a negative power truncates.
func power[T integer](a, b T) T {
	if b < 0 {
		switch {
		case a == 1:
			return 1
		case a+1 == 0: // -1
			if b&1 == 0 {
				return 1
			}
			return a
		}
		return 0
	}
	r := T(1)
	for ; b != 0; b >>= 1 {
		if b&1 != 0 {
			r *= a
		}
		a *= a
	}
	return r
}

func boolBinary(op kernel.Op) func(d, a, b []uint8) {
	switch op {
	case kernel.Add, kernel.Or, kernel.Max, kernel.MaxNum:
		return zip(func(a, b uint8) uint8 { return a | b })
	case kernel.Mul, kernel.And, kernel.Min, kernel.MinNum:
		return zip(func(a, b uint8) uint8 { return a & b })
	case kernel.Xor:
		return zip(func(a, b uint8) uint8 { return a ^ b })
	}
	return nil
}

func floatBinary[T float](op kernel.Op) func(d, a, b []T) {
	switch op {
	case kernel.MinNum:
		return zip(minNum[T])
	case kernel.MaxNum:
		return zip(maxNum[T])
	case kernel.Div:
		return func(d, a, b []T) {
			a, b = a[:len(d)], b[:len(d)]
			for i := range d {
				d[i] = a[i] / b[i]
			}
		}
	case kernel.FloorDiv:
		return zip(floorDivide[T])
	case kernel.NextAfter:
		return zip(nextAfter[T])
	}
	if f := binary[T](op); f != nil {
		return f
	}
	if f, ok := functions2[op]; ok {
		return zip(func(a, b T) T { return T(f(float64(a), float64(b))) })
	}
	return nil
}

// functions2 are computed in f64 for every floating type.
var functions2 = map[kernel.Op]func(a, b float64) float64{
	kernel.Rem:      math.Mod,
	kernel.Mod:      floatModulo,
	kernel.Pow:      math.Pow,
	kernel.Atan2:    math.Atan2,
	kernel.CopySign: math.Copysign,
	kernel.Hypot:    math.Hypot,
}

func minNum[T float](a, b T) T { return min(orElse(a, b), orElse(b, a)) }

func maxNum[T float](a, b T) T { return max(orElse(a, b), orElse(b, a)) }

// orElse is a, or b in place of NaN.
func orElse[T float](a, b T) T {
	if a != a {
		return b
	}
	return a
}

func floatModulo(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (b < 0) != (r < 0) {
		r += b
	}
	return r
}

// floorDivide is Python's rule: the quotient that goes with floatModulo.
func floorDivide[T float](a, b T) T {
	if b == 0 {
		return a / b
	}
	r := T(math.Mod(float64(a), float64(b)))
	q := (a - r) / b
	if r != 0 && (b < 0) != (r < 0) {
		q--
	}
	if q == 0 {
		return T(math.Copysign(0, float64(a/b)))
	}
	f := T(math.Floor(float64(q)))
	if q-f > 0.5 {
		f++
	}
	return f
}

func nextAfter[T float](a, b T) T {
	switch a := any(a).(type) {
	case float32:
		return T(math.Nextafter32(a, float32(b)))
	case float64:
		return T(math.Nextafter(a, float64(b)))
	}
	panic("BUG: portable: nextafter")
}

// fma32 rounds a·b + c once. The sum in f64 has been rounded already, which matters only if it lies in the middle between two
// numbers of f32: then it is rounded to odd first, and so it is where numbers of f32 have fewer bits.
func fma32(a, b, c float32) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := p + z
	if roundsAgain(s) {
		return float32(s)
	}
	return fmaOdd(p, z, s)
}

// roundsAgain reports whether a sum may be rounded once more, to f32: the bits that f32 has no room for are not the middle,
// and the sum is 0 or no less than the least normal number.
func roundsAgain(s float64) bool {
	const middle, below, least = 1 << 28, 1<<29 - 1, (1023 - 126) << 53 // without the sign
	bits := math.Float64bits(s)
	return bits&below != middle && bits<<1-1 >= least-1
}

// fmaOdd rounds the sum s of p and z to odd, and then to f32.
func fmaOdd(p, z, s float64) float32 {
	t := s - p
	if e := (p - (s - t)) + (z - t); e != 0 && !math.IsInf(s, 0) {
		if bits := math.Float64bits(s); bits&1 == 0 {
			if (e > 0) == (s > 0) {
				bits++
			} else {
				bits--
			}
			s = math.Float64frombits(bits)
		}
	}
	return float32(s)
}

func fmaLanes[T float](d, a, b, c []T) {
	if d, ok := any(d).([]float32); ok {
		fma32Lanes(d, any(a).([]float32), any(b).([]float32), any(c).([]float32))
		return
	}
	for i := range d {
		d[i] = T(math.FMA(float64(a[i]), float64(b[i]), float64(c[i])))
	}
}

// fma32Lanes is [fma32] without a call for each element. d overlaps none of the operands.
func fma32Lanes(d, a, b, c []float32) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		s := float64(a[i])*float64(b[i]) + float64(c[i]) // the product is exact
		d[i] = float32(s)
		if !roundsAgain(s) {
			fma32Each(d[i:], a[i:], b[i:], c[i:])
			return
		}
	}
}

func fma32Each(d, a, b, c []float32) {
	for i := range d {
		d[i] = fma32(a[i], b[i], c[i])
	}
}

// fma32By is fma32Lanes with one factor and one summand.
func fma32By(d, a []float32, b, c float32) {
	a = a[:len(d)]
	y, z := float64(b), float64(c)
	for i := range d {
		s := float64(a[i])*y + z
		d[i] = float32(s)
		if !roundsAgain(s) {
			d[i] = fma32(a[i], b, c)
		}
	}
}
