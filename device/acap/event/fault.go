package event

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// FaultKind is a way to break.
type FaultKind uint8

// The kinds of faults.
const (
	DeadTile   FaultKind = iota // the core of Tile does nothing; nor do the channels of a tile without one
	SlowColumn                  // the cores of the column of Tile take Factor times as long
	DropDMA                     // after After completions, a channel of Tile loses its data and stops
	StallDMA                    // every descriptor of a channel of Tile takes Cycles longer
	FlipBit                     // one bit of a buffer of Tile; package tileexact does it
)

// Fault is something that breaks.
type Fault struct {
	Kind    FaultKind
	Tile    program.Coord
	Dir     program.Direction // of a channel
	Channel int
	After   int64
	Factor  float64
	Cycles  float64
	Bit     int64 // FlipBit: which bit of the object that arrives
}

// inject puts the faults in place.
func (e *engine) inject() error {
	for _, f := range e.options.Faults {
		hit := false
		for i := range e.cores {
			c := &e.cores[i]
			switch {
			case f.Kind == DeadTile && c.tile == f.Tile:
				c.state, hit = coreDead, true
			case f.Kind == SlowColumn && c.tile.Col == f.Tile.Col && f.Factor > 0:
				c.slow, hit = f.Factor, true
			}
		}
		for i := range e.channels {
			d, c := &e.p.DMAs[i], &e.channels[i]
			switch {
			case !f.concerns(e.p, d):
			case f.Kind == StallDMA:
				c.stall, hit = toTicks(f.Cycles), true
			default:
				c.dropAfter, hit = f.After, true
			}
		}
		if !hit && (f.Kind == DropDMA || f.Kind == StallDMA) {
			return e.fail("fault: (%d, %d) does not use %v channel %d", f.Tile.Col, f.Tile.Row, f.Dir,
				f.Channel)
		}
	}
	return nil
}

// Concern returns the faults of tiles and memories that the program uses.
func Concern(p *program.Program, faults []Fault) []Fault {
	p.Lower()
	var out []Fault
	for _, f := range faults {
		hit := false
		for i := range p.Cores {
			c := p.Cores[i].Tile
			hit = hit || f.Kind == DeadTile && c == f.Tile ||
				f.Kind == SlowColumn && c.Col == f.Tile.Col
		}
		for i := range p.DMAs {
			hit = hit || f.concerns(p, &p.DMAs[i])
		}
		for i := range p.Buffers {
			hit = hit || f.Kind == FlipBit && p.Buffers[i].Tile == f.Tile
		}
		if hit {
			out = append(out, f)
		}
	}
	return out
}

// concerns reports whether the fault is one of a channel.
func (f *Fault) concerns(p *program.Program, d *program.DMA) bool {
	switch f.Kind {
	case DeadTile:
		return d.Tile == f.Tile && p.Machine.KindAt(d.Tile) != machine.CoreTile
	case DropDMA, StallDMA:
		return d.Tile == f.Tile && d.Dir == f.Dir && d.Channel == f.Channel
	}
	return false
}
