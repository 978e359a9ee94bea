package tileexact

import (
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// swaying is how far the native results of a kernel move when its inputs move by a
// unit of rounding. A result that is computed with rounding is the exact result of inputs that are moved by about this
// much (Higham, Accuracy and Stability of Numerical Algorithms, 1.5): where sums cancel, or a function is steep, two
// right results may lie twice as far apart. It is found when it is first asked for.
type swaying struct {
	x      *code
	inputs []*buf.Buffer // ports before the native run
	moved  [][]*buf.Buffer
}

// trials is how often inputs are moved.
const trials = 8

// of returns the greatest move of an element of a port, from the value given.
func (s *swaying) of(port, element int, value float64) float64 {
	for t := len(s.moved); t < trials; t++ {
		s.moved = append(s.moved, s.run(rand.New(rand.NewPCG(1, uint64(t)))))
	}
	most := 0.0
	for _, ports := range s.moved {
		if d := math.Abs(ports[port].Float64(element) - value); d > most {
			most = d
		}
	}
	return most
}

func (s *swaying) run(r *rand.Rand) []*buf.Buffer {
	var ports []*buf.Buffer
	var ptrs []unsafe.Pointer
	for _, in := range s.inputs {
		b := in.Clone()
		if in.DType.IsFloat() {
			unit := epsilon(in.DType)
			for i := range b.Len() {
				b.SetFloat64(i, b.Float64(i)*(1+unit*float64(r.IntN(3)-1)))
			}
		}
		ports, ptrs = append(ports, b), append(ptrs, b.Pointer())
	}
	execute(s.x.native, ptrs)
	return ports
}

// epsilon is the unit of rounding of a float type.
func epsilon(t dtype.DType) float64 {
	switch t {
	case dtype.F64:
		return math.Ldexp(1, -52)
	case dtype.F16:
		return math.Ldexp(1, -10)
	case dtype.BF16:
		return math.Ldexp(1, -7)
	}
	return math.Ldexp(1, -23)
}
