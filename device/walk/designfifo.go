package walk

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// fifo is an object FIFO: a ring of objects at its producer and at each consumer, with data that travel between them,
// or one ring where cores beside each other share memory.
type fifo struct {
	name     string
	op       *mlir.Operation
	object   mlir.MemRefType
	ends     []place // the producer and the consumers
	depth    []int
	linked   []bool // the end is part of a link
	rings    []*end
	streams  []*stream // to each consumer
	repeat   int
	channels []*channel // of the host, at ends on interface tiles
}

// end is a ring as seen by one process that fills or empties the ring.
type end struct {
	*ring
	fills  bool
	number int   // of the filler or the drainer
	places []int // of a whole object's elements that this end moves; nil is all
}

// ring is memory for objects that are filled and emptied in turns.
type ring struct {
	objects         []*array
	filled, drained []int // by filler and drainer: how many objects
}

// free reports how many more objects a filler may fill, and full how many a drainer may take.
func (e *end) free() int { return len(e.objects) - (e.filled[e.number] - slices.Min(e.drained)) }
func (e *end) full() int { return slices.Min(e.filled) - e.drained[e.number] }

// ready reports how many objects the end may have.
func (e *end) ready() int {
	if e.fills {
		return e.free()
	}
	return e.full()
}

func (e *end) count() *int {
	if e.fills {
		return &e.filled[e.number]
	}
	return &e.drained[e.number]
}

// object is the n-th one from the next.
func (e *end) object(n int) *array { return e.objects[(*e.count()+n)%len(e.objects)] }

func newRing(op *mlir.Operation, t mlir.MemRefType, depth, fillers, drainers int) *ring {
	r := &ring{filled: make([]int, fillers), drained: make([]int, drainers)}
	for range depth {
		a, err := newArray(dtypeOf(t), t.Shape)
		check(op, err)
		r.objects = append(r.objects, a)
	}
	return r
}

// objectFIFOs makes the rings and starts what moves objects between them.
func (d *design) objectFIFOs() {
	var list []*fifo
	for _, op := range d.op.Body().Ops {
		if op.Name == "aie.objectfifo" {
			f := d.newFIFO(op)
			d.fifos[f.name] = f
			list = append(list, f)
		}
	}
	for _, op := range d.op.Body().Ops {
		if op.Name == "aie.objectfifo.link" {
			d.link(op)
		}
	}
	for _, f := range list {
		d.connect(f)
	}
}

func (d *design) newFIFO(op *mlir.Operation) *fifo {
	f := &fifo{name: op.Symbol(), op: op, repeat: 1}
	a, _ := op.Attrs.Get("elemType").(mlir.TypeAttr)
	f.object, _ = objectOf(a.Type).(mlir.MemRefType)
	for _, v := range op.Operands {
		f.ends = append(f.ends, tileOf(op, v))
	}
	n := len(f.ends)
	f.linked, f.rings, f.channels = make([]bool, n), make([]*end, n), make([]*channel, n)
	switch e := op.Attrs.Get("elemNumber").(type) {
	case mlir.IntegerAttr:
		for range n {
			f.depth = append(f.depth, int(e.Value))
		}
	default:
		f.depth, _ = mlir.IntList(e)
	}
	if k, ok := numberOf(op, "repeat_count"); ok {
		f.repeat = k
	}
	if op.Attrs.Get("padDimensions") != nil {
		fail(op, "pads objects, which is not run here")
	}
	return f
}

// objectOf is the memory in !aie.objectfifo<T> or !aie.objectfifosubview<T>.
func objectOf(t mlir.Type) mlir.Type {
	o, _ := t.(mlir.OpaqueType)
	for i, c := range o.Text {
		if c == '<' {
			m, err := mlir.ParseType(o.Text[i+1 : len(o.Text)-1])
			if err == nil {
				return m
			}
		}
	}
	return nil
}

// order are the places of an object's elements as an end sends or takes them, from first on.
func (f *fifo) order(k, first, length int) []int {
	name := "dimensionsToStream"
	if k > 0 {
		name = fmt.Sprintf("dimensionsFromStream%d", k)
	}
	list, _ := f.op.Attrs.Get(name).(mlir.ArrayAttr)
	if len(list) != 2 {
		return pattern(first, length, nil, nil, nil, nil)
	}
	sizes, _ := mlir.IntList(list[0])
	strides, _ := mlir.IntList(list[1])
	return pattern(first, -1, sizes, strides, nil, nil)
}

func (f *fifo) elements() int {
	n, _ := mlir.NumElements(f.object.Shape)
	return n
}

