package rowpairs

import "unsafe"

// PackedBytes implements [kernel.Packer].
func (p *plan) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return p.blocks*p.blockBytes() + p.lanes*f32 // the last vector of filters may reach beyond them
}

func (p *plan) blockBytes() int { return p.rows() * p.C * p.S * p.filters * f32 }

// Pack implements [kernel.Packer]: for each block of filters, point, channel, transformed row and filter column, an
// element of every filter.
func (p *plan) Pack(port int, dst, src unsafe.Pointer) {
	out := unsafe.Slice((*float32)(dst), p.PackedBytes(port)/f32)
	clear(out)
	st, i := p.Filter.Strides, 0
	for b := range p.blocks {
		for point := range points {
			for n := range p.C * p.entries[point] * p.S * p.filters {
				k, s := b*p.filters+n%p.filters, n/p.filters%p.S
				entry := n / p.filters / p.S
				c := entry / p.entries[point]
				if k < p.K {
					at := p.Filter.Offset + k*st[0] + c*st[1] + s*st[3]
					out[i] = p.transformed(point, entry%p.entries[point], func(r int) float32 {
						return *(*float32)(unsafe.Add(src, (at+r*st[2])*f32))
					})
				}
				i++
			}
		}
	}
}

// transformed returns the filter's element for an entry of a point, from its rows.
func (p *plan) transformed(point, entry int, row func(int) float32) float32 {
	v := p.Stride[0]
	for phase := range v {
		n := p.taps(phase)
		count := n / 3
		if point == pointZero || point == pointInfinity {
			count += n % 3
		}
		if entry >= count {
			entry -= count
			continue
		}
		if entry >= n/3 { // a row alone
			return row(phase + (n/3*2+entry)*v)
		}
		a, b, c := row(phase+3*entry*v), row(phase+(3*entry+1)*v), row(phase+(3*entry+2)*v)
		switch point {
		case pointOne:
			return (a + b + c) / 2
		case pointMinusOne:
			return (a - b + c) / 2
		case pointZero:
			return a
		}
		return c
	}
	panic("BUG: rowpairs: no such row of a transformed filter")
}
