package tileexact

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// gathers checks that what the bodies read at computed places are tables that a
// core can keep.
func (f *flat) gathers(inputs []workload.Stream) error {
	tables := make(map[int]bool)
	next := 0
	for i := range f.n.Access {
		if !f.n.Access[i].Write {
			tables[i] = inputs[next].Table > 0
			next++
		}
	}
	for _, s := range f.n.Stages {
		for _, i := range s.Body {
			switch {
			case i.Op == kernel.StoreAt:
				return fmt.Errorf("the body scatters")
			case i.Op == kernel.LoadAt && !tables[i.Port]:
				return fmt.Errorf("the body gathers from an array that moves along")
			}
		}
	}
	return nil
}

// tiles are the kernels of a flat program: one for whole tiles and one for each
// length of a tile that the end of the work cuts short.
type tiles struct {
	*flat
	p     *program.Program
	loops []int // of which a body asks the index
	codes map[int]tileCode
	done  []int // tiles of each core
}

// tileCode is the kernel for tiles of one length.
type tileCode struct {
	nest *kernel.Nest
	code kernel.Code
}

func (f *flat) compiled(p *program.Program) (func(int, *program.Call, []*memory) error, error) {
	t := &tiles{flat: f, p: p, codes: make(map[int]tileCode), done: make([]int, len(p.Cores))}
	seen := make(map[int]bool)
	for _, s := range f.n.Stages {
		for _, i := range s.Body {
			if i.Op == kernel.Index && !seen[i.Port] {
				seen[i.Port] = true
				t.loops = append(t.loops, i.Port)
			}
		}
	}
	return t.call, nil
}

// kernel returns the kernel for so many units, of which the operands lie close
// together. Its indices are arrays that the core fills in from the place of its tile.
func (t *tiles) kernel(units int) (tileCode, error) {
	if c, ok := t.codes[units]; ok {
		return c, nil
	}
	n := &kernel.Nest{Name: "tile", Outer: []int{units}, Inner: t.n.Inner}
	access := func(a kernel.Access, strides [2]int, length int) {
		a.Const, a.Outer, a.Inner = false, []int{strides[0]}, make([]int, len(t.n.Inner))
		stride := strides[1]
		for i := len(a.Inner) - 1; i >= 0; i-- {
			a.Inner[i] = stride
			stride *= t.n.Inner[i]
		}
		if a.Len = length; length == 0 {
			a.Offset, a.Len = 0, 1+(units-1)*strides[0]+(t.cols-1)*strides[1]
		}
		n.Access = append(n.Access, a)
	}
	for i, a := range t.n.Access {
		length := 0
		if t.args[i] >= 0 && t.strides[i] == [2]int{} {
			length = a.Len // a table
		}
		access(a, t.strides[i], length)
	}
	port := make(map[int]int)
	for _, loop := range t.loops {
		port[loop] = len(n.Access)
		strides := [2]int{1, 0}
		if loop >= len(t.n.Outer) {
			strides = [2]int{0, 1}
		}
		access(kernel.Access{Port: kernel.Port{DType: dtype.I64}}, strides, 0)
	}
	for _, s := range t.n.Stages {
		s.Body = append(kernel.Body(nil), s.Body...)
		for i := range s.Body {
			if s.Body[i].Op == kernel.Index {
				s.Body[i].Op, s.Body[i].Port = kernel.Load, port[s.Body[i].Port]
			}
		}
		n.Stages = append(n.Stages, s)
	}
	code, err := t.compile(n)
	if err != nil {
		return tileCode{}, err
	}
	t.flat.codes = append(t.flat.codes, code)
	t.codes[units] = tileCode{n, code}
	return t.codes[units], nil
}

// indices are the values of a loop over the units from first, or over a row.
func (t *tiles) indices(loop, first, units int) *buf.Buffer {
	extents, n := t.n.Outer, units
	if loop >= len(extents) {
		extents, loop, first, n = t.n.Inner, loop-len(extents), 0, t.cols
	}
	inside := volume(extents[loop+1:])
	b := buf.New(dtype.I64, []int{n})
	for i := range n {
		b.SetInt64(i, int64((first+i)/inside%extents[loop]))
	}
	return b
}

