package tileexact

import (
	"fmt"
	"unsafe"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/portable"
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

// kernel returns the kernel for so many units. Its indices are arrays that the
// core fills in from the place of its tile.
func (t *tiles) kernel(units int) (tileCode, error) {
	if c, ok := t.codes[units]; ok {
		return c, nil
	}
	n := &kernel.Nest{Name: "tile", Outer: []int{units}}
	columns := len(t.n.Inner) > 0
	if columns {
		n.Inner = []int{t.cols}
	}
	access := func(a kernel.Access, strides [2]int, length int) {
		a.Const, a.Outer, a.Inner = false, []int{strides[0]}, []int{}
		if columns {
			a.Inner = []int{strides[1]}
		}
		if a.Len = length; length == 0 {
			a.Offset, a.Len = 0, 1+(units-1)*strides[0]
			if columns {
				a.Len += (t.cols - 1) * strides[1]
			}
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
	code, err := portable.Compile(n)
	if err != nil {
		return tileCode{}, err
	}
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

// call computes a tile. Core c has the tiles c, c + cores, c + 2·cores …; what of
// a tile lies beyond the end of the work is left zero.
func (t *tiles) call(core int, c *program.Call, objects []*memory) error {
	byArg := t.objects(t.p, c, objects)
	first := (t.done[core]*len(t.p.Cores) + core) * t.tile
	t.done[core]++
	for i, m := range byArg {
		if t.p.Args[i].Output {
			clear(m.data.Bytes())
			m.fill()
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
	ptrs := make([]unsafe.Pointer, 0, len(k.nest.Access))
	for i := range t.n.Access {
		p, err := t.operand(i, &k.nest.Access[i], byArg)
		if err != nil {
			return err
		}
		ptrs = append(ptrs, p)
	}
	for _, loop := range t.loops {
		ptrs = append(ptrs, t.indices(loop, first, units).Pointer())
	}
	if !execute(k.code, ptrs) {
		return fmt.Errorf("an access leaves its tile")
	}
	return nil
}

// operand returns the memory of an access of the tile's kernel.
func (t *tiles) operand(i int, a *kernel.Access, byArg map[int]*memory) (unsafe.Pointer, error) {
	if t.args[i] < 0 {
		return t.scalars[i].Pointer(), nil
	}
	m := byArg[t.args[i]]
	if m == nil {
		return nil, fmt.Errorf("no object of argument %s", t.p.Args[t.args[i]].Name)
	}
	bytes := a.Len * a.DType.Size()
	if bytes > len(m.known) {
		return nil, fmt.Errorf("a tile needs %d bytes of %s, which has %d", bytes, m.name,
			len(m.known))
	}
	for k := range bytes {
		if !m.known[k] {
			return nil, fmt.Errorf("byte %d of %s was never written", k, m.name)
		}
	}
	return m.data.Pointer(), nil
}
