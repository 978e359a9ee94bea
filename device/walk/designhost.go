package walk

import (
	"fmt"
	"maps"

	"github.com/go-acap/acap/mlir"
)

// channel is a DMA channel to which the host gives transfers. The channel makes the transfers one after the other.
type channel struct {
	key   portKey
	queue []func(m *machine)
	done  int
}

func (d *design) channelAt(k portKey) *channel {
	if c := d.channels[k]; c != nil {
		return c
	}
	c := &channel{key: k}
	d.channels[k] = c
	d.keys = append(d.keys, c)
	d.start(k.String(), func(m *machine) {
		m.runs = map[*mlir.Operation]int{}
		for {
			m.wait("a transfer", func() bool { return c.done < len(c.queue) })
			c.queue[c.done](m)
			c.done++
		}
	})
	return c
}

// task is a chain of descriptors that the host has configured.
type task struct {
	channel *channel
	run     func(m *machine)
	place   int // in the queue, once started
}

// host runs the sequence.
func (m *machine) host(op *mlir.Operation, args []value) {
	b := op.Body()
	for i, a := range b.Args {
		m.frame.values[a] = args[i]
	}
	m.operations(b.Ops)
}

// way is the channel of a symbol, an object FIFO or an allocation, and how data pass there.
func (m *machine) way(op *mlir.Operation, name string) (*channel, func(m *machine, op *mlir.Operation, a *array, places []int)) {
	d := m.design
	if f := d.fifos[name]; f != nil {
		for k, c := range f.channels {
			if c == nil {
				continue
			}
			return c, func(m *machine, op *mlir.Operation, a *array, places []int) {
				if what := c.key.String(); k == 0 {
					m.send(f.streams, circuit, collect(op, a, places), what)
				} else {
					deliver(op, a, places, m.receive(f.streams[k-1], len(places)*a.data.DType.Size(), what))
				}
			}
		}
		fail(op, "moves data of @%s, which has no end on an interface tile", name)
	}
	for _, s := range d.op.Body().Ops {
		if s.Name != "aie.shim_dma_allocation" || s.Symbol() != name {
			continue
		}
		at := place{}
		if len(s.Operands) > 0 {
			at = tileOf(s, s.Operands[0])
		} else {
			at.col, _ = numberOf(s, "col")
		}
		k := channelKey(s, at)
		return d.channelAt(k), func(m *machine, op *mlir.Operation, a *array, places []int) {
			m.transfer(op, k, circuit, a, places)
		}
	}
	fail(op, "names @%s, which is no object FIFO and no allocation of a channel", name)
	return nil, nil
}

// copied queues a transfer of four dimensions.
func copied(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	d := dynamic{m, op.Operands[1:]}
	offsets := d.list(op, "offsets")
	sizes := d.list(op, "sizes")
	strides := d.list(op, "strides")
	at := 0
	for i, n := range offsets {
		at += n * strides[i]
	}
	c, way := m.way(op, symbolOf(op, "metadata"))
	places := pattern(at, -1, sizes, strides, nil, nil)
	c.queue = append(c.queue, func(m *machine) { way(m, op, a, places) })
	return nil
}

// configured makes a task of the descriptors of a channel: the channel of a tile, or of the interface tile that a
// symbol names.
func configured(m *machine, op *mlir.Operation) []value {
	again, _ := numberOf(op, "repeat_count")
	if op.Attrs.Get("dynamic_repeat") != nil {
		at := len(op.Operands) - 1
		if op.Attrs.Get("dynamic_bd_id") != nil {
			at--
		}
		again = m.integer(op.Operands[at])
	}
	if op.Attrs.Get("out_of_order") != nil {
		fail(op, "takes packets in any order, which is not simulated")
	}
	outer := &frame{values: maps.Clone(m.frame.values)} // a loop gives the values others before the task runs
	t := &task{place: -1}
	if op.Name == "aiex.dma_configure_task" {
		k := channelKey(op, tileOf(op, op.Operands[0]))
		t.channel = m.design.channelAt(k)
		t.run = func(m *machine) { m.chain(k, op.Regions[0].Blocks[0]) }
	} else {
		c, way := m.way(op, symbolOf(op, "alloc"))
		t.channel = c
		t.run = func(m *machine) {
			for b := op.Regions[0].Blocks[0]; b != nil; {
				var next *mlir.Block
				for _, inner := range b.Ops {
					switch inner.Name {
					case "aie.dma_bd":
						a, places := m.places(inner)
						way(m, inner, a, places)
					case "aie.next_bd":
						next = inner.Successors[0].Block
					case "aie.end":
					default:
						m.operation(inner)
					}
				}
				b = next
			}
		}
	}
	once := t.run
	t.run = func(m *machine) {
		m.frame = outer // what the sequence has computed is visible in descriptors
		for range again + 1 {
			once(m)
		}
	}
	return one(t)
}