// part is where an argument's tile lies in the memory of a core.
type part struct {
	memory *memory
	offset int // bytes
}

// parts finds the tiles of arguments in the objects of a call.
func parts(p *program.Program, c *program.Call, objects []*memory) map[int]part {
	out := make(map[int]part)
	for i, a := range c.Args {
		if a.FIFO >= 0 {
			for _, h := range p.FIFOs[a.FIFO].Parts {
				out[h.Arg] = part{objects[i], h.Offset}
			}
		}
	}
	return out
}

// read copies n bytes from the a-th on, which must have been written.
func (p *part) read(to []byte, a, n int) error {
	a += p.offset
	if a+n > len(p.memory.known) {
		return fmt.Errorf("a tile needs bytes %d to %d of %s, which has %d", a, a+n, p.memory.name,
			len(p.memory.known))
	}
	for k := a; k < a+n; k++ {
		if !p.memory.known[k] {
			return fmt.Errorf("byte %d of %s was never written", k, p.memory.name)
		}
	}
	copy(to, p.memory.data.Bytes()[a:a+n])
	return nil
}

// call computes a tile. Core c has the tiles c, c + cores, c + 2·cores …; what of
// a tile lies beyond the end of the work is left zero.
func (t *tiles) call(core int, c *program.Call, objects []*memory) error {
	at := parts(t.p, c, objects)
	first := (t.done[core]*len(t.p.Cores) + core) * t.tile
	t.done[core]++
	for i, a := range c.Args {
		if f := &t.p.FIFOs[a.FIFO]; f.Producer == t.p.Cores[core].Tile {
			clear(objects[i].data.Bytes())
			objects[i].fill()
		}
	}
	units := min(t.tile, t.rows-first)
	if units <= 0 {
		return nil
	}
	k, err := t.kernel(units)
	if err != nil {
		return err
	}
	var operands []*buf.Buffer
	ptrs := make([]unsafe.Pointer, 0, len(k.nest.Access))
	for i := range t.n.Access {
		b, err := t.operand(i, &k.nest.Access[i], at, first, units)
		if err != nil {
			return err
		}
		operands, ptrs = append(operands, b), append(ptrs, b.Pointer())
	}
	for _, loop := range t.loops {
		ptrs = append(ptrs, t.indices(loop, first, units).Pointer())
	}
	if !execute(k.code, ptrs) {
		return fmt.Errorf("an access leaves its tile")
	}
	for i, b := range operands {
		if t.n.Access[i].Write {
			p := at[t.args[i]]
			copy(p.memory.data.Bytes()[p.offset:], b.Bytes())
		}
	}
	return nil
}

// operand returns what an access of the tile's kernel goes over.
func (t *tiles) operand(i int, a *kernel.Access, at map[int]part, first, units int) (*buf.Buffer, error) {
	if t.args[i] < 0 {
		return t.scalars[i], nil
	}
	b := buf.New(a.DType, []int{a.Len})
	p, ok := at[t.args[i]]
	switch {
	case !ok:
		return nil, fmt.Errorf("no object of argument %s", t.p.Args[t.args[i]].Name)
	case a.Write:
		return b, nil
	case t.walks[i] != nil:
		return b, arrange(&p, t.walks[i], b, first, units)
	}
	return b, p.read(b.Bytes(), 0, len(b.Bytes()))
}

// arrange puts elements in the order of the kernel that came in that of a DMA.
func arrange(p *part, w *workload.Walk, to *buf.Buffer, first, units int) error {
	size := to.DType.Size()
	carried, at := w.Carried(size), 0
	var err error
	for _, piece := range program.Pieces(w, size, first, units) {
		within := piece.Offset * size % carried // of the word
		if carried == size {
			within = 0
		}
		piece.Each(func(place int) {
			if err == nil {
				err = p.read(to.Bytes()[place*size:], at+within, size)
			}
			at += carried
		})
	}
	return err
}
