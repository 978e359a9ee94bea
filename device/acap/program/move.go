package program

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// move builds a rearrangement: every column reads its share of the result in
// the order of the result, through its mem tile or straight back.
func (b *builder) move(v *workload.Move) {
	g := &b.mapping
	elements := int(v.Elements)
	if v.Indexed {
		b.fail("a gather is issued by the controller while it runs, not by a fixed program")
		return
	}
	walk := sourceOf(v)
	b.p.Args = []Arg{{Name: "in", Shape: []int{walk.Span()}, DType: v.DType},
		{Name: "out", Shape: []int{elements}, DType: v.DType, Output: true}}
	cols := min(g.Cols, elements)
	for elements%cols != 0 {
		cols--
	}
	count := elements / cols
	tile := min(g.Tile, count)
	for count%tile != 0 {
		tile--
	}
	object := Object{[]int{tile}, v.DType}
	read, write := timing.MoveShares(b.machine, v)
	b.shares = []float64{read, write}
	var results []int
	for c := range cols {
		in, out := b.through(fmt.Sprintf("m%d", c), c, object)
		for _, p := range Pieces(walk, v.DType.Size(), c*count, count) {
			b.task(in, 0, p.Offset, p.Dims...)
		}
		results = append(results, b.task(out, 1, c*count, Dim{count, 1}))
	}
	b.await(results)
}

// through makes a stream from an interface tile back to it.
func (b *builder) through(name string, column int, object Object) (in, out int) {
	from := b.port(b.sent, column)
	to := b.port(b.received, column)
	if b.machine.Grid.MemRows == 0 {
		f := b.fifo(FIFO{Name: name, Producer: from, Consumers: []Coord{to}, Depth: 1,
			Object: object})
		return f, f
	}
	mem := b.memTile(from.Col, 1, 1)
	in = b.fifo(FIFO{Name: name + "_in", Producer: from, Consumers: []Coord{mem}, Depth: 2,
		Object: object})
	out = b.fifo(FIFO{Name: name + "_out", Producer: mem, Consumers: []Coord{to}, Depth: 2,
		Object: object})
	b.p.Links = append(b.p.Links, Link{Tile: mem, In: []int{in}, Out: []int{out}})
	return in, out
}

// sourceOf is the order in which a move reads its source: that of the result.
func sourceOf(v *workload.Move) *workload.Walk {
	switch {
	case v.Walk != nil:
		return v.Walk
	case len(v.Shape) == 0 || len(v.Perm) != len(v.Shape):
		return &workload.Walk{Outer: []workload.Loop{{Size: int(v.Elements), Stride: 1}}}
	}
	walk := &workload.Walk{}
	for _, s := range v.Perm {
		stride := 1
		for _, n := range v.Shape[s+1:] {
			stride *= n
		}
		walk.Outer = append(walk.Outer, workload.Loop{Size: v.Shape[s], Stride: stride})
	}
	return walk
}
