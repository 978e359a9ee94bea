package timing

import "github.com/go-acap/acap/device/acap/machine"

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
	count [][kinds]float64
}

// kinds is the most that streams are told apart.
const kinds = 3

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
	return &crowd{NewPorts(m, limit), make([][kinds]float64, e.interfaceTiles)}
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

// busiest returns how many streams of each kind there are on the tile that has most to
// carry, when those of each kind carry so many bytes; none where no tile is too slow.
func (c *crowd) busiest(bytes ...float64) (most [kinds]float64) {
	if c == nil {
		return most
	}
	load := 0.0
	for _, count := range c.count {
		sum := 0.0
		for kind, b := range bytes {
			sum += count[kind] * b
		}
		if sum > load {
			load, most = sum, count
		}
	}
	return most
}
