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
}

// reads returns the load of so many streams, each of which moves so many bytes into
// the array at a cost to the memory per byte.
func reads(streams, moved, cost float64) load {
	bytes := streams * moved
	return load{read: bytes * cost, into: bytes, channel: moved}
}

// writes returns that of streams from the array.
func writes(streams, moved float64) load {
	bytes := streams * moved
	return load{write: bytes, from: bytes, channel: moved}
}

// and returns both loads, on channels of their own.
func (l load) and(m load) load {
	return load{l.read + m.read, l.write + m.write, l.into + m.into, l.from + m.from,
		max(l.channel, m.channel)}
}

func (l load) times(n float64) load {
	return load{n * l.read, n * l.write, n * l.into, n * l.from, n * l.channel}
}

// slowest returns the seconds until a load has moved. Package event shares the
// memory in proportion to what streams move in all, so that the limit which takes
// longest is met and none besides.
func (t *tiles) slowest(l load) float64 {
	return max(t.e.ddr(l.read, l.write), t.shim(l))
}

// shim returns the seconds that a load takes at the interface tiles.
func (t *tiles) shim(l load) float64 {
	return max(l.into/t.into, l.from/t.from, l.channel/t.e.channel)
}

// channelRate is the bytes per second of a channel of an interface tile.
func channelRate(m *machine.Machine) float64 {
	if rate := m.Shim.ChannelRate.Value; rate > 0 {
		return rate * m.Clock.Value
	}
	return math.Inf(1)
}