func init() {
	nothing := func(*machine, *mlir.Operation) []value { return nil }
	of := func(m *machine, op *mlir.Operation) *task {
		t, ok := m.value(op.Operands[0]).(*task)
		if !ok {
			fail(op, "needs a task")
		}
		return t
	}
	register(map[string]handler{
		"aiex.npu.dma_memcpy_nd": copied, "aiex.dma_configure_task": configured, "aiex.dma_configure_task_for": configured,
		"aiex.dma_start_task": func(m *machine, op *mlir.Operation) []value {
			t := of(m, op)
			t.channel.queue = append(t.channel.queue, t.run)
			t.place = len(t.channel.queue)
			return nil
		},
		"aiex.dma_await_task": func(m *machine, op *mlir.Operation) []value {
			t := of(m, op)
			if t.place < 0 {
				fail(op, "waits for a task that was not started")
			}
			m.wait("a task of "+t.channel.key.String(), func() bool { return t.channel.done >= t.place })
			return nil
		},
		"aiex.dma_free_task": nothing, "aiex.dma_bd_pool_push": nothing, "aie.trace.host_config": nothing, "aie.trace.start_config": nothing,
		"aiex.dma_bd_pool_pop": func(*machine, *mlir.Operation) []value { return one(index(0)) }, // all descriptors here are their own
		"aiex.npu.require": func(m *machine, op *mlir.Operation) []value {
			if m.integer(op.Operands[0]) == 0 {
				why, _ := op.Attrs.Get("message").(mlir.StringAttr)
				fail(op, "is not met: %s", string(why))
			}
			return nil
		},
		"aiex.npu.dma_wait": func(m *machine, op *mlir.Operation) []value {
			name := symbolOf(op, "symbol")
			c, _ := m.way(op, name)
			m.wait("the transfers of @"+name, func() bool { return c.done >= len(c.queue) })
			return nil
		},
		"aiex.npu.sync": func(m *machine, op *mlir.Operation) []value {
			col, _ := numberOf(op, "column")
			row, _ := numberOf(op, "row")
			way, _ := numberOf(op, "direction")
			if n := m.integers(op.Operands); len(n) > 2 {
				col, row, way = n[0], n[1], n[2]
			}
			m.wait(fmt.Sprintf("the transfers of %v", place{col, row}), func() bool {
				for _, c := range m.design.keys {
					if c.key.at == (place{col, row}) && c.key.in == (way == 0) && c.done < len(c.queue) {
						return false
					}
				}
				return true
			})
			return nil
		},
		"aiex.npu.rtp_write": func(m *machine, op *mlir.Operation) []value {
			a := m.design.buffers[symbolOf(op, "buffer")]
			at, _ := numberOf(op, "index")
			if a == nil || at < 0 || at >= a.len() {
				fail(op, "writes element %d of a buffer %q that has none there", at, symbolOf(op, "buffer"))
			}
			n, _ := numberOf(op, "value")
			if len(op.Operands) > 0 {
				n = m.integer(op.Operands[0])
			}
			x := index(n)
			x.Float = float64(n)
			a.store(at, x)
			return nil
		},
		"aiex.set_lock": func(m *machine, op *mlir.Operation) []value {
			l, ok := m.value(op.Operands[0]).(*lock)
			if !ok {
				fail(op, "needs a lock")
			}
			n, _ := numberOf(op, "value")
			if len(op.Operands) > 1 {
				n = m.integer(op.Operands[1])
			}
			l.value = n
			return nil
		},
	})
}
