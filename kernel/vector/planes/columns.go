package planes

import "github.com/go-acap/acap/kernel/vector"

// columns loads the columns of a row that a column of the filter meets in the strip from a column on. It returns false
// if all of them lie outside the image.
func (w *writer) columns(image vector.Val, y, column, s int) (vector.Val, bool) {
	strip := column * w.Stride[1]
	at := w.Offset(image, (y*w.X.Strides[2]-strip)*f32)
	first := strip + s*w.Dilation[1] - w.Pad[1]
	low, some := w.run(at, first)
	if w.Stride[1] == 1 {
		return low, some
	}
	high, more := w.run(at, first+w.lanes)
	if !some && !more {
		return low, false
	}
	return w.second(low, high), true
}

// second gives every second lane of two vectors.
func (w *writer) second(low, high vector.Val) vector.Val {
	if w.Has(vector.Permute2, vector.F32, vector.None) {
		return w.Op(vector.Permute2, low, high, w.even)
	}
	parts := w.OpImm(vector.Unzip1, f32, low, high) // of each 16 bytes of one, then of the other
	if w.lanes == partLanes {
		return parts
	}
	return w.Op(vector.Permute, parts, w.even)
}

const partLanes = 4 // of 16 bytes

// evenLanes are the numbers of every second lane of two vectors; without an instruction for two vectors, where the pairs
// of these lanes are when both vectors' have been picked in each 16 bytes.
func (w *writer) evenLanes() vector.Val {
	words := make([]uint64, w.lanes/2) // two numbers in each
	for i := range words {
		words[i] = uint64(4*i) | uint64(4*i+2)<<32
	}
	if !w.Has(vector.Permute2, vector.F32, vector.None) {
		for i := range words {
			pair := i%(len(words)/2)*2 + i/(len(words)/2)
			words[i] = uint64(2*pair) | uint64(2*pair+1)<<32
		}
	}
	return w.Load(vector.I32, w.Table(words), vector.Access{Still: true})
}

// run loads the columns side by side from x on, zeros where they lie outside the image. It returns false if all do. A
// vector that reaches beyond an edge is moved there from the columns at the edge.
func (w *writer) run(row vector.Val, x int) (vector.Val, bool) {
	zero := w.Float(vector.F32, 0)
	inside := min(x+w.lanes, w.W) - max(x, 0)
	load := func(x, count int) vector.Val {
		return w.Load(vector.F32, row, vector.Access{Offset: x * f32, Count: count % w.lanes})
	}
	switch {
	case inside <= 0:
		return zero, false
	case x >= 0 && inside == w.lanes:
		return load(x, w.lanes), true
	case x < 0:
		return w.OpImm(vector.Slide, -x, load(0, min(w.lanes, w.W)), zero), true
	case w.W >= w.lanes:
		return w.OpImm(vector.Slide, inside, zero, load(w.W-w.lanes, w.lanes)), true
	}
	return load(x, inside), true
}
