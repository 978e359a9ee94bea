package stream

import (
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Dots is the dot products of the vector with columns of some streams, which are far from each other. Each stream goes
// on from a column to the next, and is fetched ahead: a processor fetches long streams ahead by itself, but ends with each
// page. A register sums each column. The sums are stored.
type Dots struct {
	Operands
	Depth  int
	Column int // bytes from a column of a stream to the next
}

// Streams is how many columns are read at once, and ahead how many bytes ahead lines of each are fetched, into the
// second-level cache. A Zen 4 core gets 31 GB a second so from large pages and 26 from pages of 4 KiB; 28 and 24 from
// eight streams, or with lines 2 KiB ahead.
const (
	Streams = 4
	ahead   = 1024
)

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (d *Dots) Build(t vector.Backend) (*Code, error) { return d.build(t, d.write) }

func (d *Dots) write(w *writer) {
	if d.Epilogue != nil {
		panic("BUG: stream: sums of columns are stored")
	}
	w.Loop(w.Arg(wordGroups), 1, []vector.Val{w.Arg(wordMatrix), w.Arg(wordSums)}, func(_ vector.Val, c []vector.Val) []vector.Val {
		sums, each, to := d.sums(w, c[0]), min(Streams, 16/d.Kind.Size()), c[1]
		for i := range sums {
			if i%each == 0 {
				sums[i] = fold.Sums(w.Builder, sums[i:i+each])
			} else {
				sums[i] = w.OpImm(vector.Rotate, 1, sums[i-1])
			}
			w.Store(sums[i], to, vector.Access{Count: 1})
			to = w.Op(vector.WordAdd, to, w.Arg(wordSumsApart))
		}
		return []vector.Val{w.Offset(c[0], d.Column), w.Offset(c[1], d.Kind.Size())}
	})
}

// sums writes the sums of the products of the vector with columns, the first of which is at an address, each lane by lane.
func (d *Dots) sums(w *writer, first vector.Val) []vector.Val {
	full, once := d.Depth/w.Lanes(), max(1, schedule.CacheLine/(w.Lanes()*d.Matrix.Size())) // vectors of a line of the cache
	if full%once != 0 {
		once = 1
	}
	bytes, sums := w.Lanes()*d.Matrix.Size(), w.Zeros(d.Kind, Streams)
	each := func(column vector.Val, do func(i int, column vector.Val)) {
		for i := range sums {
			do(i, column)
			column = w.Op(vector.WordAdd, column, w.Arg(wordApart))
		}
	}
	add := func(c []vector.Val, x vector.Val, step, count int) {
		each(c[1], func(i int, column vector.Val) {
			d.Add(w.Builder, x, w.load(d.Matrix, column, step*bytes, count), sums[i])
		})
	}
	last := w.Loop(w.Word(full/once), 1, []vector.Val{w.Arg(wordX), first}, func(_ vector.Val, c []vector.Val) []vector.Val {
		each(c[1], func(_ int, column vector.Val) { w.Prefetch(column, ahead) })
		for step := range once {
			add(c, w.load(d.X, c[0], step*w.Lanes()*d.X.Size(), 0), step, 0)
		}
		return []vector.Val{w.Offset(c[0], once*w.Lanes()*d.X.Size()), w.Offset(c[1], once*bytes)}
	})
	if rest := d.Depth % w.Lanes(); rest > 0 {
		add(last, w.load(d.X, last[0], 0, rest), 0, rest)
	}
	return sums
}
