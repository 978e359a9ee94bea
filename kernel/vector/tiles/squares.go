package tiles

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Squares is the code of tiles on processors that multiply squares in registers: one or two squares of 16 rows of A by
// panels of two squares of 16 columns. The squares of sums are multiplied, stored, and read again by the epilogue.
// Distances are bytes.
type Squares struct {
	Dot           vector.Op   // that multiplies tiles
	Kind          vector.Kind // of the sums
	High          int         // rows of squares at once, 1 or 2: two load 4 squares for 4 products, one 3 for 2
	Low           int         // rows of the last ones, 0 if all have 16 each
	Vectors, Tail int         // of a row of the panel, and the lanes of the last vector that are in use, 0 for all
	Depth         int         // steps, in squares

	ARow, AStep int  // between rows of a square of A, and between its squares along the depth
	ANext       int  // between squares below each other
	BRow, BStep int  // between rows of a square of B, and between its squares along the depth
	BNext       int  // between squares side by side
	Panel       int  // between panels
	FarA, FarB  bool // squares do not stay in the first-level cache

	// Terms are the pairs of pieces, of A and of B, that are multiplied. Each pair shares a piece with the pair before.
	// Pieces of A are PieceA apart, pieces of B PieceB.
	Terms          [][2]int
	PieceA, PieceB int
	Together       bool // squares of sums are multiplied in turn, and share the squares of A and B

	Waits   bool // the sums start at sums that wait
	Sums    int  // between rows of sums that wait, or that the epilogue reads
	Fetches int  // lines of the cache that a step fetches
	Ending
}

// A register that holds something is one less to rename, and a core whose other thread is busy has few of these. So
// terms of pieces, which share what is loaded, are multiplied square by square.

// across is the number of squares side by side.
const across = 2

// Words of the call block.
const (
	squaresA = iota
	squaresB
	squaresPanels
	squaresCount // of all rows
	squaresLow   // 1 if lower ones follow
	squaresMultiply
	squaresFetch
	squaresSums
	squaresPorts
)

// squares writes a program.
type squares struct {
	*Squares
	*vector.Builder
	epilogue *nest.Epilogue
}

// plain reports whether the epilogue stores whole squares as they are, so that these are stored where they belong.
func (s *Squares) plain() bool {
	if s.Epilogue == nil || len(s.Terms) > 1 || !s.whole() {
		return false
	}
	out, ok := nest.RawSums(s.Epilogue, s.sums())
	return ok && out.Outer[s.LaneLoop] == 1
}

// whole reports whether all columns of the panel are in use.
func (s *Squares) whole() bool { return s.Tail == 0 && s.Vectors == across }

// alone reports whether the sums of each row of squares serve the epilogue alone, which reads them at once: they lie
// where the sums of the row before lie.
func (s *Squares) alone() bool { return !s.Waits && s.Epilogue != nil && len(s.Terms) == 1 }

// sums is the type of the sums.
func (s *Squares) sums() dtype.DType {
	if s.Kind == vector.F32 {
		return dtype.F32
	}
	return dtype.I32
}

// program writes the loop over rows of squares.
func (s *Squares) program(t vector.Backend) *vector.Program {
	b := vector.NewBuilder("squares", vector.TileSide).For(t)
	w := &squares{Squares: s, Builder: b}
	w.epilogue = s.In(b)
	w.sizes(w.rows())
	b.Loop(b.Arg(squaresCount), 1, []vector.Val{b.Arg(squaresFetch)}, func(n vector.Val, c []vector.Val) []vector.Val {
		return w.row(n, c, w.rows())
	})
	if s.Low > 0 {
		b.When(b.Arg(squaresLow), func() {
			w.sizes(s.Low)
			w.row(b.Arg(squaresCount), []vector.Val{b.Arg(squaresFetch)}, s.Low)
		})
	}
	b.Do(vector.TileRelease)
	return b.Optimised()
}

// sizes sets the sizes of registers, for squares of some rows of A in all.
func (w *squares) sizes(rows int) {
	w.Do(vector.TileSizes, w.TileTable(func(register int) (int, int) {
		if register >= vector.TileColumns {
			return vector.TileSide, vector.TileRow
		}
		below := register / across
		if register >= vector.TileRows {
			below = register - vector.TileRows
		}
		if n := min(vector.TileSide, rows-below*vector.TileSide); n > 0 {
			return n, vector.TileRow
		}
		return 0, 0
	}))
}

// rows is how many rows squares below each other have.
func (s *Squares) rows() int { return s.High * vector.TileSide }

// row writes the work on squares of some rows in all panels, below n others. It fetches, and returns what is fetched
// next.
func (w *squares) row(n vector.Val, fetch []vector.Val, rows int) []vector.Val {
	below := func(at vector.Val, bytes int) vector.Val { return w.Along(at, n, w.rows()*bytes) }
	a, sums := below(w.Arg(squaresA), w.ANext/vector.TileSide), w.Arg(squaresSums)
	if !w.alone() {
		sums = below(sums, w.Sums)
	}
	var ports []vector.Val
	for i := range w.Ports() {
		ports = append(ports, below(w.Arg(squaresPorts+i), w.RowBytes(i)))
	}
	return w.Loop(w.Arg(squaresPanels), 1, fetch, func(n vector.Val, c []vector.Val) []vector.Val {
		beside := func(at vector.Val, bytes int) vector.Val { return w.Along(at, n, across*vector.TileSide*bytes) }
		sums, at := sums, make([]vector.Val, len(ports))
		if !w.alone() {
			sums = beside(sums, 4)
		}
		for i := range ports {
			at[i] = beside(ports[i], w.LaneBytes(i))
		}
		return []vector.Val{w.square(a, w.Along(w.Arg(squaresB), n, w.Panel), c[0], sums, at, rows)}
	})
}

