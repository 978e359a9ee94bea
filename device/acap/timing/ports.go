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

// NewPorts returns the interface tiles of a machine with so many free channels each.
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

// crowd counts the streams of one direction on every interface tile, by kind.
type crowd struct {
	ports *Ports
	count []census
}

// kinds is the most that streams are told apart.
const kinds = 3

// census is the number of streams of each kind on an interface tile.
type census [kinds]float64

// bytes returns what they carry, when those of each kind carry so many.
func (n *census) bytes(each []float64) float64 {
	sum := 0.0
	for kind, b := range each {
		sum += n[kind] * b
	}
	return sum
}

// covers reports whether a tile has no fewer streams of any kind than another.
func (n *census) covers(other *census) bool {
	for kind := range n {
		if n[kind] < other[kind] {
			return false
		}
	}
	return true
}

// deal begins to deal so many streams into the array, or from it. It returns nil where
// interface tiles carry whatever their channels do.
func (e *estimate) deal(streams int, into bool) *crowd {
	m := e.machine
	limit := m.Shim.Out.Int()
	if !into {
		limit = m.Shim.In.Int()
	}
	each := ceil(streams, e.interfaceTiles)
	if float64(each)*e.channel <= m.DDR.PerShim.Value {
		return nil
	}
	return &crowd{NewPorts(m, limit), make([]census, e.interfaceTiles)}
}

// add deals the next stream, of a kind, to cores of a column.
func (c *crowd) add(kind, column int) {
	if c == nil {
		return
	}
	if i := c.ports.Take(column); i >= 0 {
		c.count[i][kind]++
	}
}

// told is the most interface tiles of a direction that are told apart.
const told = 2

// busiest is the streams on the interface tiles that have most to carry.
type busiest [told]census

// busiest returns the tile with most bytes, when the streams of each kind carry so many,
// then those that have more of some kind than each before; none where no tile is too slow.
func (c *crowd) busiest(bytes ...float64) (most busiest) {
	if c == nil {
		return most
	}
	for n := range most {
		load := 0.0
		for i := range c.count {
			covered := false
			for k := range n {
				covered = covered || most[k].covers(&c.count[i])
			}
			if sum := c.count[i].bytes(bytes); sum > load && !covered {
				load, most[n] = sum, c.count[i]
			}
		}
	}
	return most
}

// channelRate is the bytes per second of a channel of an interface tile.
func channelRate(m *machine.Machine) float64 {
	if rate := m.Shim.ChannelRate.Value; rate > 0 {
		return rate * m.Clock.Value
	}
	return math.Inf(1)
}
