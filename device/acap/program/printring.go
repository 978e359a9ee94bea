package program

import ()

// A core at the lowered level works through the slots of its rings with a counter for each in
// a memref of one element: it selects the slot's buffer, and its lock where every slot has
// one, by scf.index_switch, and counts on when it releases.

// printRings makes the counters of the rings of several slots that a core works through.
func (w *printer) printRings(c *Core) {
	w.rings = make(map[*Endpoint]string)
	for i := range w.p.FIFOs {
		f := &w.p.FIFOs[i]
		for j := range f.Ends {
			e := &f.Ends[j]
			if e.Tile != c.Tile || len(e.Buffers) < 2 {
				continue
			}
			name := "%" + f.Name + "_slot"
			w.rings[e] = name
			w.line("%s = memref.alloca() : memref<1xindex>", name)
			w.line("memref.store %%c0, %s[%%c0] : memref<1xindex>", name)
		}
	}
}

// reached returns the slot of a ring that is after slots behind the slot that the core has reached.
func (w *printer) reached(e *Endpoint, after int) string {
	at := w.fresh()
	w.line("%s = memref.load %s[%%c0] : memref<1xindex>", at, w.rings[e])
	if after == 0 {
		return at
	}
	n, sum, depth, slot := w.fresh(), w.fresh(), w.fresh(), w.fresh()
	w.line("%s = arith.constant %d : index", n, after)
	w.line("%s = arith.addi %s, %s : index", sum, at, n)
	w.line("%s = arith.constant %d : index", depth, len(e.Buffers))
	w.line("%s = arith.remui %s, %s : index", slot, sum, depth)
	return slot
}

// advance counts on by n slots.
func (w *printer) advance(e *Endpoint, n int) {
	if len(e.Buffers) < 2 || n%len(e.Buffers) == 0 {
		return
	}
	w.line("memref.store %s, %s[%%c0] : memref<1xindex>", w.reached(e, n), w.rings[e])
}

// slot selects the buffer of a slot.
func (w *printer) slot(e *Endpoint, index int, o Object) string {
	var names []string
	for _, b := range e.Buffers {
		names = append(names, "%"+w.bufferName(&w.p.Buffers[b]))
	}
	return w.choose(w.reached(e, index), names, memref(o))
}

// choose selects one of several values of a type by a slot.
func (w *printer) choose(slot string, values []string, typ string) string {
	v := w.fresh()
	w.open("%s = scf.index_switch %s -> %s", v, slot, typ)
	w.depth--
	for i, x := range values[1:] {
		w.open("case %d {", i+1)
		w.line("scf.yield %s : %s", x, typ)
		w.close("}")
	}
	w.open("default {")
	w.line("scf.yield %s : %s", values[0], typ)
	w.close("}")
	return v
}

// acquireAction is the name of an acquire: locks of the first generation hold 0 or 1.
func (w *printer) acquireAction() string {
	if w.p.Machine.Core.LockMax.Int() == 1 {
		return "Acquire"
	}
	return "AcquireGreaterEqual"
}

// useLock takes or releases n objects of a ring: at once where it counts them, else by the
// locks of their slots.
func (w *printer) useLock(e *Endpoint, locks []int, action string, n int) {
	switch {
	case len(locks) == 0:
	case len(locks) == 1:
		w.useOf(w.lock(locks[0]), action, n)
	default:
		var names []string
		for _, l := range locks {
			names = append(names, w.lock(l))
		}
		for i := range n {
			w.useOf(w.choose(w.reached(e, i), names, "index"), action, 1)
		}
	}
}
