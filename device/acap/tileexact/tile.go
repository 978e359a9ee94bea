package tileexact

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// tiles are the kernels of a flat program: one for whole tiles and one for each
// length of a tile that the end of the work cuts short.
type tiles struct {
	*flat
	p     *program.Program
	loops []int // loops whose index a body reads
	codes map[tileKey]tileCode
	done  []int // tiles of each core
	found []*found
}

// tileKey is the length of a tile, and the gather whose places alone are computed, or −1.
type tileKey struct{ units, gather int }

// tileCode is the kernel for tiles of one length.
type tileCode struct {
	nest *kernel.Nest
	code kernel.Code
}

func (f *flat) compiled(p *program.Program) (func(int, *program.Call, []*memory) error, error) {
	t := &tiles{flat: f, p: p, codes: make(map[tileKey]tileCode), done: make([]int, len(p.Cores)),
		found: make([]*found, len(p.Cores))}
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

// kernel returns the kernel of a tile, whose operands lie contiguously. Indices of the iteration space are arrays that
// the core fills in from the place of its tile. Elements of tables that pass by are arrays that the core has gathered.
func (t *tiles) kernel(key tileKey) (tileCode, error) {
	if c, ok := t.codes[key]; ok {
		return c, nil
	}
	n := &kernel.Nest{Name: "tile", Outer: []int{key.units}, Inner: t.n.Inner}
	access := func(a kernel.Access, strides [2]int, length int) int {
		a.Const, a.Outer, a.Inner = false, []int{strides[0]}, make([]int, len(t.n.Inner))
		stride := strides[1]
		for i := len(a.Inner) - 1; i >= 0; i-- {
			a.Inner[i] = stride
			stride *= t.n.Inner[i]
		}
		if a.Len = length; length == 0 {
			a.Offset, a.Len = 0, 1+(key.units-1)*strides[0]+(t.cols-1)*strides[1]
		}
		n.Access = append(n.Access, a)
		return len(n.Access) - 1
	}
	for i, a := range t.n.Access {
		length := 0
		if t.args[i] >= 0 && t.strides[i] == [2]int{} && !slices.Contains(t.passing, i) {
			length = a.Len // a table
		}
		access(a, t.strides[i], length)
	}
	index := make(map[int]int)
	for _, loop := range t.loops {
		strides := [2]int{1, 0}
		if loop >= len(t.n.Outer) {
			strides = [2]int{0, 1}
		}
		index[loop] = access(kernel.Access{Port: kernel.Port{DType: dtype.I64}}, strides, 0)
	}
	got := make(map[[2]int]int) // by stage and instruction
	for _, g := range t.gathers {
		a := kernel.Access{Port: kernel.Port{DType: t.n.Access[g.Port].DType}}
		got[[2]int{g.Stage, g.Instr}] = access(a, t.reads(g), 0)
	}
	for i, s := range t.n.Stages {
		s.Body = append(kernel.Body(nil), s.Body...)
		for k := range s.Body {
			at := &s.Body[k]
			if at.Op == kernel.Index {
				at.Op, at.Port = kernel.Load, index[at.Port]
			} else if port, ok := got[[2]int{i, k}]; ok {
				at.Op, at.Port = kernel.Load, port
			}
		}
		n.Stages = append(n.Stages, s)
	}
	if key.gather >= 0 {
		t.places(n, key.gather, access)
	}
	code, err := t.compile(n)
	if err != nil {
		return tileCode{}, err
	}
	t.flat.codes = append(t.flat.codes, code)
	t.codes[key] = tileCode{n, code}
	return t.codes[key], nil
}

// indices are the values of a loop over the units from first, or over a row.
func (t *tiles) indices(loop, first, units int) *buf.Buffer {
	extents, n := t.n.Outer, units
	if loop >= len(extents) {
		extents, loop, first, n = t.n.Inner, loop-len(extents), 0, t.cols
	}
	inside := shape.Size(extents[loop+1:])
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
	if c.Kernel == "gather" {
		return t.gather(core, c, objects, at, first)
	}
	t.done[core]++
	found := t.found[core]
	t.found[core] = nil
	produced(t.p, core, c, objects)
	units := min(t.tile, t.rows-first)
	if units <= 0 {
		return nil
	}
	operands, err := t.run(tileKey{units, -1}, at, first, found)
	for i, b := range operands[:min(len(operands), len(t.n.Access))] {
		if t.n.Access[i].Write {
			p := at[t.args[i]]
			copy(p.memory.data.Bytes()[p.offset:], b.Bytes())
		}
	}
	return err
}

// produced starts the objects that a call of a core produces with zeros.
func produced(p *program.Program, core int, c *program.Call, objects []*memory) {
	for i, a := range c.Args {
		if a.FIFO >= 0 && p.FIFOs[a.FIFO].Producer == p.Cores[core].Tile {
			clear(objects[i].data.Bytes())
			objects[i].fill()
		}
	}
}

// run runs the kernel of a tile and returns what its accesses go over.
func (t *tiles) run(key tileKey, at map[int]part, first int, found *found) ([]*buf.Buffer, error) {
	k, err := t.kernel(key)
	if err != nil {
		return nil, err
	}
	var operands []*buf.Buffer
	for i := range t.n.Access {
		b, err := t.operand(i, &k.nest.Access[i], at, first, key.units)
		if err != nil {
			return nil, err
		}
		operands = append(operands, b)
	}
	for _, loop := range t.loops {
		operands = append(operands, t.indices(loop, first, key.units))
	}
	for i := range t.gathers {
		b, err := found.operand(t, i, key)
		if err != nil {
			return nil, err
		}
		operands = append(operands, b)
	}
	for i := len(operands); i < len(k.nest.Access); i++ {
		operands = append(operands, buf.New(dtype.I64, []int{k.nest.Access[i].Len}))
	}
	var ptrs []unsafe.Pointer
	for _, b := range operands {
		ptrs = append(ptrs, b.Pointer())
	}
	if !execute(k.code, ptrs) {
		return nil, fmt.Errorf("an access leaves its tile")
	}
	return operands, nil
}

// operand returns what an access of the tile's kernel goes over.
func (t *tiles) operand(i int, a *kernel.Access, at map[int]part, first, units int) (*buf.Buffer, error) {
	if t.args[i] < 0 {
		return t.scalars[i], nil
	}
	b := buf.New(a.DType, []int{a.Len})
	p, ok := at[t.args[i]]
	switch {
	case slices.Contains(t.passing, i), !ok && a.Write:
		return b, nil
	case !ok:
		return nil, fmt.Errorf("no object of argument %s", t.p.Args[t.args[i]].Name)
	case a.Write:
		return b, nil
	case t.walks[i] != nil:
		return b, t.walked(i, &p, b, first, units)
	}
	return b, p.read(b.Bytes(), 0, len(b.Bytes()))
}

// walked fills in what an access goes over, from what its rows bring: of each row the elements of
// all its points.
func (t *tiles) walked(i int, p *part, to *buf.Buffer, first, units int) error {
	row, points := t.walks[i].Row(), t.windows.Points()
	first, units = first/points*row, units/points*row
	if points == 1 {
		return arrange(p, t.walks[i], to, first, units)
	}
	came := buf.New(to.DType, []int{units})
	if err := arrange(p, t.walks[i], came, first, units); err != nil {
		return err
	}
	outer, inner := t.windows.Places(i)
	if t.strides[i][0] == 1 {
		inner = inner[:1]
	}
	size, at := to.DType.Size(), 0
	for from := 0; from < units; from += row {
		for _, o := range outer {
			for _, c := range inner {
				copy(to.Bytes()[at:at+size], came.Bytes()[(from+o+c)*size:])
				at += size
			}
		}
	}
	return nil
}

// arrange puts count points of a walk, from the first on, from the order of a DMA into the order of the kernel.
func arrange(p *part, w *workload.Walk, to *buf.Buffer, first, count int) error {
	size := to.DType.Size()
	carried, at := w.Carried(size), 0
	var err error
	for _, piece := range build.Points(w, size, first, count) {
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
