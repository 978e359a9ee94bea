package timing

import "math"

// sharing is the rates, in objects per second, of the hops that move at a time, by their
// kinds: two bits each.
type sharing struct {
	moving uint64
	rates  []float64
}

// rates returns the rates of the hops that move at this time, in objects per second.
func (l *line) rates() []float64 {
	moving := uint64(0)
	for i := range l.hops {
		if h := &l.hops[i]; h.rest > 0 {
			kind, _ := h.kind()
			moving |= 1 << (2*i + kind)
		}
	}
	for i := range l.known {
		if l.known[i].moving == moving {
			return l.known[i].rates
		}
	}
	l.known = more(l.known)
	last := &l.known[len(l.known)-1]
	last.moving, last.rates = moving, l.share(moving, last.rates[:0])
	return last.rates
}

// share adds to an empty list the rates of the transfers that are under way. As in package event, all rates rise
// together, in proportion to the bytes of each transfer, until a shared resource or a transfer's own channel is full.
// Then the rates of the other transfers rise further.
func (l *line) share(moving uint64, rates []float64) []float64 {
	rates = append(rates, make([]float64, len(l.hops))...)
	free := uint64(0)
	var used [resources]float64
	kindOf := func(i int) *kind { return &l.hops[i].kinds[moving>>(2*i+1)&1] }
	for i := range l.hops {
		if moving>>(2*i)&3 != 0 {
			free |= 1 << i
		}
	}
	for free != 0 {
		var weight [resources]float64
		rise := math.Inf(1)
		for i := range l.hops {
			if free>>i&1 == 0 {
				continue
			}
			k := kindOf(i)
			for r, use := range k.use {
				weight[r] += float64(k.weight * use)
			}
			rise = min(rise, (1/l.hops[i].seconds-rates[i])/k.weight)
		}
		for r, w := range weight {
			if w > 0 {
				rise = min(rise, (1-used[r])/w)
			}
		}
		rise = max(rise, 0)
		for r, w := range weight {
			used[r] += float64(rise * w)
		}
		before := free
		for i := range l.hops {
			if free>>i&1 == 0 {
				continue
			}
			k := kindOf(i)
			rates[i] += float64(rise * k.weight)
			full := rates[i]*l.hops[i].seconds >= 1-1e-12
			for r, use := range k.use {
				full = full || use > 0 && used[r] >= 1-1e-12
			}
			if full {
				free &^= 1 << i
			}
		}
		if free == before {
			break // rounding left a crumb
		}
	}
	return rates
}
