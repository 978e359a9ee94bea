package program

// Lower adds buffers, locks, DMA descriptors and flows for every FIFO. It does
// nothing to a lowered program. Limits are not checked; [Program.Verify] does.
func (p *Program) Lower() {
	if p.Lowered {
		return
	}
	l := &lowering{p: p, next: make(map[channelKey]int), locks: make(map[Coord]int),
		descriptors: make(map[channelKey]int), linked: make(map[int]bool), retainedBuffers: make(map[*Retained]int)}
	l.boolean = p.Machine.Core.LockMax.Int() == 1
	for i := range p.FIFOs {
		f := &p.FIFOs[i]
		f.Ends = make([]Endpoint, 1+len(f.Consumers))
		for j := range f.Ends {
			f.Ends[j] = Endpoint{Tile: l.tile(f, j), DMA: -1}
		}
	}
	for i := range p.Links {
		l.link(&p.Links[i])
	}
	for i := range p.FIFOs {
		if f := &p.FIFOs[i]; !f.Cascade {
			l.ends(f)
			l.flows(f)
		}
	}
	for i := range p.Cores {
		l.locals(&p.Cores[i])
	}
	p.place()
	p.Lowered = true
}

type lowering struct {
	p               *Program
	boolean         bool               // locks hold 0 or 1
	next            map[channelKey]int // channels in use, by tile and direction
	locks           map[Coord]int
	descriptors     map[channelKey]int // in use, by tile and bank
	linked          map[int]bool
	retainedBuffers map[*Retained]int
}

// channelKey is a tile with a direction, or with a bank of descriptors.
type channelKey struct {
	tile Coord
	kind int
}

func (l *lowering) tile(f *FIFO, end int) Coord {
	if end == 0 {
		return f.Producer
	}
	return f.Consumers[end-1]
}

func (l *lowering) buffers(name string, tile Coord, o Object, depth int) []int {
	var ids []int
	for i := range depth {
		ids = append(ids, len(l.p.Buffers))
		l.p.Buffers = append(l.p.Buffers, Buffer{Name: indexed(name, "_buff_", i), Tile: tile,
			Object: o})
	}
	return ids
}

// pair makes the locks that count free and filled slots.
func (l *lowering) pair(name string, tile Coord, depth int) (produce, consume []int) {
	n, init := 1, depth
	if l.boolean {
		n, init = depth, 1
	}
	for i := range n {
		produce = append(produce, l.lock(indexed(name, "_prod_lock_", i), tile, init))
		consume = append(consume, l.lock(indexed(name, "_cons_lock_", i), tile, 0))
	}
	return produce, consume
}

func (l *lowering) lock(name string, tile Coord, init int) int {
	l.p.Locks = append(l.p.Locks, Lock{Name: name, Tile: tile, ID: l.locks[tile], Init: init})
	l.locks[tile]++
	return len(l.p.Locks) - 1
}

// dma takes the next channel of the tile in the direction.
func (l *lowering) dma(tile Coord, d Direction) int {
	key := channelKey{tile, int(d)}
	l.p.DMAs = append(l.p.DMAs, DMA{Tile: tile, Dir: d, Channel: l.next[key]})
	l.next[key]++
	return len(l.p.DMAs) - 1
}

// describe adds a descriptor to the channel. The even channels of a mem tile use
// the lower half of its descriptors, the odd ones the upper.
func (l *lowering) describe(dma int, d Descriptor) {
	c := &l.p.DMAs[dma]
	key, base := channelKey{tile: c.Tile, kind: -1}, 0
	if c.Tile.Row >= 1 && c.Tile.Row <= l.p.Machine.Grid.MemRows {
		key.kind = -1 - c.Channel%2
		base = c.Channel % 2 * l.p.Machine.Mem.Descriptors.Int() / 2
	}
	d.ID = base + l.descriptors[key]
	l.descriptors[key]++
	d.Next = 0
	if n := len(c.Descriptors); n > 0 {
		c.Descriptors[n-1].Next = n
	}
	c.Descriptors = append(c.Descriptors, d)
}

// ends lowers the ends of a FIFO that no link owns.
func (l *lowering) ends(f *FIFO) {
	for j := range f.Ends {
		e := &f.Ends[j]
		dir, order := S2MM, f.FromStream
		if j == 0 {
			dir, order = MM2S, f.ToStream
		}
		if e.DMA >= 0 {
			continue
		}
		e.DMA = l.dma(e.Tile, dir)
		if e.Tile.Row == 0 {
			continue // the host's tasks are its descriptors
		}
		if j == 0 && f.Resident != nil {
			l.resident(f, e)
			continue
		}
		if f.Retained != nil && e.Tile == f.Retained.Tile {
			l.retained(f, e, dir)
			continue
		}
		name := f.Name
		if j > 0 {
			name = indexed(f.Name, "_cons_", j-1)
		}
		e.Buffers = l.buffers(name, e.Tile, f.Object, f.Depth)
		e.Produce, e.Consume = l.pair(name, e.Tile, f.Depth)
		for slot, b := range e.Buffers {
			l.describe(e.DMA, e.descriptor(dir, slot, b, 0, f.Object.Elements(), order))
		}
	}
}

