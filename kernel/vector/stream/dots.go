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

// Streams is how many columns are read at once. Lines of each are fetched ahead into the second-level cache: fetches into
// the first-level cache take what the core has for misses of loads. A Zen 4 core gets 31 GB a second so from large pages
// and 26 from pages of 4 KiB; 28 and 24 from eight streams.
const (
	Streams = 4
	Longest = 2 << 20 // bytes of columns that units read together at most
)

// Columns divides count columns, each with a number of products, among streams. A part is a call of machine code: its
// streams begin with the first column, lie apart columns apart, and have the given columns each. A column left over is
// a part, in which all streams are that column.
func Columns(count, products, streams int, part func(first, columns, apart int)) {
	each, most := count/streams, max(1, (1<<20)/(products*streams))
	for first := 0; first < each; first += most {
		part(first, min(most, each-first), each)
	}
	for first := each * streams; first < count; first++ {
		part(first, 1, 0)
	}
}

// Places are the addresses of streams that lie the given bytes apart.
func Places(b *vector.Builder, first, apart vector.Val, streams int) []vector.Val {
	list := []vector.Val{first}
	for len(list) < streams {
		list = append(list, b.Op(vector.WordAdd, list[len(list)-1], apart))
	}
	return list
}

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (d *Dots) Build(t vector.Backend) (*Code, error) { return d.build(t, d.write) }

func (d *Dots) write(w *writer) {
	if d.Epilogue != nil {
		panic("BUG: stream: sums of columns are stored")
	}
	w.Loop(w.Arg(wordGroups), 1, []vector.Val{w.Arg(wordMatrix), w.Arg(wordSums)}, func(_ vector.Val, c []vector.Val) []vector.Val {
		sums, each := d.sums(w, c[0]), min(Streams, 16/d.Kind.Size())
		for i, to := range Places(w.Builder, c[1], w.Arg(wordSumsApart), Streams) {
			if i%each == 0 {
				sums[i] = fold.Sums(w.Builder, sums[i:i+each])
			} else {
				sums[i] = w.OpImm(vector.Rotate, 1, sums[i-1])
			}
			w.Store(sums[i], to, vector.Access{Count: 1})
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
	columns := func(first vector.Val) []vector.Val { return Places(w.Builder, first, w.Arg(wordApart), Streams) }
	add := func(columns []vector.Val, x vector.Val, step, count int) {
		for i, column := range columns {
			d.Add(w.Builder, x, w.load(d.Matrix, column, step*bytes, count), sums[i])
		}
	}
	last := w.Loop(w.Word(full/once), 1, []vector.Val{w.Arg(wordX), first}, func(_ vector.Val, c []vector.Val) []vector.Val {
		list := columns(c[1])
		for _, column := range list {
			w.Prefetch(column, w.ahead)
		}
		for step := range once {
			add(list, w.load(d.X, c[0], step*w.Lanes()*d.X.Size(), 0), step, 0)
		}
		return []vector.Val{w.Offset(c[0], once*w.Lanes()*d.X.Size()), w.Offset(c[1], once*bytes)}
	})
	if rest := d.Depth % w.Lanes(); rest > 0 {
		add(columns(last[1]), w.load(d.X, last[0], 0, rest), 0, rest)
	}
	return sums
}
