package stream

import (
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// Dots is the dot products of the vector with groups of columns, as many as a vector has lanes. A register sums each
// column; transposing the registers makes the last additions vertical. Distances are bytes.
type Dots struct {
	Operands
	Depth   int
	Column  int // between columns
	Columns int // of the last group, 0 if it has all
}

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (d *Dots) Build(t vector.Backend) (*Code, error) { return d.build(t, d.write) }

func (d *Dots) write(w *writer) {
	w.groups(w.Lanes()*d.Column, w.Lanes(), d.Columns > 0, func(at place, last bool) {
		columns := w.Lanes()
		if last {
			columns = d.Columns
		}
		sums := d.sums(w, []vector.Val{at.matrix}, columns)
		for len(sums) < w.Lanes() {
			sums = append(sums, w.Bits(d.Kind, 0))
		}
		sums = transpose.Square(w.Builder, sums)
		for n := len(sums) / 2; n > 0; n /= 2 {
			for i := range n {
				sums[i] = w.Op(vector.Add, sums[i], sums[i+n])
			}
		}
		w.finish(sums[0], at, 0, columns%w.Lanes())
	})
}

// sums writes the sums of the products of the vector with columns, each lane by lane. The columns have an address each, or
// lie side by side behind one: runs that are too short for the processor to fetch the next ones ahead.
func (d *Dots) sums(w *writer, addresses []vector.Val, columns int) []vector.Val {
	adjacent, widens := len(addresses) == 1, d.Matrix.Size() < d.Kind.Size()
	full, once := d.Depth/w.Lanes(), max(1, schedule.CacheLine/(w.Lanes()*d.Matrix.Size())) // vectors of a line of the cache
	if full%once != 0 || !widens {                                                          // f32 comes fast enough
		once = 1
	}
	bytes, sums := w.Lanes()*d.Matrix.Size(), w.Zeros(d.Kind, columns)
	carried := append([]vector.Val{w.Arg(wordX)}, addresses...)
	at := func(c []vector.Val, i int) (address vector.Val, offset int) {
		if adjacent {
			return c[1], i * d.Column
		}
		return c[1+i], 0
	}
	add := func(c []vector.Val, x vector.Val, step, count int) {
		for i := range columns {
			from, offset := at(c, i)
			d.Add(w.Builder, x, w.load(d.Matrix, from, offset+step*bytes, count), sums[i])
		}
	}
	last := w.Loop(w.Word(full/once), 1, carried, func(_ vector.Val, c []vector.Val) []vector.Val {
		if adjacent && widens && once*bytes == schedule.CacheLine {
			for i := range columns {
				from, offset := at(c, i)
				w.PrefetchNear(from, offset+columns*d.Column)
			}
		}
		for step := range once {
			add(c, w.load(d.X, c[0], step*w.Lanes()*d.X.Size(), 0), step, 0)
		}
		next := append([]vector.Val(nil), c...)
		next[0] = w.Offset(c[0], once*w.Lanes()*d.X.Size())
		for i := range addresses {
			next[1+i] = w.Offset(c[1+i], once*bytes)
		}
		return next
	})
	if rest := d.Depth % w.Lanes(); rest > 0 {
		add(last, w.load(d.X, last[0], 0, rest), 0, rest)
	}
	return sums
}
