package program

import (
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
)

// balance checks that every FIFO carries as many bytes in as out: the host or a core puts in as many as the cores or
// the host take, through links too.
func (v *verifier) balance() {
	p := v.p
	produced, consumed := make([]int64, len(p.FIFOs)), make([][]int64, len(p.FIFOs))
	for i := range p.FIFOs {
		consumed[i] = make([]int64, len(p.FIFOs[i].Consumers))
		produced[i] = -1
		for j := range consumed[i] {
			consumed[i][j] = -1
		}
	}
	v.countTasks(produced, consumed)
	v.countResident(produced)
	v.countRetained(produced, consumed)
	for i := range p.Cores {
		v.countCore(&p.Cores[i], produced, consumed)
	}
	for i := range p.Links {
		v.passLink(&p.Links[i], produced, consumed)
	}
	for i := range p.FIFOs {
		f := &p.FIFOs[i]
		for j, n := range consumed[i] {
			if produced[i] != n {
				v.fail("FIFO %s: %d bytes come in, %s takes %d", f.Name, max(0, produced[i]),
					name(f.Consumers[j]), max(0, n))
			}
		}
	}
}

func (v *verifier) countTasks(produced []int64, consumed [][]int64) {
	for _, op := range v.p.Runtime {
		t, ok := op.(Task)
		if !ok {
			continue
		}
		if t.FIFO < 0 || t.FIFO >= len(v.p.FIFOs) || t.Arg < 0 || t.Arg >= len(v.p.Args) {
			v.fail("task %d names FIFO %d and argument %d", t.ID, t.FIFO, t.Arg)
			continue
		}
		f := &v.p.FIFOs[t.FIFO]
		bytes := int64(t.Elements()) * int64(v.p.Args[t.Arg].DType.Size())
		if v.p.Sends(t) {
			produced[t.FIFO] = max(0, produced[t.FIFO]) + bytes
			continue
		}
		for j, c := range f.Consumers {
			if c.Row == 0 {
				consumed[t.FIFO][j] = max(0, consumed[t.FIFO][j]) + bytes
			}
		}
	}
}

// countResident adds what lies in mem tiles and is sent from there.
func (v *verifier) countResident(produced []int64) {
	for i := range v.p.FIFOs {
		f := &v.p.FIFOs[i]
		if f.Resident == nil {
			continue
		}
		if v.m.KindAt(f.Producer) != machine.MemTile {
			v.fail("FIFO %s begins with resident weights at %s, which is no mem tile", f.Name, name(f.Producer))
		}
		for _, s := range f.Resident.Parts {
			if s.Arg < 0 || s.Arg >= len(v.p.Args) || s.Offset < 0 ||
				s.Offset+reach(s.Dims, 0) > v.p.Args[s.Arg].Elements() {
				v.fail("FIFO %s: its resident weights leave argument %d", f.Name, s.Arg)
				return
			}
			if bytes := (Window{Dims: s.Dims}).Elements() * v.p.Args[s.Arg].DType.Size(); bytes%f.Object.DType.Size() != 0 {
				v.fail("FIFO %s: %d resident bytes of argument %d are no whole elements", f.Name, bytes, s.Arg)
			}
		}
		produced[i] = int64(f.Resident.Passes) * int64(f.Resident.Bytes(v.p.Args))
	}
}

// countRetained adds the retained arrays that a program reads and those that it leaves.
func (v *verifier) countRetained(produced []int64, consumed [][]int64) {
	for i := range v.p.FIFOs {
		f := &v.p.FIFOs[i]
		s := f.Retained
		if s == nil {
			continue
		}
		if v.m.KindAt(s.Tile) != machine.MemTile || s.Part.Arg < 0 || s.Part.Arg >= len(v.p.Args) {
			v.fail("FIFO %s: its retained array at %s is in no mem tile, or is of no argument", f.Name, name(s.Tile))
			continue
		}
		arg := &v.p.Args[s.Part.Arg]
		if n := (Window{Dims: s.Part.Dims}).Elements(); n != s.Object.Elements() || s.Part.Offset < 0 ||
			s.Part.Offset+reach(s.Part.Dims, 0) > arg.Elements() || arg.DType != s.Object.DType {
			v.fail("FIFO %s: %s holds no part of argument %s", f.Name, s.Name, arg.Name)
		}
		bytes := int64(0)
		for _, w := range f.Windows {
			bytes += int64(f.Passes) * int64(w.Elements()) * int64(s.Object.DType.Size())
		}
		if f.Producer == s.Tile {
			produced[i] = bytes
			continue
		}
		for j := range consumed[i] {
			consumed[i][j] = bytes
		}
	}
}

