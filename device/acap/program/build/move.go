package build

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// move builds a rearrangement: every stream reads its objects in the order of
// the result, through a mem tile or straight back.
func (b *builder) move(v *workload.Move) {
	elements := int(v.Elements)
	if v.Indexed {
		b.fail("a gather is issued by the controller while it runs, not by a fixed program")
		return
	}
	walk := sourceOf(v)
	b.p.Args = []program.Arg{{Name: "in", Shape: []int{walk.Span()}, DType: v.DType},
		{Name: "out", Shape: []int{elements}, DType: v.DType, Output: true}}
	p := timing.PassageOf(v, &b.mapping)
	object := array([]int{p.Tile}, v.DType)
	read, write := timing.MoveShares(b.machine, v)
	b.shares = []float64{read, write}
	var results []int
	for s := range p.Streams {
		column := b.machine.Grid.ShimDMA[s%min(b.mapping.Cols, len(b.machine.Grid.ShimDMA))]
		in, out := b.through(fmt.Sprintf("m%d", s), column, object)
		pass := func(start, count int) {
			for _, q := range Pieces(walk, v.DType.Size(), start, count) {
				b.task(in, 0, q.Offset, q.Dims...)
			}
			results = append(results, b.task(out, 1, start, dim(count, 1)))
		}
		start, end := p.First(s)*p.Tile, p.First(s+1)*p.Tile
		switch {
		case end <= elements:
			pass(start, end-start)
		default:
			if whole := end - p.Tile; whole > start {
				pass(start, whole-start)
			}
			pass(elements-p.Tile, p.Tile)
		}
	}
	b.await(results)
}

// through makes a stream from an interface tile back to it.
func (b *builder) through(name string, column int, object program.Object) (in, out int) {
	from := b.port(b.sent, column)
	to := b.port(b.received, column)
	if b.machine.Grid.MemRows == 0 {
		f := b.fifo(program.FIFO{Name: name, Producer: from, Consumers: []program.Coord{to}, Depth: 1,
			Object: object})
		return f, f
	}
	mem := b.memTile(from.Col, 1, 1, 2, object)
	in = b.fifo(program.FIFO{Name: name + "_in", Producer: from, Consumers: []program.Coord{mem}, Depth: 2,
		Object: object})
	out = b.fifo(program.FIFO{Name: name + "_out", Producer: mem, Consumers: []program.Coord{to}, Depth: 2,
		Object: object})
	b.p.Links = append(b.p.Links, program.Link{Tile: mem, In: []int{in}, Out: []int{out}})
	return in, out
}

// sourceOf is the order in which a move reads its source: the order of the result.
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
