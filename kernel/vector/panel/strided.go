package panel

import (
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel/vector"
)

// Strided copies a matrix of any strides: by a vector program if its lines run the other way than the copy's, and are
// contiguous, otherwise element by element. Whole vectors are written: what the matrix does not have is 0 in the copy.
type Strided struct {
	Cells
	Columns      bool // lines of the copy have cells of the side, otherwise of the depth
	Depth, Side  int  // elements
	Deep, Across int  // elements from one to the next of the depth, and of the side
	Out          int  // bytes from a line of the copy to the next
}

// StridedCode is code of [Strided].
type StridedCode struct {
	Strided
	transposed *TransposedCode // nil if elements are copied one by one
	padded     int             // elements of the least line
	move       func(to, from unsafe.Pointer)
}

// Build makes the code. Who made the backend frees a program: it is one of [vector.Code.On] or [vector.Parts].
func (s Strided) Build(t vector.Backend) (c *StridedCode, err error) {
	c = &StridedCode{Strided: s, padded: s.lanes(t), move: converter(s.From, s.To)}
	along, line := s.Across, s.Deep
	if s.Columns {
		along, line = s.Deep, s.Across
	} else {
		c.padded *= s.Group
	}
	m := Transposed{Cells: s.Cells, Along: s.Columns, Depth: s.Depth, Side: s.Side, Line: line * s.From.Size(), Out: s.Out}
	if along == 1 && line > 0 && s.Possible() && m.Reach(t) < math.MaxInt32 {
		c.transposed, err = m.Build(t)
	}
	return c, err
}

// Vectors reports whether a vector program copies.
func (c *StridedCode) Vectors() bool { return c.transposed != nil }

// Copy copies depth by side elements: all of a dimension of the matrix, or fewer that fill vectors or have the same
// rest.
func (c *StridedCode) Copy(from, to unsafe.Pointer, depth, side int) {
	size := c.From.Size()
	switch {
	case c.transposed != nil:
		c.transposed.Copy(uintptr(from), uintptr(to), depth, side)
	case c.Columns:
		for i := range (depth + c.Group - 1) / c.Group * c.Group {
			n := side
			if i >= depth {
				n = 0
			}
			at := i/c.Group*c.Out + i%c.Group*c.To.Size()
			c.line(unsafe.Add(from, i*c.Deep*size), unsafe.Add(to, at), c.Across, c.Bytes(), n, side)
		}
	default:
		for i := range side {
			c.line(unsafe.Add(from, i*c.Across*size), unsafe.Add(to, i*c.Out), c.Deep, c.To.Size(), depth, depth)
		}
	}
}

// line copies n elements of a line that has room for some, from elements that lie step apart to places that lie apart
// bytes apart, and fills the line up with zeros.
func (c *StridedCode) line(from, to unsafe.Pointer, step, apart, n, some int) {
	size, rest := c.To.Size(), (some+c.padded-1)/c.padded*c.padded-n
	if step == 1 && apart == size && c.From == c.To {
		copy(unsafe.Slice((*byte)(to), n*size), unsafe.Slice((*byte)(from), n*size))
	} else {
		for i := range n {
			c.move(unsafe.Add(to, i*apart), unsafe.Add(from, i*step*c.From.Size()))
		}
	}
	to = unsafe.Add(to, n*apart)
	if apart == size {
		clear(unsafe.Slice((*byte)(to), rest*size))
		return
	}
	for i := range rest {
		clear(unsafe.Slice((*byte)(unsafe.Add(to, i*apart)), size))
	}
}
