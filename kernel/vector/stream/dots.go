package stream

import (
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Dots is the dot products of the vector with columns of some streams, which are far from each other. Each stream goes
// on from a column to the next: a processor fetches several long streams ahead by itself, and runs of columns side by
// side are too short for that. A register sums each column. The sums are stored.
type Dots struct {
	Operands
	Depth  int
	Column int // bytes from a column of a stream to the next
}

// Streams is how many columns are read at once.
const Streams = 4

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (d *Dots) Build(t vector.Backend) (*Code, error) { return d.build(t, d.write) }

func (d *Dots) write(w *writer) {
	if d.Epilogue != nil {
		panic("BUG: stream: sums of columns are stored")
	}
	at := []vector.Val{w.Arg(wordMatrix), w.Arg(wordSums)}
	places := append([]vector.Val(nil), at...) // of the columns and of their sums, by turns
	for range Streams - 1 {
		at = []vector.Val{w.Op(vector.WordAdd, at[0], w.Arg(wordApart)), w.Op(vector.WordAdd, at[1], w.Arg(wordSumsApart))}
		places = append(places, at...)
	}
	w.Loop(w.Arg(wordGroups), 1, places, func(_ vector.Val, c []vector.Val) (next []vector.Val) {
		var columns [Streams]vector.Val
		for i := range columns {
			columns[i] = c[2*i]
		}
		sums, each := d.sums(w, columns), min(Streams, 16/d.Kind.Size())
		for i := range columns {
			v := sums[i/each*each]
			if i%each == 0 {
				v = fold.Sums(w.Builder, sums[i:i+each])
				sums[i] = v
			} else {
				v = w.OpImm(vector.Rotate, i%each, v)
			}
			w.Store(v, c[2*i+1], vector.Access{Count: 1})
			next = append(next, w.Offset(columns[i], d.Column), w.Offset(c[2*i+1], d.Kind.Size()))
		}
		return next
	})
}

// sums writes the sums of the products of the vector with columns, each lane by lane.
func (d *Dots) sums(w *writer, columns [Streams]vector.Val) []vector.Val {
	full, once := d.Depth/w.Lanes(), max(1, schedule.CacheLine/(w.Lanes()*d.Matrix.Size())) // vectors of a line of the cache
	if full%once != 0 || d.Matrix.Size() == d.Kind.Size() {                                 // f32 comes fast enough
		once = 1
	}
	bytes, sums := w.Lanes()*d.Matrix.Size(), w.Zeros(d.Kind, Streams)
	carried := append([]vector.Val{w.Arg(wordX)}, columns[:]...)
	add := func(c []vector.Val, x vector.Val, step, count int) {
		for i := range columns {
			d.Add(w.Builder, x, w.load(d.Matrix, c[1+i], step*bytes, count), sums[i])
		}
	}
	last := w.Loop(w.Word(full/once), 1, carried, func(_ vector.Val, c []vector.Val) []vector.Val {
		for step := range once {
			add(c, w.load(d.X, c[0], step*w.Lanes()*d.X.Size(), 0), step, 0)
		}
		next := append([]vector.Val(nil), c...)
		next[0] = w.Offset(c[0], once*w.Lanes()*d.X.Size())
		for i := range columns {
			next[1+i] = w.Offset(c[1+i], once*bytes)
		}
		return next
	})
	if rest := d.Depth % w.Lanes(); rest > 0 {
		add(last, w.load(d.X, last[0], 0, rest), 0, rest)
	}
	return sums
}
