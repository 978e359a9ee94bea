package walk

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// chains starts the channels of a DMA.
func (d *design) chains(op *mlir.Operation) {
	at := tileOf(op, op.Operands[0])
	for _, b := range op.Regions[0].Blocks {
		for _, inner := range b.Ops {
			if inner.Name != "aie.dma_start" && inner.Name != "aie.dma" {
				continue
			}
			if inner.Attrs.Get("out_of_order") != nil {
				fail(inner, "takes packets in any order, which is not simulated")
			}
			k := channelKey(inner, at)
			again, _ := numberOf(inner, "repeat_count")
			d.start(k.String(), func(m *machine) {
				m.runs = map[*mlir.Operation]int{}
				for range again + 1 {
					m.channel(k, inner)
				}
			})
		}
	}
}

// channel runs the descriptors of an aie.dma_start once, and the descriptors of an aie.dma without end unless it says
// loop = false.
func (m *machine) channel(k portKey, op *mlir.Operation) {
	if op.Name == "aie.dma_start" {
		m.chain(k, op.Successors[0].Block)
		return
	}
	for {
		for _, r := range op.Regions {
			m.descriptor(k, r.Blocks[0])
		}
		if loop, ok := op.Attrs.Get("loop").(mlir.IntegerAttr); ok && loop.Value == 0 {
			return
		}
	}
}

func channelKey(op *mlir.Operation, at place) portKey {
	n, _ := numberOf(op, "channelIndex")
	return portKey{at, "DMA", wordOf(op, "channelDir") == "S2MM", n}
}

// chain runs descriptors from a block on until one has no next.
func (m *machine) chain(k portKey, b *mlir.Block) {
	for b != nil {
		m.descriptor(k, b)
		last := b.Terminator()
		if last == nil || last.Name != "aie.next_bd" {
			return
		}
		b = last.Successors[0].Block
	}
}

// descriptor runs the operations of one block: locks, and a transfer between.
func (m *machine) descriptor(k portKey, b *mlir.Block) {
	packet := circuit
	for _, op := range b.Ops {
		switch op.Name {
		case "aie.next_bd", "aie.end":
		case "aie.dma_bd_packet":
			packet, _ = numberOf(op, "packet_id")
		case "aie.dma_bd":
			if a, ok := op.Attrs.Get("packet").(mlir.OpaqueAttr); ok {
				packet = field(a.Text, "pkt_id", circuit)
			}
			a, places := m.places(op)
			m.transfer(op, k, packet, a, places)
		default:
			m.operation(op)
		}
	}
}

// field reads a number from #aie.name<a = 1, b = 2>.
func field(text, name string, def int) int {
	_, rest, ok := strings.Cut(text, name)
	n := def
	if ok {
		fmt.Sscanf(strings.TrimLeft(rest, " ="), "%d", &n)
	}
	return n
}

// transfer moves the elements at places of memory to or from a channel.
func (m *machine) transfer(op *mlir.Operation, k portKey, packet int, a *array, places []int) {
	if k.in {
		deliver(op, a, places, m.receive(m.design.queueAt(k), len(places)*a.data.DType.Size(), k.String()))
		return
	}
	to := m.design.portAt(k).to[packet]
	if len(to) == 0 {
		fail(op, "sends to %v, from which nothing leads anywhere", k)
	}
	m.send(to, packet, collect(op, a, places), k.String())
}

// dynamic takes the operands of an operation whose attributes leave numbers to them, in order.
type dynamic struct {
	*machine
	rest []*mlir.Value
}

func (d *dynamic) next() int {
	n := d.integer(d.rest[0])
	d.rest = d.rest[1:]
	return n
}

// list returns the numbers of an attribute, those that it leaves out from the operands.
func (d *dynamic) list(op *mlir.Operation, name string) []int {
	out, _ := mlir.IntList(op.Attrs.Get(name))
	for i, n := range out {
		if n == mlir.DynamicStride {
			out[i] = d.next()
		}
	}
	return out
}

// places are the memory of a descriptor and the places of its elements there.
func (m *machine) places(op *mlir.Operation) (*array, []int) {
	a := m.array(op.Operands[0])
	d := dynamic{m, op.Operands[1:]}
	offset, _ := numberOf(op, "offset")
	if op.Attrs.Get("dynamic_offset") != nil {
		offset = d.next()
	}
	length, given := numberOf(op, "len")
	if op.Attrs.Get("dynamic_len") != nil {
		length, given = d.next(), true
	}
	sizes := d.list(op, "sizes")
	strides := d.list(op, "strides")
	switch {
	case !given && len(sizes) == 0:
		length = a.len() - offset
	case !given:
		length = -1
	}
	if it, ok := op.Attrs.Get("iteration").(mlir.OpaqueAttr); ok {
		n := field(it.Text, "current", 0) + m.runs[op]
		offset += field(it.Text, "stride", 0) * (n % max(field(it.Text, "size", 1), 1))
		m.runs[op]++
	}
	return a, pattern(offset, length, sizes, strides, d.list(op, "pad_before"), d.list(op, "pad_after"))
}

func init() {
	register(map[string]handler{
		"aie.use_lock": func(m *machine, op *mlir.Operation) []value {
			l, ok := m.value(op.Operands[0]).(*lock)
			if !ok {
				fail(op, "needs a lock")
			}
			n, given := numberOf(op, "value")
			if len(op.Operands) > 1 {
				n = m.integer(op.Operands[1])
			} else if !given {
				n = 1
			}
			l.use(m, wordOf(op, "action"), n)
			return nil
		},
		"aie.event": func(*machine, *mlir.Operation) []value { return nil },
		"aie.debug": func(m *machine, op *mlir.Operation) []value {
			fmt.Fprintf(m.printed, "%s: %v\n", op.Loc.Short(), m.value(op.Operands[0]))
			return nil
		},
	})
}

// use takes or gives a lock.
func (l *lock) use(m *machine, action string, n int) {
	switch {
	case action == "Release" && l.bit:
		l.value, l.taken = n, false
	case action == "Release":
		l.value += n
	case l.bit:
		m.wait(fmt.Sprintf("%s to be %d", l.name, n), func() bool { return !l.taken && l.value == n })
		l.taken = true
	case action == "Acquire":
		m.wait(fmt.Sprintf("%s to be %d", l.name, n), func() bool { return l.value == n })
		l.value -= n
	default:
		m.wait(fmt.Sprintf("%s to be %d or more", l.name, n), func() bool { return l.value >= n })
		l.value -= n
	}
}
