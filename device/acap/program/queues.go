package program

import "slices"

// queues checks the order of the host's tasks: no full queue may keep the host for good
// from a task that would drain it. Neither the results and times of cores matter for the check, nor who goes on first,
// so every agent goes on as far as it can until none can. A program that stops with endless queues, too, is no matter
// of its order.
func (v *verifier) queues() {
	limit := v.m.Shim.Queue.Int()
	if limit == 0 {
		return
	}
	n := newNetwork(v.p, limit)
	congested := func(c chain) bool { return len(c.tasks) > limit }
	if !slices.ContainsFunc(n.chains, congested) || n.finish() {
		return
	}
	if t, ok := v.p.Runtime[n.step].(Task); ok && newNetwork(v.p, len(v.p.Runtime)).finish() {
		d := &v.p.DMAs[n.where[n.step].dma]
		v.fail("task %d on %s needs a place in the queue of %s %s %d, whose %d tasks wait for steps behind it",
			t.ID, v.p.FIFOs[t.FIFO].Name, name(d.Tile), d.Dir, d.Channel, limit)
	}
}

// network is a lowered program without time.
type network struct {
	p       *Program
	locks   []int
	chains  []chain // by DMA
	streams [][]int // DMAs of every flow, the source first
	threads []thread
	sides   map[user]*side
	where   []place // of the task that every step of the host issues or awaits
	step    int     // of the host
	limit   int     // of a queue
}

// chain is a DMA channel: where it is among its descriptors or tasks.
type chain struct {
	tasks  []int // bytes, at an interface tile
	issued int
	next   int // descriptor, or tasks that are complete
	left   int // bytes of the present one, once its lock is taken
	passes int // that are complete
}

// place is a DMA and an index in its tasks.
type place struct{ dma, index int }

func newNetwork(p *Program, limit int) *network {
	n := &network{p: p, limit: limit, chains: make([]chain, len(p.DMAs)),
		sides: make(map[user]*side)}
	for _, l := range p.Locks {
		n.locks = append(n.locks, l.Init)
	}
	for i := range p.FIFOs {
		n.meet(i)
		if f := &p.FIFOs[i]; !f.Cascade {
			var ends []int
			for _, e := range f.Ends {
				ends = append(ends, e.DMA)
			}
			n.streams = append(n.streams, ends)
		}
	}
	for i := range p.Cores {
		t := thread{frames: []frame{{body: p.Cores[i].Body, left: 1}}, takes: make([]*side, len(p.FIFOs)), produces: make([]*side, len(p.FIFOs))}
		for f := range p.FIFOs {
			t.takes[f], t.produces[f] = n.sides[user{p.Cores[i].Tile, f, false}], n.sides[user{p.Cores[i].Tile, f, true}]
		}
		n.threads = append(n.threads, t)
	}
	n.sequence()
	return n
}

// sequence finds the channels of the host's tasks.
func (n *network) sequence() {
	tasks := make(map[int]place)
	for _, op := range n.p.Runtime {
		if t, ok := op.(Task); ok {
			at := place{dma: n.p.Channel(t)}
			c := &n.chains[at.dma]
			at.index = len(c.tasks)
			c.tasks = append(c.tasks, t.Elements()*n.p.Args[t.Arg].DType.Size())
			tasks[t.ID] = at
			n.where = append(n.where, at)
			continue
		}
		n.where = append(n.where, tasks[op.(Await).Task])
	}
}

// finish lets everybody go on until nobody can and reports whether the host came to its
// end.
func (n *network) finish() bool {
	for n.round() {
	}
	return n.step == len(n.where)
}

// round lets everybody go on and reports whether anybody did.
func (n *network) round() bool {
	moved := n.host()
	for i := range n.threads {
		moved = n.run(i) || moved
	}
	for _, s := range n.streams {
		for n.transfer(s) {
			moved = true
		}
	}
	return moved
}

// host issues tasks until it has to wait.
func (n *network) host() bool {
	first := n.step
	for ; n.step < len(n.where); n.step++ {
		w := n.where[n.step]
		c := &n.chains[w.dma]
		if _, ok := n.p.Runtime[n.step].(Task); !ok {
			if c.next <= w.index {
				break
			}
			continue
		}
		if c.issued-c.next == n.limit {
			break
		}
		c.issued++
	}
	return n.step > first
}

// transfer moves what all ends of a stream have space for, or have.
func (n *network) transfer(ends []int) bool {
	bytes := 0
	for _, i := range ends {
		if !n.fetch(i) {
			return false
		}
		if left := n.chains[i].left; bytes == 0 || left < bytes {
			bytes = left
		}
	}
	for _, i := range ends {
		if c := &n.chains[i]; c.left > bytes {
			c.left -= bytes
		} else {
			n.complete(i)
		}
	}
	return true
}

// fetch takes the lock of a channel's next descriptor, or its next task.
func (n *network) fetch(i int) bool {
	c := &n.chains[i]
	switch {
	case c.left > 0:
	case c.next < 0: // the end of the chain
		return false
	case n.p.DMAs[i].Tile.Row == 0:
		if c.next == c.issued {
			return false
		}
		c.left = c.tasks[c.next]
	default:
		d := &n.p.DMAs[i].Descriptors[c.next]
		if u := d.Acquire; u.Lock >= 0 {
			if n.locks[u.Lock] < u.Value {
				return false
			}
			n.locks[u.Lock] -= u.Value
		}
		c.left = d.Length * n.p.Buffers[d.Buffer].Object.DType.Size()
	}
	return true
}

// complete ends a descriptor or a task.
func (n *network) complete(i int) {
	c := &n.chains[i]
	c.left = 0
	if n.p.DMAs[i].Tile.Row == 0 {
		c.next++
		return
	}
	d := &n.p.DMAs[i].Descriptors[c.next]
	if u := d.Release; u.Lock >= 0 {
		n.locks[u.Lock] += u.Value
	}
	if c.next = d.Next; c.next < 0 {
		if c.passes++; c.passes < n.p.DMAs[i].Passes {
			c.next = 0
		}
	}
}
