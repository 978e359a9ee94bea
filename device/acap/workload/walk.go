package workload

// Walk is an affine order of reading: the loops over tiles' units (points or rows) and the loops within a row,
// outermost first.
type Walk struct{ Outer, Inner []Loop }

// Loop is one loop of a walk: its trips and the elements from one to the next.
type Loop struct{ Size, Stride int }

// Row returns the elements read per unit: 1 when the row does not matter.
func (w *Walk) Row() int {
	n, varies := 1, false
	for _, l := range w.Inner {
		n *= l.Size
		varies = varies || l.Stride != 0 && l.Size > 1
	}
	if !varies {
		return 1
	}
	return n
}

// Loops returns the loops over all that is read, those within a row included if
// they matter.
func (w *Walk) Loops() []Loop {
	if w.Row() == 1 {
		return w.Outer
	}
	return append(append([]Loop(nil), w.Outer...), w.Inner...)
}

// First returns how far the element that is read first lies behind the one with
// the lowest address: loops may go backwards.
func (w *Walk) First() int {
	n := 0
	for _, l := range w.Loops() {
		n += (l.Size - 1) * max(0, -l.Stride)
	}
	return n
}

// Span returns the elements from the lowest address that is read to the highest.
func (w *Walk) Span() int {
	n := 1
	for _, l := range w.Loops() {
		n += (l.Size - 1) * max(l.Stride, -l.Stride)
	}
	return n
}

// Word is the unit of DMA transfers in bytes.
const Word = 4

// whole reports whether elements of size bytes are read in runs of whole words.
func (w *Walk) whole(size int) bool {
	run := true // within the innermost loop that matters
	loops := w.Loops()
	for i := len(loops) - 1; i >= 0; i-- {
		l := loops[i]
		switch {
		case l.Size == 1:
		case run && (l.Stride != 1 || l.Size*size%Word != 0), !run && l.Stride*size%Word != 0:
			return false
		default:
			run = false
		}
	}
	return true
}

// Carried returns the bytes in which an element of size bytes travels: its size, or
// a whole word if it is shorter and its neighbours are not read along with it.
func (w *Walk) Carried(size int) int {
	if size < Word && !w.whole(size) {
		return Word
	}
	return size
}

// Reach returns where the n-th point of a loop nest lies.
func Reach(loops []Loop, n int) int {
	at := 0
	for i := len(loops) - 1; i >= 0; i-- {
		at += n % loops[i].Size * loops[i].Stride
		n /= loops[i].Size
	}
	return at
}