// resident lowers the end of a FIFO that begins with what lies in a mem tile.
func (l *lowering) resident(f *FIFO, e *Endpoint) {
	n := f.Resident.Bytes(l.p.Args) / f.Object.DType.Size()
	e.Buffers = l.buffers(f.Name+"_resident", e.Tile, Object{[]int{n}, f.Object.DType}, 1)
	none := LockUse{Lock: -1}
	l.describe(e.DMA, Descriptor{Buffer: e.Buffers[0], Length: n, Acquire: none, Release: none})
	d := &l.p.DMAs[e.DMA]
	d.Descriptors[0].Next, d.Passes = -1, f.Resident.Passes
}

// retained lowers the end of a FIFO that is a retained array.
func (l *lowering) retained(f *FIFO, e *Endpoint, dir Direction) {
	s := f.Retained
	b, ok := l.retainedBuffers[s]
	if !ok {
		b = len(l.p.Buffers)
		l.retainedBuffers[s] = b
		l.p.Buffers = append(l.p.Buffers, Buffer{Name: s.Name, Tile: s.Tile, Object: s.Object, Address: s.Address, Fixed: true})
	}
	e.Buffers = []int{b}
	none := LockUse{Lock: -1}
	for _, w := range f.Windows {
		l.describe(e.DMA, Descriptor{Buffer: b, Offset: w.Offset, Length: w.Elements(), Dims: w.Dims, Acquire: none, Release: none})
	}
	d := &l.p.DMAs[e.DMA]
	d.Descriptors[len(d.Descriptors)-1].Next, d.Passes = -1, f.Passes
}

// descriptor moves one slot: the DMA that fills takes a free slot and hands over
// a filled one, the DMA that empties does the reverse.
func (e *Endpoint) descriptor(dir Direction, slot, buffer, offset, length int,
	order []Dim) Descriptor {
	d := Descriptor{Buffer: buffer, Offset: offset, Length: length, Dims: order,
		Acquire: LockUse{e.ProduceLock(slot), 1}, Release: LockUse{e.ConsumeLock(slot), 1}}
	if dir == MM2S {
		d.Acquire, d.Release = d.Release, d.Acquire
	}
	return d
}

// link lowers the ends that meet at a mem tile. The ring of whole objects has
// one pair of locks for each part.
func (l *lowering) link(k *Link) {
	fifos := l.p.FIFOs
	whole, parts, join := k.In[0], k.Out, false
	if len(k.Out) == 1 && len(k.In) > 1 {
		whole, parts, join = k.Out[0], k.In, true
	}
	w := &fifos[whole]
	ring := l.buffers(w.Name, k.Tile, w.Object, w.Depth)
	part := w.Object.Elements() / len(parts)
	wholeEnd, wholeDir, partDir := 1, S2MM, MM2S
	wholeOrder := w.FromStream
	if join {
		wholeEnd, wholeDir, partDir = 0, MM2S, S2MM
		wholeOrder = w.ToStream
	}
	wholeOrder = OrderOfPart(wholeOrder, len(parts))
	e := &w.Ends[wholeEnd]
	e.Buffers, e.DMA = ring, l.dma(k.Tile, wholeDir)
	for i, f := range parts {
		p := &fifos[f].Ends[1-wholeEnd]
		order := fifos[f].ToStream
		if join {
			order = fifos[f].FromStream
		}
		p.Buffers, p.Offset, p.DMA = ring, i*part, l.dma(k.Tile, partDir)
		p.Produce, p.Consume = l.pair(fifos[f].Name, k.Tile, w.Depth)
		for slot, b := range ring {
			if len(k.Windows) > 0 {
				l.windows(p, k, slot, b)
				continue
			}
			l.describe(p.DMA, p.descriptor(partDir, slot, b, i*part, part, order))
		}
	}
	for slot, b := range ring {
		for i, f := range parts {
			p := &fifos[f].Ends[1-wholeEnd]
			l.describe(e.DMA, p.descriptor(wholeDir, slot, b, i*part, part, wholeOrder))
		}
	}
	first := &fifos[parts[0]].Ends[1-wholeEnd]
	e.Produce, e.Consume = first.Produce, first.Consume
}

// OrderOfPart returns the order of one of the equal parts of an object from the order of the whole object: a part has
// its share of the outermost dimension.
func OrderOfPart(order []Dim, parts int) []Dim {
	if len(order) == 0 || parts == 1 {
		return order
	}
	return append([]Dim{{order[0].Size / parts, order[0].Stride}}, order[1:]...)
}

// windows sends a slot window by window: the first waits for the object, the
// last frees it.
func (l *lowering) windows(e *Endpoint, k *Link, slot, buffer int) {
	for i, w := range k.Windows {
		d := e.descriptor(MM2S, slot, buffer, e.Offset+w.Offset, w.Elements(), w.Dims)
		if i > 0 {
			d.Acquire = LockUse{Lock: -1}
		}
		if i < len(k.Windows)-1 {
			d.Release = LockUse{Lock: -1}
		}
		l.describe(e.DMA, d)
	}
}

func (l *lowering) flows(f *FIFO) {
	from := &l.p.DMAs[f.Ends[0].DMA]
	for _, e := range f.Ends[1:] {
		to := &l.p.DMAs[e.DMA]
		l.p.Flows = append(l.p.Flows, Flow{
			From: Port{Tile: from.Tile, Channel: from.Channel},
			To:   Port{Tile: to.Tile, Channel: to.Channel},
		})
	}
}

func (l *lowering) locals(c *Core) {
	for i, o := range c.Locals {
		c.LocalBuffers = append(c.LocalBuffers,
			l.buffers(indexed("local", "", i), c.Tile, o, 1)...)
	}
}
