package walk

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// portKey names a channel of a tile: DMA MM2S 0 at a place.
type portKey struct {
	at      place
	bundle  string // "DMA" or "Core"
	in      bool   // data come out of the network here
	channel int
}

func (k portKey) String() string {
	way := "MM2S"
	if k.in {
		way = "S2MM"
	}
	return fmt.Sprintf("%s %s %d at %v", k.bundle, way, k.channel, k.at)
}

// port is where data enter the network: the queues to which they go, by the number of their packets; -1 is without
// packets.
type port struct{ to map[int][]*stream }

// stream is a queue of bytes in front of a channel. A sender of packets keeps others out while it sends.
type stream struct {
	data   []byte
	sender *process
}

// room is how many bytes a queue holds.
const room = 256

func (d *design) portAt(k portKey) *port {
	if d.ports[k] == nil {
		d.ports[k] = &port{to: map[int][]*stream{}}
	}
	return d.ports[k]
}

func (d *design) queueAt(k portKey) *stream {
	if d.queues[k] == nil {
		d.queues[k] = &stream{}
	}
	return d.queues[k]
}

// circuit is without packets.
const circuit = -1

func (d *design) flow(op *mlir.Operation) {
	from, to := wordOf(op, "sourceBundle"), wordOf(op, "destBundle")
	a, _ := numberOf(op, "sourceChannel")
	b, _ := numberOf(op, "destChannel")
	source := d.portAt(portKey{tileOf(op, op.Operands[0]), from, false, a})
	source.to[circuit] = append(source.to[circuit], d.queueAt(portKey{tileOf(op, op.Operands[1]), to, true, b}))
}

func (d *design) packetFlow(op *mlir.Operation) {
	n, _ := numberOf(op, "ID")
	if kept, ok := op.Attrs.Get("keep_pkt_header").(mlir.IntegerAttr); ok && kept.Value != 0 {
		fail(op, "keeps the headers of packets, which is not run here")
	}
	var sources []*port
	var dests []*stream
	for _, e := range op.Body().Ops {
		if len(e.Operands) == 0 {
			continue
		}
		channel, _ := numberOf(e, "Channel")
		k := portKey{tileOf(e, e.Operands[0]), wordOf(e, "Bundle"), e.Name == "aie.packet_dest", channel}
		if k.in {
			dests = append(dests, d.queueAt(k))
		} else {
			sources = append(sources, d.portAt(k))
		}
	}
	for _, s := range sources {
		s.to[n] = append(s.to[n], dests...)
	}
}

// send puts bytes into queues, waiting for room.
func (m *machine) send(to []*stream, packet int, data []byte, what string) {
	if packet != circuit {
		m.wait(what+" to be free", func() bool {
			for _, s := range to {
				if s.sender != nil && s.sender != m.self {
					return false
				}
			}
			return true
		})
		for _, s := range to {
			s.sender = m.self
		}
		defer func() {
			for _, s := range to {
				s.sender = nil
			}
		}()
	}
	for len(data) > 0 {
		n := 0
		m.wait("room behind "+what, func() bool {
			n = len(data)
			for _, s := range to {
				n = min(n, room-len(s.data))
			}
			return n > 0
		})
		for _, s := range to {
			s.data = append(s.data, data[:n]...)
		}
		data = data[n:]
	}
}

// receive takes n bytes from a queue, waiting for them.
func (m *machine) receive(from *stream, n int, what string) []byte {
	out := make([]byte, 0, n)
	for len(out) < n {
		m.wait("data at "+what, func() bool { return len(from.data) > 0 })
		k := min(n-len(out), len(from.data))
		out = append(out, from.data[:k]...)
		from.data = append(from.data[:0], from.data[k:]...)
	}
	return out
}

// collect returns the elements of memory at places, in order; a place below 0 is padding, with the value that the
// operation says.
func collect(op *mlir.Operation, a *array, places []int) []byte {
	size, data := a.data.DType.Size(), a.data.Bytes()
	value, _ := numberOf(op, "pad_value")
	pad := []byte{byte(value), byte(value >> 8), byte(value >> 16), byte(value >> 24), 0, 0, 0, 0}
	out := make([]byte, 0, len(places)*size)
	for _, p := range places {
		switch at := (a.offset + p) * size; {
		case p < 0:
			out = append(out, pad[:size]...)
		case at+size > len(data):
			fail(op, "reaches element %d of %d", p, len(data)/size)
		default:
			out = append(out, data[at:at+size]...)
		}
	}
	return out
}

// deliver puts elements to places.
func deliver(op *mlir.Operation, a *array, places []int, from []byte) {
	size, data := a.data.DType.Size(), a.data.Bytes()
	for i, p := range places {
		at := (a.offset + p) * size
		if p < 0 || at+size > len(data) {
			fail(op, "reaches element %d of %d", p, len(data)/size)
		}
		copy(data[at:], from[i*size:(i+1)*size])
	}
}

// pattern lists places in the order of sizes and strides, outermost first. Each dimension has padding before and behind
// it, whose places are -1. The order is repeated until there are length places.
func pattern(offset, length int, sizes, strides, before, after []int) []int {
	places := []int{offset}
	for i, n := range sizes {
		var b, e int
		if i < len(before) {
			b, e = before[i], after[i]
		}
		next := make([]int, 0, len(places)*(b+n+e))
		for _, p := range places {
			for k := -b; k < n+e; k++ {
				if p < 0 || k < 0 || k >= n {
					next = append(next, -1)
				} else {
					next = append(next, p+k*strides[i])
				}
			}
		}
		places = next
	}
	if len(sizes) == 0 {
		places = places[:0]
		for k := range length {
			places = append(places, offset+k)
		}
	}
	for once := len(places); length > len(places) && once > 0; {
		places = append(places, places[:min(once, length-len(places))]...)
	}
	if length >= 0 && length < len(places) {
		places = places[:length]
	}
	return places
}
