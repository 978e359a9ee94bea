package tileexact

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// readable checks that what the bodies read at computed places are tables.
func (f *flat) readable(inputs []workload.Stream) error {
	tables := make(map[int]bool)
	next := 0
	for i := range f.n.Access {
		if !f.n.Access[i].Write {
			tables[i] = inputs[next].Table > 0
			next++
		}
	}
	for _, g := range describe.Gathers(f.n) {
		if !tables[g.Port] {
			return fmt.Errorf("the body gathers from an array that moves along")
		}
	}
	return nil
}

// found is the elements that a core has picked up for its tile from tables that pass by.
type found struct {
	calls  int           // pieces seen
	places []*buf.Buffer // by gather: the elements of the table, in the order of the tile
	values []part        // by gather: where they are kept
}

// reads is the strides of what a gather reads within a tile.
func (f *flat) reads(g describe.Gather) [2]int {
	if g.Row {
		return [2]int{f.cols, 1}
	}
	return [2]int{1, 0}
}

// count is the elements that a gather reads for a number of units.
func (f *flat) count(g describe.Gather, units int) int {
	if g.Row {
		return units * f.cols
	}
	return units
}

// places turns the kernel of a tile into one that stores the places of a gather.
func (t *tiles) places(n *kernel.Nest, gather int, access func(kernel.Access, [2]int, int) int) {
	g := t.gathers[gather]
	out := access(kernel.Access{Port: kernel.Port{DType: dtype.I64, Write: true}}, t.reads(g), 0)
	n.Stages = n.Stages[:g.Stage+1]
	for s := range n.Stages {
		for i := range n.Stages[s].Body {
			if at := &n.Stages[s].Body[i]; at.Op == kernel.Store {
				*at = kernel.Instr{Op: kernel.Const, Type: dtype.I64}
			}
		}
	}
	place := t.n.Stages[g.Stage].Body[g.Instr].A
	last := &n.Stages[g.Stage]
	last.Body = append(last.Body, kernel.Instr{Op: kernel.Store, Type: dtype.I64, A: place, Port: out})
}

// gather looks in the piece of a table that passes by for what the tile reads.
func (t *tiles) gather(core int, c *program.Call, objects []*memory, at map[int]part, first int) error {
	units := min(t.tile, t.rows-first)
	if units <= 0 {
		return nil
	}
	if t.found[core] == nil {
		t.found[core] = t.newFound(objects[len(objects)-len(t.passing):])
	}
	return t.pick(t.found[core], c, objects[0], units, func(i int) (*buf.Buffer, error) {
		operands, err := t.run(tileKey{units, i}, at, first, t.found[core])
		if err != nil {
			return nil, err
		}
		return operands[len(operands)-1], nil
	})
}

// pick takes the elements that a number of units read out of the piece of a table that passes by; place gives the
// places of a gather.
func (t *tiles) pick(f *found, c *program.Call, passing *memory, units int,
	place func(gather int) (*buf.Buffer, error)) error {
	table, piece, round := t.passes(f.calls, t.p.FIFOs[c.Args[0].FIFO].Object.Bytes())
	f.calls++
	port := t.passing[table]
	size := t.n.Access[port].DType.Size()
	each := len(passing.known) / size
	for i, g := range t.gathers {
		if g.Port != port || g.Round != round {
			continue
		}
		if f.places[i] == nil {
			var err error
			if f.places[i], err = place(i); err != nil {
				return err
			}
		}
		for k := range t.count(g, units) {
			from := int(f.places[i].Int64(k)) + t.n.Access[port].Offset - piece*each
			if from < 0 || from >= each {
				continue
			}
			to, a := f.values[i].memory, f.values[i].offset+k*size
			source := part{memory: passing}
			if err := source.read(to.data.Bytes()[a:], from*size, size); err != nil {
				return err
			}
			for b := range size {
				to.known[a+b] = true
			}
		}
	}
	return nil
}

// passes returns the table, its piece and the round that a core sees in its n-th call.
func (t *tiles) passes(n, bytes int) (table, piece, round int) {
	var pieces []int
	all := 0
	for _, port := range t.passing {
		a := &t.p.Args[t.args[port]]
		pieces = append(pieces, a.Elements()*a.DType.Size()/bytes)
		all += pieces[len(pieces)-1]
	}
	round, piece = n/all, n%all
	for table = 0; piece >= pieces[table]; table++ {
		piece -= pieces[table]
	}
	return table, piece, round
}

// newFound lays out what the tile reads: of every table, gather by gather.
func (t *tiles) newFound(kept []*memory) *found {
	f := &found{places: make([]*buf.Buffer, len(t.gathers)), values: make([]part, len(t.gathers))}
	for _, m := range kept {
		clear(m.known)
	}
	used := make([]int, len(kept))
	for i, g := range t.gathers {
		table := slices.Index(t.passing, g.Port)
		f.values[i] = part{kept[table], used[table]}
		used[table] += t.count(g, t.tile) * t.n.Access[g.Port].DType.Size()
	}
	return f
}

// operand returns the elements that a gather reads for a tile. Every element must have been found before. For a kernel
// that computes the indices of a later gather, operand returns empty elements for that later gather.
func (f *found) operand(t *tiles, gather int, key tileKey) (*buf.Buffer, error) {
	g := t.gathers[gather]
	b := buf.New(t.n.Access[g.Port].DType, []int{t.count(g, key.units)})
	if f == nil || key.gather >= 0 && g.Round >= t.gathers[key.gather].Round {
		return b, nil
	}
	return b, f.values[gather].read(b.Bytes(), 0, len(b.Bytes()))
}
