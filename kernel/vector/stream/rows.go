package stream

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// Rows adds up some rows of a matrix, times their elements of the vector, and sums that wait: groups of as many vectors
// of columns as there are sums in registers. Without rows, sums that wait go through the epilogue. Distances are bytes.
type Rows struct {
	Operands
	Rows    int
	XStep   int // between elements of the vector
	Row     int // between rows
	Vectors int // of a group
	Columns int // of the last group, 0 if it has all
}

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (r *Rows) Build(t vector.Backend) (*Code, error) { return r.build(t, r.write) }

func (r *Rows) write(w *writer) {
	_, mem := vector.Element(r.X)
	x := make([]vector.Val, r.Rows)
	for row := range x {
		x[row] = w.Splat(r.Kind, w.Arg(wordX), vector.Access{Mem: mem, Offset: row * r.XStep})
	}
	columns := r.Vectors * w.Lanes()
	w.groups(columns*r.Matrix.Size(), columns, r.Columns > 0, func(at place, last bool) {
		vectors, tail := r.Vectors, 0
		if last {
			vectors, tail = kernel.Pieces(r.Columns, w.Lanes()), r.Columns%w.Lanes()
		}
		r.group(w, x, at, vectors, tail)
	})
}

// group writes a group of vectors. The last vector has tail lanes in use, or all if tail is 0.
func (r *Rows) group(w *writer, x []vector.Val, at place, vectors, tail int) {
	sums := w.Zeros(r.Kind, vectors)
	for j := range sums {
		w.SetLoad(sums[j], at.sums, vector.Access{Offset: j * w.vectorBytes()})
	}
	for row, x := range x {
		for j := range sums {
			count := 0
			if j == vectors-1 {
				count = tail
			}
			y := w.load(r.Matrix, at.matrix, row*r.Row+j*w.Lanes()*r.Matrix.Size(), count)
			r.Add(w.Builder, x, y, sums[j])
		}
	}
	for j, sum := range sums {
		count := 0
		if j == vectors-1 {
			count = tail
		}
		w.finish(sum, at, j, count)
	}
}
