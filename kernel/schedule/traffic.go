package schedule

// Traffic is the bytes of memory that a run of the nest touches.
func (p *Loops) Traffic() int {
	bytes := 0
	for i := range p.Nest.Access {
		n := p.Nest.Access[i].DType.Size()
		for loop := range len(p.Nest.Outer) + len(p.Nest.Inner) {
			if p.Nest.Access[i].Stride(loop) != 0 {
				n *= p.Nest.Extent(loop)
			}
		}
		bytes += n
	}
	return bytes
}
