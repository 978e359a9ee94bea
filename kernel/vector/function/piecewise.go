package function

import (
	"math"
	"sync"

	"github.com/go-acap/acap/kernel"
)

// The pieces of a piecewise function are cut at equal steps of the leading bits of 2.25 + x·density, where that is from
// 2.25 to 36: in four octaves and a little. The first octave has the smallest pieces. Their polynomials are within 0.34
// ULP, for a start at 2 within 0.54. One instruction of AVX-512 chooses among these pieces.
const (
	pieces      = 32
	pieceBits   = 23 - 3 // bits below those that count pieces
	pieceStart  = 2.25
	pieceEnd    = 36
	pieceDegree = 4
)

// piecewise is an odd function of f32 that comes to 1 at limit: polynomials in the distance from a point of each
// piece. It takes fewer instructions than exponential functions do, and no division.
type piecewise struct {
	limit float64
	table func() *pieceTable
}

// pieceTable has a place for each piece: the one that the leading bits name.
type pieceTable struct {
	point [pieces]float32
	// coefficient is by power and piece. In the first piece the coefficient of the first power lacks 1: x is almost the
	// result there, and what is added to x is small.
	coefficient [pieceDegree + 1][pieces]float32
}

func newPiecewise(f func(x float64) float64, limit float64) *piecewise {
	p := &piecewise{limit: limit}
	p.table = sync.OnceValue(func() *pieceTable {
		t := new(pieceTable)
		for i := range pieces {
			point, c := p.piece(f, i)
			if i == 0 {
				c[1]--
			}
			place := (pieceCut(i) >> pieceBits) % pieces
			t.point[place] = point
			for power := range c {
				t.coefficient[power][place] = float32(c[power])
			}
		}
		return t
	})
	return p
}

// density has the last piece end a little behind the limit.
func (p *piecewise) density() float64 { return (pieceEnd - pieceStart - 0x1p-10) / p.limit }

// pieceCut has the bits of pieceStart + x·density where piece i begins.
func pieceCut(i int) uint32 { return math.Float32bits(pieceStart) + uint32(i)<<pieceBits }

// piece returns the point and the polynomial of piece i.
func (p *piecewise) piece(f func(x float64) float64, i int) (point float32, c []float64) {
	cut := func(i int) float64 { return (float64(math.Float32frombits(pieceCut(i))) - pieceStart) / p.density() }
	low, high := cut(i), cut(i+1)
	switch i {
	case 0: // relative to x
		c = interpolate(func(u float64) float64 { return f(u) / u }, low, high, pieceDegree)
		return 0, append([]float64{0}, c...)
	case pieces - 1: // exactly 1 at the limit
		point = float32(p.limit)
	default:
		point = exactPoint(f, low, high)
	}
	x := float64(point)
	c = interpolate(func(u float64) float64 { return f(x + u) }, low-x, high-x, pieceDegree+1)
	if i == pieces-1 { // where f, half a place below, may be rounded down
		c[0] = 1
	}
	return point, c
}

// exactPoint returns a number in the middle eighth between low and high where f is as good
// as an f32 (Gal 1986). Neighbours would not do: they all have the same f where it is flat.
func exactPoint(f func(x float64) float64, low, high float64) float32 {
	const tried = 100
	best, least := float32(0), math.Inf(1)
	for i := range tried {
		x := float32((low+high)/2 + (high-low)/8*(float64(i)/tried-0.5))
		y := f(float64(x))
		if lost := math.Abs(y - float64(float32(y))); lost < least {
			best, least = x, lost
		}
	}
	return best
}

// interpolate returns the polynomial of n coefficients that is f at the Chebyshev nodes between low and high, which
// is close to the best one: Newton's divided differences, multiplied out.
func interpolate(f func(u float64) float64, low, high float64, n int) []float64 {
	node, difference, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range node {
		node[i] = (low+high)/2 + (high-low)/2*math.Cos(math.Pi*(float64(i)+0.5)/float64(n))
		difference[i] = f(node[i])
	}
	for order := 1; order < n; order++ {
		for i := n - 1; i >= order; i-- {
			difference[i] = (difference[i] - difference[i-1]) / (node[i] - node[i-order])
		}
	}
	for i := n - 1; i >= 0; i-- {
		for power := n - 1; power > 0; power-- {
			c[power] = c[power-1] - node[i]*c[power]
		}
		c[0] = difference[i] - node[i]*c[0]
	}
	return c
}

// piecewises are the piecewise functions, by operation.
var piecewises = [256]*piecewise{
	kernel.Tanh: newPiecewise(math.Tanh, 9.0110),
	kernel.Erf:  newPiecewise(math.Erf, 3.9201),
}

// piecewise is a piecewise function; ok is false if the code has no instruction that chooses.
func (s *sequence) piecewise(p *piecewise, x operand) (y operand, ok bool) {
	t := p.table()
	limit, density := s.Float(f32, float64(float32(p.limit))), s.Float(f32, p.density())
	a := s.lesser(limit, s.abs(x))
	index := s.shiftRight(as(i32, s.fma(a, density, s.Float(f32, pieceStart))), pieceBits)
	choose := func(table *[pieces]float32) (v operand) {
		v, ok = s.choose(table, index)
		return v
	}
	point := choose(&t.point)
	if !ok {
		return y, false
	}
	u := s.minus(a, point)
	y = choose(&t.coefficient[pieceDegree])
	for power := pieceDegree - 1; power > 0; power-- {
		y = s.fma(y, u, choose(&t.coefficient[power]))
	}
	// The greater is u = x in the first piece, and the function at the point in the rest.
	y = s.fma(y, u, s.greater(choose(&t.coefficient[0]), u))
	return s.copySign(y, x), true
}
