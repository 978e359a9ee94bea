package build

import (
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// Piece is the part of an array that one task fetches, where the array is read in an order of its own: a box of the
// loop nest, gone over in an order that a DMA can follow, with steps forwards and by whole words. The core puts the
// elements in their places.
type Piece struct {
	Offset int           // of the first element, from the one with the lowest address
	Dims   []program.Dim // how the elements follow each other in the array
	At     int           // the place of the first element in the tile
	Places []int         // by dimension: from one element's place to the next
}

// Elements returns the number of elements of the piece.
func (p *Piece) Elements() int {
	n := 1
	for _, d := range p.Dims {
		n *= d.Size
	}
	return n
}

// Pieces cuts count units of a walk, from the start-th, over elements of size bytes
// into pieces, in the order in which they arrive.
func Pieces(w *workload.Walk, size, start, count int) []Piece {
	return Points(w, size, start*w.Row(), count*w.Row())
}

// Points is [Pieces] for count points of the walk from the start-th.
func Points(w *workload.Walk, size, start, count int) []Piece {
	var out []Piece
	done := 0
	boxes(w.Loops(), start, count, func(at int, dims []program.Dim) {
		p := Piece{Offset: w.First() + at, Dims: dims, At: done, Places: make([]int, len(dims))}
		for i, place := len(dims)-1, 1; i >= 0; i-- {
			p.Places[i] = place
			place *= dims[i].Size
		}
		done += p.Elements()
		p.forwards()
		if w.Carried(size) > size {
			out = append(out, p.phases(size)...)
			return
		}
		out = append(out, p)
	})
	return out
}

// forwards turns dimensions round that go backwards.
func (p *Piece) forwards() {
	for i, d := range p.Dims {
		if d.Stride < 0 {
			p.Offset += (d.Size - 1) * d.Stride
			p.At += (d.Size - 1) * p.Places[i]
			p.Dims[i].Stride, p.Places[i] = -d.Stride, -p.Places[i]
		}
	}
}

// phases cuts a piece into those whose elements lie whole words apart: of a
// dimension that steps by three bytes, every fourth element.
func (p *Piece) phases(size int) []Piece {
	out := []Piece{*p}
	for i, d := range p.Dims {
		k := 1
		for d.Stride*k*size%workload.Word != 0 {
			k++
		}
		var next []Piece
		for _, q := range out {
			for phase := range min(k, d.Size) {
				r := q
				r.Dims = append([]program.Dim(nil), q.Dims...)
				r.Places = append([]int(nil), q.Places...)
				r.Offset += phase * d.Stride
				r.At += phase * q.Places[i]
				r.Dims[i] = dim(up(d.Size-phase, k), d.Stride*k)
				r.Places[i] *= k
				next = append(next, r)
			}
		}
		out = next
	}
	return out
}

// Each calls visit for the places in the tile of the piece's elements, in the order
// in which they arrive.
func (p *Piece) Each(visit func(place int)) {
	index := make([]int, len(p.Dims))
	for range p.Elements() {
		place := p.At
		for i, n := range index {
			place += n * p.Places[i]
		}
		visit(place)
		for i := len(index) - 1; i >= 0; i-- {
			if index[i]++; index[i] < p.Dims[i].Size {
				break
			}
			index[i] = 0
		}
	}
}

// boxes cuts count consecutive points of a loop nest, from the start-th, into as
// few boxes as there are changes of carry.
func boxes(loops []workload.Loop, start, count int, visit func(at int, dims []program.Dim)) {
	for count > 0 {
		inside, d := 1, len(loops)-1
		for ; d >= 0; d-- {
			whole := inside * loops[d].Size
			if start%whole != 0 || count < whole {
				break
			}
			inside = whole
		}
		var dims []program.Dim
		points := inside
		if d >= 0 {
			k := min(count/inside, loops[d].Size-start/inside%loops[d].Size)
			dims = append(dims, dim(k, loops[d].Stride))
			points *= k
		}
		for _, l := range loops[d+1:] {
			dims = append(dims, dim(l.Size, l.Stride))
		}
		if len(dims) == 0 {
			dims = []program.Dim{dim(1, 1)}
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
