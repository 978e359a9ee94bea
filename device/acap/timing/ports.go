package timing

import (
	"math"

	"github.com/go-acap/acap/device/acap/machine"
)

// Ports deals the channels of interface tiles to streams of one direction.
type Ports struct {
	machine *machine.Machine
	limit   int   // channels of a tile
	used    []int // of each
}

// NewPorts returns the interface tiles of a machine with limit free channels each.
func NewPorts(m *machine.Machine, limit int) *Ports {
	return &Ports{m, limit, make([]int, len(m.Grid.ShimDMA))}
}

// Take takes a channel of the interface tile nearest to a column that has one left, the
// least used first, and returns its number; -1 if there is none.
func (p *Ports) Take(column int) int {
	best, cost := -1, 0
	for i, c := range p.machine.Grid.ShimDMA {
		if p.used[i] >= p.limit {
			continue
		}
		if k := p.used[i]*p.machine.Grid.Cols*2 + max(c-column, column-c); best < 0 || k < cost {
			best, cost = i, k
		}
	}
	if best >= 0 {
		p.used[best]++
	}
	return best
}

// channelRate is the bytes per second of a channel of a tile, +Inf where the machine does not say.
func channelRate(m *machine.Machine, t *machine.Tile) float64 {
	if rate := t.ChannelRate.Value; rate > 0 {
		return rate * m.Clock.Value
	}
	return math.Inf(1)
}
