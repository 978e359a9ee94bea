package program

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// printKernels declares the kernels that cores call, once per signature.
func (w *printer) printKernels() {
	seen := make(map[string]bool)
	for i := range w.p.Cores {
		c := &w.p.Cores[i]
		walk(c.Body, func(s Stmt) {
			if call, ok := s.(Call); ok {
				seen[fmt.Sprintf("func.func private @%s(%s)", w.kernel(c, call),
					strings.Join(w.types(c, call), ", "))] = true
			}
		})
	}
	var lines []string
	for s := range seen {
		lines = append(lines, s)
	}
	sort.Strings(lines)
	for _, s := range lines {
		w.line("%s", s)
	}
}

// walk visits the statements of a body in order, and the statements of a loop once.
func walk(body []Stmt, visit func(Stmt)) {
	stack := [][]Stmt{body}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for i, s := range top {
			visit(s)
			if l, ok := s.(Loop); ok {
				stack = append(stack, top[i+1:], l.Body)
				break
			}
		}
	}
}

func (w *printer) object(c *Core, r ObjectRef) Object {
	if r.FIFO < 0 {
		return c.Locals[r.Index]
	}
	return w.p.FIFOs[r.FIFO].Object
}

// operands are the arguments of a call that have a buffer. The kernel takes and passes on the numbers of a cascade by
// instructions of its own.
func (w *printer) operands(call Call) []ObjectRef {
	return slices.DeleteFunc(slices.Clone(call.Args), func(r ObjectRef) bool {
		return r.FIFO >= 0 && w.p.FIFOs[r.FIFO].Cascade
	})
}

func (w *printer) types(c *Core, call Call) []string {
	var out []string
	for _, r := range w.operands(call) {
		out = append(out, memref(w.object(c, r)))
	}
	return out
}

// kernel is the symbol of a call: the kernel with the shapes of its operands.
func (w *printer) kernel(c *Core, call Call) string {
	s := call.Kernel
	for _, r := range call.Args {
		o := w.object(c, r)
		s += "_"
		for i, n := range o.Shape {
			if i > 0 {
				s += "x"
			}
			s += fmt.Sprint(n)
		}
		s += o.DType.String()
	}
	switch call.Kernel {
	case "capture", "mask", "score":
		s += fmt.Sprintf("_%d", call.Piece)
	}
	return s
}

// printCore writes the program of a core. At the lowered level acquires become
// locks, and an operand is the slot of its ring that the core has reached; a
// ring of several slots is indexed by a counter that the loop carries.
func (w *printer) printCore(c *Core) {
	w.value = 0
	w.open("aie.core(%s) {", w.tiles[c.Tile])
	if !w.p.Lowered {
		for i, o := range c.Locals {
			w.line("%%local%d = memref.alloc() : %s", i, memref(o))
		}
	}
	w.line("%%c0 = arith.constant 0 : index")
	w.line("%%c1 = arith.constant 1 : index")
	if w.p.Lowered {
		w.printRings(c)
	}
	w.body(c, c.Body, make(map[int]string))
	w.line("aie.end")
	w.close("}")
}

// body writes statements; held maps a FIFO to the value of its acquired objects.
func (w *printer) body(c *Core, body []Stmt, held map[int]string) {
	for _, s := range body {
		switch s := s.(type) {
		case Loop:
			n := w.fresh()
			w.line("%s = arith.constant %d : index", n, s.Count)
			w.open("scf.for %%i%d = %%c0 to %s step %%c1 {", w.depth, n)
			w.body(c, s.Body, held)
			w.close("}")
		case Acquire:
			w.acquire(c, s, held)
		case Release:
			w.release(c, s)
		case Call:
			w.call(c, s, held)
		}
	}
}

func portName(produce bool) string {
	if produce {
		return "Produce"
	}
	return "Consume"
}

func (w *printer) acquire(c *Core, s Acquire, held map[int]string) {
	f := &w.p.FIFOs[s.FIFO]
	if f.Cascade {
		return
	}
	if w.p.Lowered {
		e := w.end(f, c.Tile, s.Produce)
		w.useLock(e, locksOf(e, s.Produce), w.acquireAction(), s.N)
		return
	}
	v := w.fresh()
	held[s.FIFO] = v
	if w.named {
		if s.N > 1 {
			v += fmt.Sprintf(":%d", s.N)
		}
		types := strings.Repeat(", "+memref(f.Object), s.N)
		w.line("%s = aie.objectfifo.acquire @%s(%s, %d) : %s", v, f.Name, portName(s.Produce), s.N, types[2:])
		if s.N > 1 {
			held[s.FIFO] += "#"
		}
		return
	}
	w.line("%s = aie.objectfifo.acquire @%s(%s, %d) : !aie.objectfifosubview<%s>", v, f.Name,
		portName(s.Produce), s.N, memref(f.Object))
}

func (w *printer) release(c *Core, s Release) {
	f := &w.p.FIFOs[s.FIFO]
	if f.Cascade {
		return
	}
	if !w.p.Lowered {
		w.line("aie.objectfifo.release @%s(%s, %d)", f.Name, portName(s.Produce), s.N)
		return
	}
	e := w.end(f, c.Tile, s.Produce)
	w.useLock(e, locksOf(e, !s.Produce), "Release", s.N)
	w.advance(e, s.N)
}

// locksOf are the locks that a producer (of free slots) or consumer waits on.
func locksOf(e *Endpoint, produce bool) []int {
	if produce {
		return e.Produce
	}
	return e.Consume
}

// end is the endpoint of the FIFO at the tile.
func (w *printer) end(f *FIFO, tile Coord, produce bool) *Endpoint {
	for i := range f.Ends {
		if (i == 0) == produce && f.Ends[i].Tile == tile {
			return &f.Ends[i]
		}
	}
	return &Endpoint{}
}

func (w *printer) call(c *Core, s Call, held map[int]string) {
	var args []string
	for _, r := range w.operands(s) {
		args = append(args, w.operand(c, r, held))
	}
	w.line("func.call @%s(%s) : (%s) -> () // %d cycles", w.kernel(c, s),
		strings.Join(args, ", "), strings.Join(w.types(c, s), ", "), s.Cycles)
}

// operand writes what an argument of a call needs and returns its value.
func (w *printer) operand(c *Core, r ObjectRef, held map[int]string) string {
	if r.FIFO < 0 {
		if w.p.Lowered {
			return "%" + w.bufferName(&w.p.Buffers[c.LocalBuffers[r.Index]])
		}
		return fmt.Sprintf("%%local%d", r.Index)
	}
	f := &w.p.FIFOs[r.FIFO]
	if many, ok := strings.CutSuffix(held[r.FIFO], "#"); !w.p.Lowered && w.named {
		if ok {
			return fmt.Sprintf("%s#%d", many, r.Index)
		}
		return held[r.FIFO]
	}
	if !w.p.Lowered {
		v, t := w.fresh(), memref(f.Object)
		w.line("%s = aie.objectfifo.subview.access %s[%d] : !aie.objectfifosubview<%s> -> %s", v,
			held[r.FIFO], r.Index, t, t)
		return v
	}
	for i := range f.Ends {
		e := &f.Ends[i]
		if e.Tile != c.Tile || len(e.Buffers) == 0 {
			continue
		}
		if len(e.Buffers) == 1 {
			return "%" + w.bufferName(&w.p.Buffers[e.Buffers[0]])
		}
		return w.slot(e, r.Index, f.Object)
	}
	panic("BUG: program: an operand without a buffer")
}
