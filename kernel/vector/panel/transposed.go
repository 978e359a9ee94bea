package panel

import (
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/transpose"
)

// Transposed copies a matrix whose lines are contiguous so that cells of other lines stand side by side. Whole vectors
// are written: what the matrix does not have is 0 in the copy.
type Transposed struct {
	Cells
	Along bool // lines run along the depth, otherwise across it
	Depth int  // elements of the sum
	Side  int  // lines along the depth, or elements of one across it
	Line  int  // bytes from a line to the next
	Out   int  // bytes from a line of the copy to the next
}

// squareBytes is the length of a line of a square at most: two short vectors are transposed in the time of a long one,
// by fewer instructions.
const squareBytes = 32

// square is how many lines a square has.
func (s Transposed) square(t vector.Backend) int {
	return min(t.VectorBytes(), squareBytes) / s.Bytes()
}

// Reach is the distance from an address that copies of a matrix need at most.
func (s Transposed) Reach(t vector.Backend) int {
	return max(s.Line*s.Group, s.Out) * (s.square(t) + 1)
}

// The words of the call block.
const (
	transposedFrom = iota
	transposedTo
	transposedDepth     // whole runs of the depth: a vector of lines, a square of cells
	transposedDepthTail // 1 if more cells follow
	transposedSide      // whole runs of the side
	transposedSideTail  // 1 if more cells follow
	transposedWords
)

// TransposedCode is code of [Transposed].
type TransposedCode struct {
	code
	Transposed
	depth, side int // of the least that is copied without a tail
}

// Build makes the code.
func (s Transposed) Build(t vector.Backend) (*TransposedCode, error) {
	square := s.square(t)
	c, err := build(t, func() *vector.Program { return s.program(square, s.lanes(t)) }, transposedWords)
	made := &TransposedCode{c, s, s.lanes(t) * s.Group, square}
	if s.Along {
		made.depth, made.side = square*s.Group, s.lanes(t)
	}
	return made, err
}

// Copy copies depth by side elements: all of a dimension of the matrix, or fewer that fill vectors or have the same
// rest.
func (c *TransposedCode) Copy(from, to uintptr, depth, side int) {
	c.call(from, to, uintptr(depth/c.depth), uintptr(min(1, depth%c.depth)), uintptr(side/c.side), uintptr(min(1, side%c.side)))
}

// dimension is the depth or the side of a matrix.
type dimension struct {
	runs, tail vector.Val // words of the call block
	cells      int
	rest       int // elements of the last cell if it has fewer than others, otherwise 0
	from, to   int // bytes from a cell to the next
}

func (s Transposed) program(square, whole int) *vector.Program {
	b := vector.NewBuilder("transposed", square)
	depth := dimension{runs: b.Arg(transposedDepth), tail: b.Arg(transposedDepthTail),
		cells: (s.Depth + s.Group - 1) / s.Group, rest: s.Depth % s.Group, from: s.Group * s.Line, to: s.Bytes()}
	side := dimension{runs: b.Arg(transposedSide), tail: b.Arg(transposedSideTail),
		cells: s.Side, from: s.From.Size(), to: s.Out}
	lines, cells := &depth, &side
	if s.Along {
		depth.from, depth.to, side.from, side.to = s.Group*s.From.Size(), s.Out, s.Line, s.Bytes()
		lines, cells = &side, &depth
	}
	lines.cover(b, whole, b.Arg(transposedFrom), b.Arg(transposedTo), func(from, to vector.Val, n, rest int) {
		cells.cover(b, square, from, to, func(from, to vector.Val, cells, more int) {
			if n <= square {
				s.copy(b, from, to, n, cells, max(rest, more))
				return
			}
			b.Loop(b.Word(n/square), 1, []vector.Val{from, to}, func(_ vector.Val, at []vector.Val) []vector.Val {
				s.copy(b, at[0], at[1], square, cells, more)
				return []vector.Val{b.Offset(at[0], square*lines.from), b.Offset(at[1], square*lines.to)}
			})
		})
	})
	return b.Optimised()
}

// cover writes the parts of a dimension: runs of equal length, and a shorter tail, whose last cell may have fewer
// elements. The tail is written by squares, with empty ones up to a whole run.
func (d *dimension) cover(b *vector.Builder, run int, from, to vector.Val, part func(from, to vector.Val, cells, rest int)) {
	at, whole := []vector.Val{from, to}, d.cells
	if d.rest > 0 {
		whole--
	}
	whole -= whole % run
	if whole > 0 {
		at = b.Loop(d.runs, 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
			part(at[0], at[1], run, 0)
			return []vector.Val{b.Offset(at[0], run*d.from), b.Offset(at[1], run*d.to)}
		})
	}
	if d.cells == whole {
		return
	}
	b.When(d.tail, func() {
		for n := 0; n < run; n += b.Lanes() {
			left, rest := d.cells-whole-n, 0
			if left <= b.Lanes() {
				rest = d.rest
			}
			part(b.Offset(at[0], n*d.from), b.Offset(at[1], n*d.to), max(0, min(b.Lanes(), left)), rest)
		}
	})
}

// copy writes the copy of a square, or of a part of one, to as many lines as its lines have cells. If rest is not 0,
// the last cell of the depth has rest elements.
func (s Transposed) copy(b *vector.Builder, from, to vector.Val, lines, cells, rest int) {
	if s.Along && rest > 0 {
		last := cells - 1
		s.copy(b, from, to, lines, last, 0)
		from = b.Offset(from, last*s.Group*s.From.Size())
		s.store(b, b.Offset(to, last*s.Out), 1, lines, func(line int) vector.Val { return s.part(b, from, line*s.Line, rest) })
		return
	}
	some := cells % b.Lanes()
	s.store(b, to, cells, lines, func(line int) vector.Val {
		switch {
		case s.Along:
			return s.along(b, from, line*s.Line, some)
		case rest > 0 && line == lines-1:
			return s.across(b, from, line*s.Group*s.Line, s.Line, rest, some)
		}
		return s.across(b, from, line*s.Group*s.Line, s.Line, s.Group, some)
	})
}

// store writes the first cells of some lines.
func (s Transposed) store(b *vector.Builder, to vector.Val, cells, lines int, line func(line int) vector.Val) {
	rows := make([]vector.Val, b.Lanes())
	for i := range rows {
		if i < lines {
			rows[i] = line(i)
		} else {
			rows[i] = b.Bits(s.kind(), 0)
		}
	}
	if lines > 0 {
		rows = transpose.Square(b, rows)
	}
	for i, v := range rows[:cells] {
		b.Store(v, to, vector.Access{Offset: i * s.Out})
	}
}
