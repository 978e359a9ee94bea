package event

import "github.com/go-acap/acap/device/acap/machine"

// route finds the ways of the streams. Data come so much later as they pass switches, which delays the first and the
// last of them alone: all tiles go on by clocks that are late by their distance. Streams that share ports move as
// fast as the ports let all of them; others have a circuit of their own. Orders of tasks do not depend on that.
func (e *engine) route() {
	m := e.p.Machine
	if e.history != nil || m.Stream.Hop.Value == 0 && m.Core.Switch == (machine.Switch{}) {
		return
	}
	e.routes = e.p.Route()
	e.way = toTicks(float64(e.routes.Way(m)) * m.Stream.Hop.Value)
	for _, s := range e.routes.Shared {
		for _, i := range s.Streams {
			stream := &e.streams[i]
			stream.shared = true
			stream.links = append(stream.links, len(e.memory.limits))
		}
		e.memory.limits = append(e.memory.limits, float64(s.Ports)*m.Core.ChannelRate.Value)
	}
}