// countCore adds what a core acquires over all its iterations.
func (v *verifier) countCore(c *Core, produced []int64, consumed [][]int64) {
	type frame struct {
		body  []Stmt
		times int64
	}
	stack := []frame{{c.Body, 1}}
	for len(stack) > 0 {
		f := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range f.body {
			switch s := s.(type) {
			case Loop:
				stack = append(stack, frame{s.Body, f.times * int64(s.Count)})
			case Release:
				v.end(c, s.FIFO, s.Produce)
			case Acquire:
				j := v.end(c, s.FIFO, s.Produce)
				if j < 0 {
					continue
				}
				fifo := &v.p.FIFOs[s.FIFO]
				if s.N > fifo.Depth {
					v.fail("%s acquires %d objects of %s, which holds %d", name(c.Tile), s.N,
						fifo.Name, fifo.Depth)
				}
				bytes := f.times * int64(s.N) * int64(fifo.Object.Bytes())
				if s.Produce {
					produced[s.FIFO] = max(0, produced[s.FIFO]) + bytes
				} else {
					consumed[s.FIFO][j] = max(0, consumed[s.FIFO][j]) + bytes
				}
			}
		}
	}
}

// end returns the number of a core among the consumers of a FIFO, or 0 for the producer. It returns −1 with an error
// noted if the core is not the end of the FIFO that its program says.
func (v *verifier) end(c *Core, fifo int, produce bool) int {
	if fifo < 0 || fifo >= len(v.p.FIFOs) {
		v.fail("%s uses FIFO %d", name(c.Tile), fifo)
		return -1
	}
	f := &v.p.FIFOs[fifo]
	j := slices.Index(f.Consumers, c.Tile)
	switch {
	case produce && f.Producer == c.Tile:
		j = 0
	case produce:
		j = -1
	}
	if j < 0 {
		v.fail("%s is no end of FIFO %s", name(c.Tile), f.Name)
	}
	return j
}

// passLink counts the bytes that arrive at a link as the bytes that leave the link.
func (v *verifier) passLink(l *Link, produced []int64, consumed [][]int64) {
	var in int64
	for _, f := range l.In {
		in += max(0, produced[f])
		consumed[f][0] = produced[f]
	}
	for _, f := range l.Out {
		produced[f] = in / int64(len(l.Out))
	}
	if len(l.Windows) > 0 {
		v.passWindows(l, in, produced)
		return
	}
	whole, parts := l.In[0], l.Out
	if len(l.In) > 1 {
		whole, parts = l.Out[0], l.In
	}
	object := v.p.FIFOs[whole].Object.Bytes()
	for _, f := range parts {
		o := &v.p.FIFOs[f].Object
		if object%len(parts) != 0 || object/len(parts)%o.Bytes() != 0 {
			v.fail("link at %s: objects of %s do not divide those of %s", name(l.Tile),
				v.p.FIFOs[f].Name, v.p.FIFOs[whole].Name)
		}
	}
}

// passWindows makes a link send its windows of every object.
func (v *verifier) passWindows(l *Link, in int64, produced []int64) {
	object := &v.p.FIFOs[l.In[0]].Object
	part := object.Elements() / len(l.Out)
	piece := v.p.FIFOs[l.Out[0]].Object.Elements()
	sent := 0
	for i, w := range l.Windows {
		if w.Offset < 0 || w.Offset+reach(w.Dims, 0) > part {
			v.fail("window %d at %s leaves its object", i, name(l.Tile))
		}
		if w.Elements()%piece != 0 {
			v.fail("window %d at %s is no whole number of objects", i, name(l.Tile))
		}
		sent += w.Elements()
	}
	for _, f := range l.Out {
		produced[f] = in / int64(object.Bytes()) * int64(sent) * int64(object.DType.Size())
	}
}

// tasks checks that the host's transfers remain in their arrays and fit the
// descriptors of interface tiles, and that it awaits none that it has not issued.
func (v *verifier) tasks() {
	issued := make(map[int]bool)
	for _, op := range v.p.Runtime {
		if a, ok := op.(Await); ok && !issued[a.Task] {
			v.fail("the host awaits task %d, which it has not issued", a.Task)
		}
		t, ok := op.(Task)
		if !ok || t.Arg < 0 || t.Arg >= len(v.p.Args) || t.FIFO < 0 || t.FIFO >= len(v.p.FIFOs) {
			continue
		}
		issued[t.ID] = true
		arg, f := &v.p.Args[t.Arg], &v.p.FIFOs[t.FIFO]
		outside := func(c Coord) bool { return c.Row == 0 }
		if !v.p.Sends(t) && !slices.ContainsFunc(f.Consumers, outside) {
			v.fail("task %d: FIFO %s has no end at an interface tile", t.ID, f.Name)
		}
		if t.Elements() < 1 {
			v.fail("task %d moves nothing", t.ID)
			continue
		}
		if t.Offset < 0 || t.Offset+reach(t.Dims, 0) > arg.Elements() {
			v.fail("task %d leaves argument %s of %d elements", t.ID, arg.Name, arg.Elements())
		}
		if err := Fits(&v.m.Shim, t.Dims, t.Elements(), arg.DType.Size()); err != nil {
			v.fail("task %d on %s: %v", t.ID, f.Name, err)
		}
	}
}
