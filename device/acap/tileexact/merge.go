package tileexact

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// merges does the calls of a sort by blocks. A sorted block is its elements and their
// positions in the line; the end of a block that is not full has positions beyond it.
type merges struct {
	k       *kernel.Sort
	walk    *workload.Walk
	p       *program.Program
	block   int // elements
	blocks  int // of a line
	sorted  []int
	compile func(kernel.Kernel) (kernel.Code, error)
}

// inMerges lays out a sort by blocks: results are the sorted lines, and the kernel's results are a part of them.
func inMerges(k *kernel.Sort, w *workload.Normalize, p *program.Program, g *mapping.Mapping,
	compile func(kernel.Kernel) (kernel.Code, error)) *layout {
	x := &merges{k: k, walk: w.Walk(w.In[0]), p: p, block: g.TK, blocks: (k.N + g.TK - 1) / g.TK,
		sorted: make([]int, len(p.Cores)), compile: compile}
	l := &layout{inputs: []placing{dense(0, 0, k.X.Len)},
		compute: func(*program.Program) (func(int, *program.Call, []*memory) error, error) {
			return x.call, nil
		}}
	for port := 1; port <= 2; port++ {
		l.outputs = append(l.outputs, placing{port, port, func(put func(int, int)) {
			for row := range w.Rows {
				for i := range k.Count {
					put(row*x.blocks*x.block+k.First+i, (row/k.Inner*k.Count+i)*k.Inner+row%k.Inner)
				}
			}
		}})
	}
	return l
}

func (x *merges) call(core int, c *program.Call, objects []*memory) error {
	produced(x.p, core, c, objects)
	switch c.Kernel {
	case "sort":
		return x.sort(core, c, objects)
	case "merge":
		return x.merge(c, objects)
	}
	return fmt.Errorf("no such kernel")
}

// sort sorts the next block of a core.
func (x *merges) sort(core int, c *program.Call, o []*memory) error {
	unit := x.sorted[core]*len(x.p.Cores) + core
	x.sorted[core]++
	line, first := unit/x.blocks, unit%x.blocks*x.block
	n := min(x.block, x.k.N-first)
	if line >= x.k.Outer*x.k.Inner {
		n = 0
	}
	values, positions := buf.New(x.k.X.DType, []int{n}), columns(first, n)
	if n > 0 {
		from := part{memory: o[0]}
		if err := arrange(&from, x.walk, values, line*x.k.N+first, n); err != nil {
			return err
		}
	}
	return x.put(values, positions, x.halves(c, o, 1))
}

// merge sorts the elements of two blocks into two.
func (x *merges) merge(c *program.Call, o []*memory) error {
	type element struct{ position, block, at int }
	var list []element
	size := x.k.X.DType.Size()
	var blocks [][]byte
	for b, h := range [2][2]part{x.halves(c, o, 0), x.halves(c, o, 1)} {
		values, positions := buf.New(x.k.X.DType, []int{x.block}), buf.New(dtype.I64, []int{x.block})
		for i, to := range []*buf.Buffer{values, positions} {
			if err := h[i].read(to.Bytes(), 0, len(to.Bytes())); err != nil {
				return err
			}
		}
		blocks = append(blocks, values.Bytes())
		for i := range x.block {
			if at := int(positions.Int64(i)); at < x.k.N {
				list = append(list, element{at, b, i})
			}
		}
	}
	// In the order of the line a stable sort gives equal elements theirs.
	slices.SortFunc(list, func(a, b element) int { return a.position - b.position })
	values, positions := buf.New(x.k.X.DType, []int{len(list)}), buf.New(dtype.I64, []int{len(list)})
	for i, e := range list {
		copy(values.Bytes()[i*size:], blocks[e.block][e.at*size:][:size])
		positions.SetInt64(i, int64(e.position))
	}
	return x.put(values, positions, x.halves(c, o, 2), x.halves(c, o, 3))
}

// halves are the values and the positions of the block that is an operand of a call.
func (x *merges) halves(c *program.Call, o []*memory, i int) [2]part {
	parts := x.p.FIFOs[c.Args[i].FIFO].Parts
	return [2]part{{o[i], parts[0].Offset}, {o[i], parts[1].Offset}}
}

// put sorts elements with their positions into blocks and fills these up.
func (x *merges) put(values, positions *buf.Buffer, to ...[2]part) error {
	n := values.Len()
	sorted, order := buf.New(x.k.X.DType, []int{n}), buf.New(dtype.I64, []int{n})
	if n > 0 {
		c := *x.k
		c.Lines, c.First, c.Count = kernel.Lines{Outer: 1, N: n, Inner: 1}, 0, n
		c.X.Len, c.Values.Len, c.Positions.Len = n, n, n
		if err := once(x.compile, &c, []*buf.Buffer{values, sorted, order}); err != nil {
			return err
		}
	}
	size := sorted.DType.Size()
	for i := range x.block * len(to) {
		h, position := to[i/x.block], int64(x.k.N)
		at := i % x.block
		if i < n {
			copy(h[0].memory.data.Bytes()[h[0].offset+at*size:], sorted.Bytes()[i*size:][:size])
			position = positions.Int64(int(order.Int64(i)))
		}
		word := buf.New(dtype.I64, []int{1})
		word.SetInt64(0, position)
		copy(h[1].memory.data.Bytes()[h[1].offset+at*8:], word.Bytes())
	}
	return nil
}
