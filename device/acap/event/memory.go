package event

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/program"
)

// unit is how many units a byte of shared transfers has, so that the rate of a stream per tick is a whole number with
// little error.
const unit = 1 << 26

// memory is the memory outside: the streams that use it now, and their rates.
type memory struct {
	limits []float64  // bytes per cycle: read, write, total, then by interface tile, then of ports that streams share
	both   [2]float64 // use that a byte read or written makes of the third limit
	most   float64    // the largest share of a channel
	tiles  map[program.Coord]int
	active []transfer // by stream
	dirty  bool
	busy   int64
	key    []byte
	end    int64 // when the first transfer ends
	ended  []int
	rates  map[string][]int64

	demands []demand // of solve
}

// transfer is a stream that moves.
type transfer struct {
	stream int
	left   int64 // units
	rate   int64 // units per tick
}

func (m *memory) build(e *engine) {
	a := e.p.Machine
	clock := a.Clock.Value
	limit := func(rate float64) float64 {
		if rate <= 0 {
			return math.Inf(1)
		}
		return rate / clock
	}
	m.limits = []float64{limit(a.DDR.Read.Value), limit(a.DDR.Write.Value), limit(a.DDR.Total.Value)}
	m.both = [2]float64{1, 1}
	if a.DDR.Turns() {
		m.both, m.limits[2] = [2]float64{1 / m.limits[0], 1 / m.limits[1]}, 1
	}
	m.tiles = make(map[program.Coord]int)
	m.rates = make(map[string][]int64)
	m.most = 1
	for i := range e.channels {
		m.most = max(m.most, e.channels[i].share)
	}
	for i := range e.p.DMAs {
		if t := e.p.DMAs[i].Tile; t.Row == 0 {
			if _, ok := m.tiles[t]; !ok {
				m.tiles[t] = len(m.limits)
				m.limits = append(m.limits, limit(a.DDR.PerShim.Value), limit(a.DDR.PerShim.Value))
			}
		}
	}
}

// add lets a stream take part.
func (m *memory) add(e *engine, s int) {
	at := len(m.active)
	m.active = append(m.active, transfer{})
	for at > 0 && m.active[at-1].stream > s {
		m.active[at] = m.active[at-1]
		at--
	}
	m.active[at] = transfer{stream: s, left: e.streams[s].bytes * unit}
	m.dirty = true
}

// advance moves data for some ticks.
func (m *memory) advance(dt int64) {
	if len(m.active) > 0 {
		m.busy += dt
	}
	for i := range m.active {
		m.active[i].left -= m.active[i].rate * dt
	}
}

// next returns the time at which the first transfer ends.
func (m *memory) next() (int64, bool) { return m.end, len(m.active) > 0 }

// finish ends the transfers that have nothing left.
func (m *memory) finish(e *engine) {
	n := 0
	for i := range m.active {
		if t := m.active[i]; t.left <= 0 {
			m.ended = append(m.ended, t.stream)
		} else {
			m.active[n] = t
			n++
		}
	}
	if n == len(m.active) {
		return
	}
	m.active, m.dirty = m.active[:n], true
	for _, s := range m.ended {
		e.events++
		e.endTransfer(s)
	}
	m.ended = m.ended[:0]
}

// share gives every stream its rate, and finds when the first ends.
func (m *memory) share(e *engine) {
	if m.dirty {
		m.dirty = false
		rates := m.solve(e)
		for i := range m.active {
			m.active[i].rate = rates[i]
		}
	}
	m.end = math.MaxInt64
	for i := range m.active {
		t := &m.active[i]
		m.end = min(m.end, e.now+max(1, (t.left+t.rate-1)/t.rate))
	}
}

// demand is the use that one stream makes of the limits, per byte.
type demand struct {
	limit [6]int
	cost  [6]float64
	n     int
	links []int   // of ports, besides, a byte for a byte
	cap   float64 // bytes per cycle of its channels
	rate  float64
	fixed bool

	share float64 // of the memory, relative to the shares of other streams
}

func (d *demand) add(limit int, cost float64) {
	d.limit[d.n], d.cost[d.n] = limit, cost
	d.n++
}

// demand of a stream: at the memory, reads and writes cost by the share of the
// rate that their runs reach; a stream within the array that shares ports is not the last to get them.
func (m *memory) demand(e *engine, s *stream) demand {
	d := demand{cap: s.rate, links: s.links, share: m.most}
	d.cost[0] = 1
	use := func(i, direction int) {
		c := &e.channels[i]
		if !c.outside {
			return
		}
		task := &c.tasks[c.next]
		cost := task.cost
		d.share = c.share
		tile := m.tiles[e.p.DMAs[i].Tile]
		d.add(direction, cost)
		d.add(2, cost*m.both[direction])
		d.add(tile+direction, 1)
	}
	use(s.source, 0)
	for _, k := range s.sinks[:1] {
		use(k, 1)
	}
	return d
}

// solve finds the rates of the active streams. They share the memory in proportion to
// what they move in all, as arbiters do that know the demand of every stream: so all keep
// pace, and none is late because others fetched ahead. All rise together, in bytes at the
// memory, until a limit or a channel holds some of them; those remain, the others rise on.
// Results are remembered by the streams and their costs.
func (m *memory) solve(e *engine) []int64 {
	m.key = m.key[:0]
	list := m.demands[:0]
	for i := range m.active {
		d := m.demand(e, &e.streams[m.active[i].stream])
		list = append(list, d)
		m.key = binary.AppendUvarint(m.key, uint64(m.active[i].stream))
		m.key = binary.LittleEndian.AppendUint64(m.key, math.Float64bits(d.cost[0]))
	}
	m.demands = list
	if r, ok := m.rates[string(m.key)]; ok {
		return r
	}
	fill(list, m.limits)
	rates := make([]int64, len(list))
	for i := range list {
		rates[i] = max(1, int64(math.Round(list[i].rate*(unit/ticks))))
	}
	m.rates[string(m.key)] = rates
	return rates
}

// fill raises the rates of the streams until limits hold them all: progressive filling.
func fill(list []demand, limits []float64) {
	free, slack := len(list), slices.Clone(limits)
	weight := make([]float64, len(limits))
	for free > 0 {
		clear(weight)
		rise := math.Inf(1)
		for i := range list {
			if d := &list[i]; !d.fixed {
				for k := range d.n {
					weight[d.limit[k]] += d.share * d.cost[k] / d.cost[0]
				}
				for _, k := range d.links {
					weight[k] += d.share / d.cost[0]
				}
				rise = min(rise, (d.cap-d.rate)*d.cost[0]/d.share)
			}
		}
		for k, w := range weight {
			if w > 0 {
				rise = min(rise, slack[k]/w)
			}
		}
		rise = max(rise, 0)
		for k, w := range weight {
			slack[k] -= float64(rise * w)
		}
		before := free
		for i := range list {
			d := &list[i]
			if d.fixed {
				continue
			}
			d.rate += rise * d.share / d.cost[0]
			full := d.rate >= d.cap*(1-1e-12)
			for k := range d.n {
				full = full || slack[d.limit[k]] <= 1e-12*limits[d.limit[k]]
			}
			for _, k := range d.links {
				full = full || slack[k] <= 1e-12*limits[k]
			}
			if full {
				d.fixed = true
				free--
			}
		}
		if free == before {
			return // rounding left a crumb
		}
	}
}
