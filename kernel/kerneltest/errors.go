package kerneltest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Errors says how far the results of a kernel may be from the results of [Reference], beside the rounding to the type
// of the result.
//
// A sum of n products that another order and roundings to the accumulator's type change is off by a
// random walk of n roundings, each relative to a partial sum, and no partial sum is more than the sum
// of the products' sizes: (√n + 8) times that sum times the accumulator's unit, where 8 stands for what
// is left out of products in pieces and for few products. Its effect on a result is found by doing the epilogue with
// the sum that much larger and smaller. Where a partial sum may overflow that the exact one does not, every result is
// right.
type Errors struct {
	elements [][]float64 // of each port that is written
	// largest is the largest partial sum of a nest's floats, or of an attention's.
	largest float64
}

func newErrors(ports []Buffer) *Errors { return &Errors{elements: make([][]float64, len(ports))} }

// Allows reports whether element i of a port may be have where want was expected. ulps are units in the last place of
// the result that a nest or an attention may be off, of the largest partial sum if it has sums.
func (e *Errors) Allows(port, i int, t dtype.DType, want, have Value, ulps float64) bool {
	if e.elements[port] == nil {
		return Close(t, want, have, ulps, e.largest)
	}
	if most := e.elements[port][i]; t.IsFloat() && (most > 0 || math.IsNaN(most)) {
		if t == dtype.BF16 {
			most += 0x1p-126 // conversions may take subnormal numbers for zero
		}
		return math.IsNaN(most) || want.F == have.F || math.Abs(want.F-have.F) <= most+Unit(t)*math.Abs(want.F)
	}
	return Close(t, want, have, 1, 0)
}

// Unit is the distance of the numbers of a floating type from 1 on.
func Unit(t dtype.DType) float64 { return math.Ldexp(1, -t.Format().Mantissa) }

// A sum is one element of a product while it is added up.
type sum struct {
	value Value
	size  float64 // of the products of numbers, together
	lost  float64 // of products of numbers that some instructions take for zero
	terms int
	odd   bool // an operand was infinite or NaN
}

// error returns how far the sum in another order may be off: not at all if infinities or NaN decide,
// and NaN if it may be anything.
func (s *sum) error(acc dtype.DType) float64 {
	switch {
	case !acc.IsFloat():
		return 0
	case s.size > acc.Format().Largest() || finite(s.lost) != s.lost:
		return math.NaN()
	case s.odd:
		return 0
	}
	return (math.Sqrt(float64(s.terms))+8)*s.size*Unit(acc)/2 + s.lost
}

// settle cuts or rounds the sum to the accumulator's type.
func (s *sum) settle(t dtype.DType) Value {
	if t.IsFloat() {
		return Value{F: roundTo(t, s.value.F)}
	}
	return Value{I: wrap(t, s.value.I)}
}

// epilogue is the epilogue of a product whose sums have a type.
type epilogue struct {
	interpreter
	stage kernel.Stage
	acc   dtype.DType
}

func newEpilogue(e *kernel.Epilogue, first int, ports []Buffer, acc dtype.DType) *epilogue {
	n := &kernel.Nest{Access: append(make([]kernel.Access, first), e.Access...)}
	return &epilogue{interpreter{n: n, ports: ports}, kernel.Stage{Body: e.Body}, acc}
}

// epilogue runs the body of an epilogue at one point on a sum, and notes how far what it stores may be off.
func (e *Errors) epilogue(p *epilogue, index []int, s *sum) {
	p.outer = index
	run := func(input Value, store func(i *kernel.Instr, v Value)) {
		p.input, p.store = input, store
		p.body(&p.stage, 0)
	}
	exact, off := s.settle(p.acc), s.error(p.acc)
	if off == 0 { // one run says it all
		run(exact, func(i *kernel.Instr, v Value) { e.store(p, i, v, 0) })
		return
	}
	var stored []float64
	run(exact, func(_ *kernel.Instr, v Value) { stored = append(stored, v.F) })
	spread := make([]float64, len(stored))
	for _, by := range []float64{off, -off} {
		k := 0
		run(Value{F: exact.F + by, I: exact.I}, func(_ *kernel.Instr, v Value) {
			if math.IsNaN(off) {
				spread[k] = off
			} else if v.F != stored[k] && !(math.IsNaN(v.F) && math.IsNaN(stored[k])) {
				spread[k] = maxNaN(spread[k], math.Abs(v.F-stored[k]))
			}
			k++
		})
	}
	k := 0
	run(exact, func(i *kernel.Instr, v Value) {
		e.store(p, i, v, spread[k])
		k++
	})
}

// store stores a value that may be off by so much, besides the errors that functions have of their own.
func (e *Errors) store(p *epilogue, i *kernel.Instr, v Value, off float64) {
	if e.elements[i.Port] == nil {
		e.elements[i.Port] = make([]float64, p.ports[i.Port].Len())
	}
	if p.acc.IsFloat() {
		off += 8 * Unit(p.acc) * finite(v.F)
	}
	at := p.element(i.Port)
	e.elements[i.Port][at] = off
	p.ports[i.Port].Set(at, v)
}

// maxNaN is the larger of two numbers, NaN if one is NaN or infinite.
func maxNaN(x, y float64) float64 {
	if math.IsInf(y, 0) {
		return math.NaN()
	}
	return max(x, y)
}
