package nest

import "github.com/go-acap/acap/kernel/vector"

// Results that are longer than the caches are stored past them, where the processor can: a store into a cache has the
// line read first. Such stores need aligned addresses, which a call looks for: the code is there with and without them.

// pastBytes is the traffic from which on results are stored past the caches.
const pastBytes = 40 << 20

// storesPast reports whether the code has stores past the caches.
func (p *plan) storesPast() bool {
	if len(p.Nest.Inner) > 0 || !p.backend.Has(vector.StorePast, vector.F32, vector.None) {
		return false
	}
	written := 0
	for i := range p.Nest.Access {
		a := &p.Nest.Access[i]
		if !a.Write {
			continue
		}
		if p.Stride(i, p.Lane) != 1 || a.DType.Size()*p.Lanes != p.backend.VectorBytes() {
			return false
		}
		written++
	}
	return written > 0 && p.Traffic() > pastBytes
}

// aligned reports whether all that a call writes begins at multiples of a line of the cache.
func (p *plan) aligned(addresses []uintptr) bool {
	for i := range p.Nest.Access {
		a := &p.Nest.Access[i]
		if !a.Write {
			continue
		}
		if addresses[i]%lineBytes != 0 || p.Row >= 0 && a.Outer[p.Row]*a.DType.Size()%lineBytes != 0 {
			return false
		}
		for _, loop := range p.Fold {
			if a.Outer[loop]*a.DType.Size()%lineBytes != 0 {
				return false
			}
		}
	}
	return true
}
