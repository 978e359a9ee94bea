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
	shape, perm := v.Shape, v.Perm
	if len(shape) == 0 || len(perm) != len(shape) {
		shape, perm = []int{elements}, []int{0}
	}
	// Strides of the source in the order of the result.
	order := make([]Dim, len(perm))
	for i, s := range perm {
		stride := 1
		for _, n := range shape[s+1:] {
			stride *= n
		}
		order[i] = Dim{shape[s], stride}
	}
	order = collapse(order)
	b.p.Args = []Arg{{Name: "in", Shape: shape, DType: v.DType},
		{Name: "out", Shape: []int{elements}, DType: v.DType, Output: true}}
	cols := min(g.Cols, order[0].Size)
	for order[0].Size%cols != 0 {
		cols--
	}
	part := order[0].Size / cols
	share := append([]Dim{{part, order[0].Stride}}, order[1:]...)
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
		b.task(in, 0, c*part*order[0].Stride, share...)
		results = append(results, b.task(out, 1, c*count, Dim{count, 1}))
	}
	b.await(results)
}

// through makes a stream from an interface tile back to it.
func (b *builder) through(name string, column int, object Object) (in, out int) {
	from := b.port(b.sent, b.machine.Shim.Out.Int(), column)
	to := b.port(b.received, b.machine.Shim.In.Int(), column)
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

// collapse merges dimensions that follow each other in memory and drops those of
// size one.
func collapse(dims []Dim) []Dim {
	out := []Dim{dims[0]}
	for _, d := range dims[1:] {
		last := &out[len(out)-1]
		switch {
		case d.Size == 1:
		case last.Size == 1:
			*last = d
		case last.Stride == d.Size*d.Stride:
			*last = Dim{last.Size * d.Size, d.Stride}
		default:
			out = append(out, d)
		}
	}
	return out
}
