package timing

import (
	"math"

	"github.com/go-acap/acap/device/acap/machine"
)

// load is what streams move between memory and array.
type load struct {
	// Bytes that the memory spends: more than are moved where runs are short, less
	// where a staging memory serves some again.
	read, write float64
	into, from  float64 // bytes through the interface tiles, as the array sees them
	channel     float64 // bytes through the busiest channel
	in, out     float64 // objects on a channel, all of which rest before each
}

// reads returns the load of so many streams, each of which moves so many bytes into
// the array, in so many objects, at a cost to the memory per byte.
func reads(streams, moved, objects, cost float64) load {
	bytes := streams * moved
	return load{read: bytes * cost, into: bytes, channel: moved, in: objects}
}

// writes returns that of streams from the array, with an object each.
func writes(streams, moved float64) load {
	bytes := streams * moved
	return load{write: bytes, from: bytes, channel: moved, out: 1}
}

// and returns both loads, on channels of their own.
func (l load) and(m load) load {
	return load{l.read + m.read, l.write + m.write, l.into + m.into, l.from + m.from,
		max(l.channel, m.channel), max(l.in, m.in), max(l.out, m.out)}
}

func (l load) times(n float64) load {
	return load{n * l.read, n * l.write, n * l.into, n * l.from, n * l.channel,
		n * l.in, n * l.out}
}

// slowest returns the seconds until a load has moved. Package event shares the
// memory in proportion to what streams move in all, so that the limit which takes
// longest is met and none besides. Streams of one direction keep pace, so that all rest
// between objects at the same time; what they then leave, the other direction takes.
func (t *tiles) slowest(l load) float64 {
	d, setup := &t.e.machine.DDR, t.e.setup
	return max(l.read/d.Read.Value+l.in*setup, l.write/d.Write.Value+l.out*setup,
		d.Both(l.read, l.write), t.shim(l))
}

// shim returns the seconds that a load takes at the interface tiles.
func (t *tiles) shim(l load) float64 {
	setup := t.e.setup
	return max(l.into/t.into+l.in*setup, l.from/t.from+l.out*setup,
		l.channel/t.e.channel+max(l.in, l.out)*setup)
}

// channelRate is the bytes per second of a channel of an interface tile.
func channelRate(m *machine.Machine) float64 {
	if rate := m.Shim.ChannelRate.Value; rate > 0 {
		return rate * m.Clock.Value
	}
	return math.Inf(1)
}
