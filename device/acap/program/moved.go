package program

import (
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
)

// Moved returns a program for a part of an array, see [machine.Machine.Columns], as a program for the whole array, in
// which the part begins at a column. The program must not be lowered.
func (p *Program) Moved(whole *machine.Machine, column int) *Program {
	q := p.Copy()
	q.Machine = whole
	move := func(c *Coord) { c.Col += column }
	retained := make(map[*Retained]*Retained)
	for i := range q.FIFOs {
		f := &q.FIFOs[i]
		move(&f.Producer)
		f.Consumers = slices.Clone(f.Consumers)
		for j := range f.Consumers {
			move(&f.Consumers[j])
		}
		if s := f.Retained; s != nil {
			if retained[s] == nil {
				moved := *s
				move(&moved.Tile)
				retained[s] = &moved
			}
			f.Retained = retained[s]
		}
	}
	q.Links = slices.Clone(p.Links)
	for i := range q.Links {
		move(&q.Links[i].Tile)
	}
	for i := range q.Cores {
		move(&q.Cores[i].Tile)
	}
	return q
}
