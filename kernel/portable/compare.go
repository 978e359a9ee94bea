package portable

import "github.com/go-acap/acap/kernel"

// compare returns the loop of a comparison on lanes of type T.
func compare[T number](op kernel.Op) func(d []uint8, a, b []T) {
	var holds func(a, b T) bool
	switch op {
	case kernel.Eq:
		holds = func(a, b T) bool { return a == b }
	case kernel.Ne:
		holds = func(a, b T) bool { return a != b }
	case kernel.Lt:
		holds = func(a, b T) bool { return a < b }
	case kernel.Le:
		holds = func(a, b T) bool { return a <= b }
	case kernel.Gt:
		holds = func(a, b T) bool { return a > b }
	case kernel.Ge:
		holds = func(a, b T) bool { return a >= b }
	default:
		return nil
	}
	return func(d []uint8, a, b []T) {
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = truth(holds(a[i], b[i]))
		}
	}
}

func selectLanes[T any](d []T, cond []uint8, a, b []T) {
	cond, a, b = cond[:len(d)], a[:len(d)], b[:len(d)]
	for i := range d {
		if cond[i] != 0 {
			d[i] = a[i]
		} else {
			d[i] = b[i]
		}
	}
}
