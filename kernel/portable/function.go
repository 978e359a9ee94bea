package portable

import (
	"math/bits"

	"github.com/go-acap/acap/kernel"
)

func floatUnary[T float](op kernel.Op) func(d, a []T) {
	if op == kernel.Neg {
		return negLanes[T]
	}
	if loop := single[T](op); loop != nil {
		return loop
	}
	function := op.Function()
	if function == nil || function.Value == nil {
		return nil
	}
	f := function.Value
	return func(d, a []T) {
		a = a[:len(d)]
		for i := range d {
			d[i] = T(f(float64(a[i])))
		}
	}
}

// each makes a loop of a function of one number.
func each[T any](f func(x T) T) func(d, a []T) {
	return func(d, a []T) {
		for i, x := range a[:len(d)] {
			d[i] = f(x)
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
		return each(func(x T) T {
			if x < 0 {
				return -x
			}
			return x
		})
	case kernel.Not:
		return each(func(x T) T { return ^x })
	case kernel.CountOnes:
		return each(func(x T) T { return T(bits.OnesCount64(uint64(x) & (1<<width - 1))) })
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
