package portable

import "github.com/go-acap/acap/kernel"

// compare returns the loop of a comparison on lanes of type T.
func compare[T number](op kernel.Op) func(d []uint8, a, b []T) {
	holds := map[kernel.Op]func(a, b T) bool{
		kernel.Eq: func(a, b T) bool { return a == b }, kernel.Ne: func(a, b T) bool { return a != b },
		kernel.Lt: func(a, b T) bool { return a < b }, kernel.Le: func(a, b T) bool { return a <= b },
		kernel.Gt: func(a, b T) bool { return a > b }, kernel.Ge: func(a, b T) bool { return a >= b },
	}[op]
	if holds == nil {
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
