package portable

import (
	"math"

	"github.com/go-acap/acap/kernel"
)

// singles are functions of f32 that are computed in f64 in a loop of their own, without a call for each
// element. Their errors in f64 are below a hundredth of the last place of an f32.
var singles = map[kernel.Op]func(d, a []float32){
	kernel.Erf:     erfLanes,
	kernel.Exp:     expLanes,
	kernel.Sigmoid: sigmoidLanes,
	kernel.Tanh:    tanhLanes,
}

// single returns the loop of a function if T is f32 and it has one.
func single[T float](op kernel.Op) func(d, a []T) {
	loop, _ := any(singles[op]).(func(d, a []T))
	return loop
}

// The exponential takes 2 to a multiple of 1/expParts from a table, and the rest, which is at most
// ln 2/(2·expParts), by a polynomial.
const (
	expBits  = 5
	expParts = 1 << expBits
	magic    = 0x1.8p52 // adding it rounds to an integer, which is then in the low bits
	expEnd   = 700      // exponentials are finite in f64, those beyond are infinite or 0 in f32
)

// expTable has the bits of 2 to i/expParts, less i in the place of the lowest bit of the exponent over expParts: there exp
// adds an integer that is i modulo expParts.
var expTable = func() (t [expParts]uint64) {
	for i := range t {
		t[i] = math.Float64bits(math.Exp2(float64(i)/expParts)) - uint64(i)<<(52-expBits)
	}
	return t
}()

// exp is eˣ for |x| <= expEnd. It is short enough to be inlined.
func exp(x float64) float64 {
	t := float64(x*(expParts/math.Ln2)) + magic
	r := x - float64((t-magic)*(math.Ln2/expParts))
	n := math.Float64bits(t)
	scale := math.Float64frombits(expTable[n%expParts] + n<<(52-expBits))
	square := float64(r * r)
	return scale + float64(scale*(r+float64(square*(1.0/2+float64(r*(1.0/6))+float64(square*(1.0/24))))))
}

func expLanes(d, a []float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(exp(clamp(float64(a[i]), expEnd)))
	}
}

// clamp returns what lies in [-most, most] and is next to x, or NaN.
func clamp(x, most float64) float64 {
	if x > most {
		return most
	}
	if x < -most {
		return -most
	}
	return x
}

func sigmoidLanes(d, a []float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(1 / (1 + exp(clamp(-float64(a[i]), expEnd))))
	}
}

// tanhLanes takes the series for small numbers, of whose exponentials the difference has few digits.
func tanhLanes(d, a []float32) {
	const small, large = 0.125, 20 // numbers beyond give ±1 in f64
	a = a[:len(d)]
	for i := range d {
		x := float64(a[i])
		if x > -small && x < small {
			s := float64(x * x)
			p := float64(s*(62./2835)) - 17./315
			p = float64(s*p) + 2./15
			p = float64(s*p) - 1./3
			d[i] = float32(x * (1 + float64(s*p))) // of the sign of x, also if x is 0
			continue
		}
		d[i] = float32(1 - float64(2/(exp(2*clamp(x, large))+1)))
	}
}
