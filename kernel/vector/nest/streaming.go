package nest

import "github.com/go-acap/acap/kernel/vector"

// Results that are longer than the caches are written by non-temporal stores, where the processor has them: other
// stores have each line read into a cache first. Non-temporal stores need aligned addresses, which each call checks:
// the code is there with and without them.

// streamBytes is the traffic from which on stores are non-temporal.
const streamBytes = 40 << 20

// streamsResults reports whether there is code with non-temporal stores.
func (p *plan) streamsResults() bool {
	if len(p.Nest.Inner) > 0 || !p.backend.Has(vector.StoreStream, vector.F32, vector.None) {
		return false
	}
	written := 0
	for i := range p.Nest.Access {
		a := &p.Nest.Access[i]
		if !a.Write {
			continue
		}
		if p.Nest.Access[i].Stride(p.Lane) != 1 || a.DType.Size()*p.Lanes != p.backend.VectorBytes() {
			return false
		}
		written++
	}
	return written > 0 && p.Traffic() > streamBytes
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
