package schedule

// Traffic is the bytes of memory that a run of the nest touches.
func (p *Loops) Traffic() int {
	a := p.Nest.Account()
	return int(a.BytesIn + a.BytesOut)
}