// link makes the single ring that the FIFOs arriving at a link and the FIFOs leaving the link share.
func (d *design) link(op *mlir.Operation) {
	get := func(name string) (out []*fifo) {
		list, _ := op.Attrs.Get(name).(mlir.ArrayAttr)
		for _, a := range list {
			ref, _ := a.(mlir.SymbolRefAttr)
			out = append(out, d.fifos[ref[0]])
		}
		return out
	}
	ins, outs := get("fifoIns"), get("fifoOuts")
	meet := outs[0].ends[0]
	at := func(f *fifo) int { // the consumer that stands where they meet
		for k := 1; k < len(f.ends); k++ {
			if f.ends[k] == meet {
				return k
			}
		}
		return 1
	}
	whole, depth := ins[0].object, ins[0].depth[at(ins[0])]
	if len(ins) > 1 || len(outs) == 1 && outs[0].elements() > ins[0].elements() {
		whole, depth = outs[0].object, outs[0].depth[0]
	}
	r := newRing(op, whole, depth, len(ins), len(outs))
	total, _ := mlir.NumElements(whole.Shape)
	part := func(offsets []int, i int) (first, length int) {
		if i >= len(offsets) || len(offsets) < 2 {
			return 0, total
		}
		end := total
		if i+1 < len(offsets) {
			end = offsets[i+1]
		}
		return offsets[i], end - offsets[i]
	}
	sources, _ := mlir.IntList(op.Attrs.Get("src_offsets"))
	dests, _ := mlir.IntList(op.Attrs.Get("dst_offsets"))
	for i, f := range ins {
		k := at(f)
		first, length := part(sources, i)
		f.rings[k], f.linked[k] = &end{r, true, i, f.order(k, first, length)}, true
	}
	for i, f := range outs {
		first, length := part(dests, i)
		f.rings[0], f.linked[0] = &end{r, false, i, f.order(0, first, length)}, true
	}
}

// connect makes the rings of a FIFO that no link has made, and starts what sends and takes.
func (d *design) connect(f *fifo) {
	shared := f.ends[0].row > 0
	for _, p := range f.ends[1:] {
		near := p.col == f.ends[0].col && (p.row-f.ends[0].row)*(p.row-f.ends[0].row) <= 1 ||
			p.row == f.ends[0].row && (p.col-f.ends[0].col)*(p.col-f.ends[0].col) <= 1
		shared = shared && near && p.row > 0
	}
	for k := range f.ends {
		ordered := f.op.Attrs.Get("dimensionsToStream") != nil || f.op.Attrs.Get(fmt.Sprintf("dimensionsFromStream%d", k)) != nil
		dma, _ := f.op.Attrs.Get("via_DMA").(mlir.IntegerAttr)
		shared = shared && !f.linked[k] && !ordered && dma.Value == 0
	}
	if shared {
		r := newRing(f.op, f.object, f.depth[0], 1, len(f.ends)-1)
		f.rings[0] = &end{r, true, 0, nil}
		for k := range f.ends[1:] {
			f.rings[1+k] = &end{r, false, k, nil}
		}
		f.first(f.rings[0])
		return
	}
	all := f.elements()
	for k, p := range f.ends {
		if k > 0 {
			f.streams = append(f.streams, &stream{})
		}
		switch {
		case p.row == 0:
			key := portKey{p, "object FIFO " + f.name, k > 0, k}
			f.channels[k] = d.channelAt(key)
		case !f.linked[k] && k == 0:
			r := newRing(f.op, f.object, f.depth[0], 1, 1)
			f.rings[0] = &end{r, true, 0, f.order(0, 0, all)}
			f.first(f.rings[0])
		case !f.linked[k]:
			f.rings[k] = &end{newRing(f.op, f.object, f.depth[k], 1, 1), false, 0, f.order(k, 0, all)}
		}
	}
	for k, p := range f.ends {
		if p.row > 0 {
			d.move(f, k)
		}
	}
}

// first puts the objects that a FIFO has at first into its ring.
func (f *fifo) first(e *end) {
	list, _ := f.op.Attrs.Get("initValues").(mlir.ArrayAttr)
	for i, a := range list {
		dense, ok := a.(mlir.DenseAttr)
		if !ok || i >= len(e.objects) {
			fail(f.op, "has first objects that are no elements")
		}
		made := mlir.NewOp("arith.constant", nil, []mlir.Type{dense.Type}, mlir.Attrs{{Name: "value", Value: dense}})
		m := &machine{frame: &frame{values: map[*mlir.Value]value{}}}
		m.operation(made)
		copy(e.objects[i].data.Bytes(), m.array(made.Result()).data.Bytes())
		e.filled[e.number]++
	}
}

