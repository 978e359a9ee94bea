package program

import "github.com/go-acap/acap/device/acap/workload"

// walkTask moves the tile at unit offset of an array that is read in an order of
// its own, filled up to the stream's object.
func (s *share) walkTask(f int, m member, offset int, size Object) int {
	walk := m.stream.Walk
	var row []Dim
	if m.each > 1 {
		for _, l := range walk.Inner {
			row = append(row, Dim{l.Size, l.Stride})
		}
	}
	id := -1
	count := max(0, min(s.tile, s.extent()-offset))
	boxes(walk.Outer, offset, count, func(at int, dims []Dim) {
		if s.err == nil {
			id = s.task(f, m.arg, at, append(dims, row...)...)
		}
	})
	s.fill(f, size.Bytes()-count*m.each*m.stream.DType.Size())
	return id
}

// boxes cuts count consecutive points of a loop nest, from the start-th, into as
// few boxes as there are changes of carry.
func boxes(loops []workload.Loop, start, count int, visit func(at int, dims []Dim)) {
	for count > 0 {
		inside, d := 1, len(loops)-1
		for ; d >= 0; d-- {
			whole := inside * loops[d].Size
			if start%whole != 0 || count < whole {
				break
			}
			inside = whole
		}
		var dims []Dim
		points := inside
		if d >= 0 {
			k := min(count/inside, loops[d].Size-start/inside%loops[d].Size)
			dims = append(dims, Dim{k, loops[d].Stride})
			points *= k
		}
		for _, l := range loops[d+1:] {
			dims = append(dims, Dim{l.Size, l.Stride})
		}
		if len(dims) == 0 {
			dims = []Dim{{1, 1}}
		}
		at, rest := 0, start
		for i := len(loops) - 1; i >= 0; i-- {
			at += rest % loops[i].Size * loops[i].Stride
			rest /= loops[i].Size
		}
		visit(at, dims)
		start, count = start+points, count-points
	}
}

// holds reports whether every core keeps a table of its own: tables have a channel
// to themselves, and three quarters of the core's memory hold all of them.
func (s *share) holds(in workload.Stream) bool {
	if in.Table == 0 || s.wide {
		return false
	}
	tables, largest, others := 0, 0, false
	for _, o := range s.kernel.Inputs() {
		if o.Table > 0 {
			tables, largest = tables+1, max(largest, o.Table*o.DType.Size())
		}
		others = others || o.Walk != nil || o.Elements > 1
	}
	channels := min(s.machine.Core.In.Int(), s.machine.Shim.Out.Int())
	return (!others || channels > 1) && tables*largest <= s.machine.Core.Memory.Int()*3/4
}