// square writes the work on squares of some rows in a panel.
func (w *squares) square(a, b, fetch, sums vector.Val, ports []vector.Val, rows int) vector.Val {
	to, toRow := sums, w.Sums
	plain := w.plain()
	if plain {
		to, toRow = ports[0], w.RowBytes(0)
	}
	from := []vector.Val{a, b, fetch}
	if len(w.Terms) > 1 { // or products that are not made of pieces
		w.When(w.Arg(squaresMultiply), func() { w.multiply(from, sums, to, toRow, rows) })
	} else {
		w.multiply(from, sums, to, toRow, rows)
	}
	if !plain && w.Epilogue != nil {
		for first := 0; first < rows; first += vector.TileSide {
			w.finish(sums, ports, first, min(rows, first+vector.TileSide))
		}
	}
	steps := w.Depth
	if !w.Together {
		steps *= across
	}
	return w.Offset(fetch, steps*w.Fetches*64)
}

// finish writes the epilogue of some rows of sums.
func (w *squares) finish(sums vector.Val, ports []vector.Val, first, end int) {
	for j := range w.Vectors {
		count := 0
		if j == w.Vectors-1 {
			count = w.Tail
		}
		for row := first; row < end; row++ {
			v := w.Load(w.Kind, sums, vector.Access{Offset: row*w.Sums + j*w.Lanes()*4})
			w.epilogue.WriteVector(v, ports, w.RowLoop, row, j, count)
		}
	}
}

// multiply writes the sums of squares of some rows to where rows are toRow bytes apart, from A, B, and what is fetched.
func (w *squares) multiply(from []vector.Val, sums, to vector.Val, toRow, rows int) {
	all := (rows + vector.TileSide - 1) / vector.TileSide * across
	at := 1 // squares at once
	if w.Together {
		at = all
	}
	place := func(i, row int) int { return i/across*vector.TileSide*row + i%across*vector.TileRow }
	for first := 0; first < all; first += at {
		for i := first; i < first+at; i++ {
			if w.Waits {
				w.Tile(vector.TileLoad, w.register(i), w.Sums, w.Offset(sums, place(i, w.Sums)))
			} else {
				w.Tile(vector.TileZero, w.register(i), 0)
			}
		}
		last := w.Loop(w.Word(w.Depth), 1, from, func(_ vector.Val, c []vector.Val) []vector.Val {
			for line := range w.Fetches {
				w.Prefetch(c[2], 64*line)
			}
			w.step(c[0], c[1], first, first+at)
			return []vector.Val{w.Offset(c[0], w.AStep), w.Offset(c[1], w.BStep), w.Offset(c[2], 64*w.Fetches)}
		})
		from = []vector.Val{from[0], from[1], last[2]}
		for i := first; i < first+at; i++ {
			w.Tile(vector.TileStore, w.register(i), toRow, w.Offset(to, place(i, toRow)))
		}
	}
}

// register is the register of the sums of square i: squares that are multiplied in turn have the left one's register.
func (w *squares) register(i int) int {
	if w.Together {
		return i
	}
	return i / across * across
}

// step writes the products of squares at one place of the depth: each square is loaded before its first product. Products
// with the same far square follow each other, so that there is time for loading the next far one.
func (w *squares) step(a, b vector.Val, first, end int) {
	var held [vector.TileAll]int // pieces that the registers hold, from 1 on
	load := func(register, piece int, far bool, row int, at vector.Val) {
		if held[register] == piece+1 {
			return
		}
		held[register] = piece + 1
		op := vector.TileLoad
		if far {
			op = vector.TileLoadFar
		}
		w.Tile(op, register, row, at)
	}
	high := max(1, (end-first)/across)
	for _, term := range w.Terms {
		for n := first; n < end; n++ {
			i := n
			if w.FarB {
				i = n%high*across + n/high
			}
			rows, columns := vector.TileFactors(w.register(i))
			load(rows, term[0], w.FarA, w.ARow, w.Offset(a, term[0]*w.PieceA+i/across*w.ANext))
			load(columns, term[1], w.FarB, w.BRow, w.Offset(b, term[1]*w.PieceB+i%across*w.BNext))
			w.Tile(w.Dot, w.register(i), 0)
		}
	}
}

// SquaresCode is the code of squares.
type SquaresCode struct{ *vector.Machine }

// SquaresCall says what a call computes: squares below each other in panels side by side.
type SquaresCall struct {
	A, B     uintptr
	Panels   int
	Count    int     // of squares of all rows
	Low      bool    // lower ones follow
	Multiply bool    // of products of pieces: otherwise the sums have been made
	Fetch    uintptr // what is fetched first
	Sums     uintptr // of the first square
	Ports    []uintptr
}

// Build makes the code. The error wraps [vector.ErrPressure] if the registers do not suffice.
func (s *Squares) Build(b vector.Backend) (*SquaresCode, error) {
	words := squaresPorts + s.Ports()
	m, err := b.Build(func() *vector.Program { return s.program(b) }, words+1, words)
	return &SquaresCode{m}, err
}

// Run runs a call, in a call block of [vector.Machine.BlockBytes] bytes.
func (c *SquaresCode) Run(call *SquaresCall, block []uintptr) {
	block[squaresA], block[squaresB], block[squaresPanels] = call.A, call.B, uintptr(call.Panels)
	block[squaresCount], block[squaresLow], block[squaresMultiply] = uintptr(call.Count), vector.Flag(call.Low), vector.Flag(call.Multiply)
	block[squaresFetch], block[squaresSums] = call.Fetch, call.Sums
	copy(block[squaresPorts:], call.Ports)
	c.Machine.Call(unsafe.Pointer(unsafe.SliceData(block)))
}
