package nest

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
)

// Epilogue writes what a product or a convolution does with its sums: a body at points that lie along one loop.
type Epilogue struct {
	generator
	here  place
	loops schedule.Loops
	of    kernel.Nest
	stage [1]kernel.Stage

	shifted []vector.Val // memory for addresses of a vector
}

// longestEpilogue bounds the body, which is written for every vector of a tile.
const longestEpilogue = 32

// FitsEpilogue reports whether an epilogue is short, of operations that are few instructions on lanes of this size.
func FitsEpilogue(e *kernel.Epilogue, laneBytes int) bool {
	for _, i := range e.Body {
		switch i.Op {
		case kernel.Input, kernel.Const, kernel.Load, kernel.Store, kernel.Cast, kernel.Bitcast, kernel.Add, kernel.Sub, kernel.Mul,
			kernel.Div, kernel.Min, kernel.Max, kernel.Neg, kernel.Abs, kernel.Sqrt, kernel.FMA, kernel.RoundEven:
		default:
			return false
		}
		if i.Type.Size() > laneBytes {
			return false
		}
	}
	return len(e.Body) <= longestEpilogue
}

// FitsEpilogueAlong reports whether vectors along a loop can have an epilogue: a short one, whose results lie side by
// side there, and whose operands do or are the same. Vectors that have an address in common differ along the other
// loops.
func FitsEpilogueAlong(e *kernel.Epilogue, laneBytes, lane int, others ...int) bool {
	const far = 1 << 22 // elements
	for _, a := range e.Access {
		for _, loop := range others {
			if stride := a.Outer[loop]; max(stride, -stride) > far {
				return false
			}
		}
		if a.Write && a.Outer[lane] != 1 || a.Outer[lane]>>1 != 0 {
			return false
		}
	}
	return FitsEpilogue(e, laneBytes)
}

// RawSums returns where an epilogue stores sums as they are, and that it does nothing else.
func RawSums(e *kernel.Epilogue, acc dtype.DType) (kernel.Access, bool) {
	if len(e.Access) != 1 || len(e.Body) != 2 || e.Body[0].Op != kernel.Input || e.Body[1].Op != kernel.Store ||
		e.Access[0].DType != acc {
		return kernel.Access{}, false
	}
	return e.Access[0], true
}

// NewEpilogue returns what writes an epilogue whose first port has a number, after [Epilogue.In]. The lanes run along
// the given loop. Stores of bf16 may have zeros for numbers below the least normal one if they flush.
func NewEpilogue(e *kernel.Epilogue, firstPort, lane int, flush bool) *Epilogue {
	body := append(kernel.Body(nil), e.Body...)
	for n := range body {
		if o := body[n].Op; o == kernel.Load || o == kernel.Store {
			body[n].Port -= firstPort
		}
	}
	out := &Epilogue{loops: schedule.Loops{Lane: lane}, of: kernel.Nest{Access: e.Access}, stage: [1]kernel.Stage{{Body: body}}}
	out.of.Stages, out.loops.Nest = out.stage[:], &out.of
	out.generator = generator{plan: &plan{Loops: &out.loops}, flushes: flush, ports: make([]*port, len(e.Access))}
	ports := make([]port, len(e.Access))
	for i := range e.Access {
		a := &e.Access[i]
		ports[i] = port{number: i, dtype: a.DType, length: a.Len, strides: a.Outer, shared: !a.Write}
		out.ports[i] = &ports[i]
	}
	return out
}

// In has the epilogue be written to a program.
func (e *Epilogue) In(b *vector.Builder) *Epilogue {
	e.b, e.Lanes = b, b.Lanes()
	clear(e.rounds)
	return e
}

// WriteVector is [Epilogue.Write] of vector j of a line, given the addresses at the line's vector 0.
func (e *Epilogue) WriteVector(sums vector.Val, at []vector.Val, loop, line, j, count int) {
	e.shifted = e.shifted[:0]
	for i, p := range e.ports {
		e.shifted = append(e.shifted, e.b.Offset(at[i], j*e.Lanes*p.strides[e.Lane]*p.size()))
	}
	e.Write(sums, e.shifted, loop, line, count)
}

// Write writes the epilogue of a vector of sums with count lanes in use, or all if count is 0. The sums are a line of
// the lines along a loop, and at has the addresses of the ports at the first lane of line 0.
func (e *Epilogue) Write(sums vector.Val, at []vector.Val, loop, line, count int) {
	for _, p := range e.ports {
		p.shift = line * p.strides[loop] * p.size()
	}
	e.summed = sums
	e.here = place{at: at, copies: 1, count: count}
	e.body(&e.here, 0, 0)
}