// move starts the DMA of an end: it sends the objects that are full, or fills those that are free.
func (d *design) move(f *fifo, k int) {
	e := f.rings[k]
	mover := &end{e.ring, k > 0, 0, e.places}
	if f.linked[k] {
		mover.number = e.number
	}
	what := fmt.Sprintf("object FIFO %s at %v", f.name, f.ends[k])
	d.start("the DMA of "+what, func(m *machine) {
		for {
			m.wait("an object of "+what, func() bool { return mover.ready() > 0 })
			a := mover.object(0)
			size := a.data.DType.Size()
			if k > 0 {
				deliver(f.op, a, mover.places, m.receive(f.streams[k-1], len(mover.places)*size, what))
			} else {
				for range f.repeat {
					m.send(f.streams, circuit, collect(f.op, a, mover.places), what)
				}
			}
			*mover.count()++
		}
	})
}

// ringFor is the ring of a core's end of a FIFO.
func (m *machine) ringFor(op *mlir.Operation) *end {
	f := m.design.fifos[symbolOf(op, "objFifo_name")]
	if f == nil {
		fail(op, "names no object FIFO")
	}
	for k, p := range f.ends {
		if p == m.at && (k == 0) == (wordOf(op, "port") == "Produce") && f.rings[k] != nil && !f.linked[k] {
			return f.rings[k]
		}
	}
	fail(op, "is no end of @%s", f.name)
	return nil
}

func init() {
	register(map[string]handler{
		"aie.objectfifo.acquire": func(m *machine, op *mlir.Operation) []value {
			e := m.ringFor(op)
			n, _ := numberOf(op, "size")
			if n > len(e.objects) {
				fail(op, "takes %d objects of a FIFO that holds %d", n, len(e.objects))
			}
			m.wait(fmt.Sprintf("%d objects of @%s", n, symbolOf(op, "objFifo_name")), func() bool { return e.ready() >= n })
			list := make([]*array, n)
			for i := range list {
				list[i] = e.object(i)
			}
			if len(op.Results) == 1 && !isMemory(op.Result().Type) {
				return one(list)
			}
			out := make([]value, n)
			for i := range out {
				out[i] = list[i]
			}
			return out[:len(op.Results)]
		},
		"aie.objectfifo.release": func(m *machine, op *mlir.Operation) []value {
			e := m.ringFor(op)
			n, _ := numberOf(op, "size")
			if e.ready() < n {
				fail(op, "gives %d objects of @%s back and has %d", n, symbolOf(op, "objFifo_name"), e.ready())
			}
			*e.count() += n
			return nil
		},
		"aie.objectfifo.subview.access": func(m *machine, op *mlir.Operation) []value {
			list, _ := m.value(op.Operands[0]).([]*array)
			n, _ := numberOf(op, "index")
			if n >= len(list) {
				fail(op, "is object %d of %d", n, len(list))
			}
			return one(list[n])
		},
		"aie.put_cascade": func(m *machine, op *mlir.Operation) []value {
			to, ok := m.design.cascades[m.at]
			if !ok {
				fail(op, "has no aie.cascade_flow from its core")
			}
			m.wait("room in the cascade", func() bool { return len(m.design.passing[to]) < 4 })
			m.design.passing[to] = append(m.design.passing[to], m.value(op.Operands[0]))
			return nil
		},
		"aie.get_cascade": func(m *machine, op *mlir.Operation) []value {
			m.wait("the cascade", func() bool { return len(m.design.passing[m.at]) > 0 })
			v := m.design.passing[m.at][0]
			m.design.passing[m.at] = m.design.passing[m.at][1:]
			return one(v)
		},
		"aie.put_stream": func(m *machine, op *mlir.Operation) []value {
			k := portKey{m.at, "Core", false, m.integer(op.Operands[0])}
			a, err := newArray(dtypeOf(op.Operands[1].Type), nil)
			check(op, err)
			n, _ := m.value(op.Operands[1]).(number)
			a.store(0, n)
			m.send(m.design.portAt(k).to[circuit], circuit, a.data.Bytes(), k.String())
			return nil
		},
		"aie.get_stream": func(m *machine, op *mlir.Operation) []value {
			k := portKey{m.at, "Core", true, m.integer(op.Operands[0])}
			a, err := newArray(dtypeOf(op.Result().Type), nil)
			check(op, err)
			copy(a.data.Bytes(), m.receive(m.design.queueAt(k), len(a.data.Bytes()), k.String()))
			return one(a.load(0))
		},
	})
}
