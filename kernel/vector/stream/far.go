package stream

import "github.com/go-acap/acap/kernel/vector"

// Far is the dot products of the vector with columns of some streams, which are far from each other. Each stream goes
// on from a column to the next: a processor fetches several long streams ahead by itself. The sums are stored.
type Far struct{ Dots }

// Streams is how many columns are read at once.
const Streams = 4

// Build makes the code, for sums of f32 or i32. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (f *Far) Build(t vector.Backend) (*Code, error) { return f.build(t, f.write) }

func (f *Far) write(w *writer) {
	if f.Epilogue != nil || f.Columns != 0 {
		panic("BUG: stream: sums of far columns are stored, and each stream has as many columns")
	}
	columns := []vector.Val{w.Arg(wordMatrix)}
	sums := []vector.Val{w.Arg(wordSums)}
	for range Streams - 1 {
		columns = append(columns, w.Op(vector.WordAdd, columns[len(columns)-1], w.Arg(wordApart)))
		sums = append(sums, w.Op(vector.WordAdd, sums[len(sums)-1], w.Arg(wordSumsApart)))
	}
	w.Loop(w.Arg(wordGroups), 1, append(columns, sums...), func(_ vector.Val, c []vector.Val) []vector.Val {
		v := joined(w, f.sums(w, c[:Streams], Streams))
		var next []vector.Val
		for i := range Streams {
			one := v
			if i > 0 {
				one = w.OpImm(vector.Rotate, i, v)
			}
			w.Store(one, c[Streams+i], vector.Access{Count: 1})
			next = append(next, w.Offset(c[i], f.Column))
		}
		for i := range Streams {
			next = append(next, w.Offset(c[Streams+i], f.Kind.Size()))
		}
		return next
	})
}

// joined adds the lanes of each of four vectors, halves upon halves as [Dots] adds them: lane i has the sum of vector
// i.
func joined(w *writer, v []vector.Val) vector.Val {
	for half := w.Lanes() / 2; half >= Streams; half /= 2 {
		for i := range v {
			v[i] = w.Op(vector.Add, v[i], w.OpImm(vector.Rotate, half, v[i]))
		}
	}
	halves := func(size int, x, y vector.Val) vector.Val {
		return w.Op(vector.Add, w.Into(vector.Zip1, x.Kind, size, x, y), w.Into(vector.Zip2, x.Kind, size, x, y))
	}
	return halves(8, halves(4, v[0], v[1]), halves(4, v[2], v[3]))
}
