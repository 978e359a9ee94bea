package tiles

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// Squares is the code of tiles on processors that multiply squares in registers: 16 rows of A by panels of 32 columns.
// A row of squares of sums is multiplied, stored, and read again by the epilogue. Distances are bytes.
type Squares struct {
	Dot           vector.Op   // TileDotSigned, TileDotMixed or TileDotBrain
	Kind          vector.Kind // of the sums
	Low           int         // rows of the last square of some rows, 0 if it has all
	Vectors, Tail int         // of a row of the panel, and the lanes of the last vector that are in use, 0 for all
	Depth         int         // steps, in squares

	ARow, AStep int  // between rows of a square of A, and between its squares along the depth
	ANext       int  // between squares below each other
	BRow, BStep int  // between rows of a square of B, and between its squares along the depth
	BNext       int  // between squares side by side
	Far         bool // rows of A do not stay in the first-level cache

	// Terms are the pairs of pieces, of A and of B, that are multiplied. Each pair shares a piece with the pair before.
	// Pieces of A are PieceA apart, those of B PieceB.
	Terms          [][2]int
	PieceA, PieceB int
	Together       bool // squares side by side are multiplied in turn, and share those of A

	Waits   bool // the sums start at sums that wait
	Sums    int  // between rows of sums that wait, or that the epilogue reads
	Fetches int  // lines of the cache that a square along the depth fetches
	Ending
}

// The registers of squares: two of sums, one of A, one of B. There are eight, but a register that holds something is
// one less to rename, and a core whose other thread is busy has few of these: with all eight in use a product takes 60
// cycles there, with four 30, and 16 on a core alone either way. So a square is loaded again rather than kept.

// across is the number of squares side by side.
const across = 2

// Words of the call block.
const (
	squaresA = iota
	squaresB
	squaresCount // of all rows
	squaresLow   // 1 if a lower one follows
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
// where those of the row before do.
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
	b.Do(vector.TileSizes, w.sizes(vector.TileSide))
	b.Loop(b.Arg(squaresCount), 1, nil, func(n vector.Val, _ []vector.Val) []vector.Val {
		w.row(n, vector.TileSide)
		return nil
	})
	if s.Low > 0 {
		b.When(b.Arg(squaresLow), func() {
			b.Do(vector.TileSizes, w.sizes(s.Low))
			w.row(b.Arg(squaresCount), s.Low)
		})
	}
	b.Do(vector.TileRelease)
	p := b.Program()
	p.Optimise()
	return p
}

// sizes is the table of the sizes of registers, for squares of some rows of A.
func (w *squares) sizes(rows int) vector.Val {
	return w.TileTable(func(register int) (int, int) {
		if register == vector.TileColumns {
			return vector.TileSide, vector.TileRow
		}
		return rows, vector.TileRow
	})
}

// row writes the work on a row of squares of some rows, below n others.
func (w *squares) row(n vector.Val, rows int) {
	sums := w.Arg(squaresSums)
	if !w.alone() {
		sums = w.Along(sums, n, vector.TileSide*w.Sums)
	}
	var ports []vector.Val
	for i := range w.Ports() {
		ports = append(ports, w.Along(w.Arg(squaresPorts+i), n, vector.TileSide*w.RowBytes(i)))
	}
	plain := w.plain()
	multiply := func() {
		if plain {
			w.multiply(n, sums, ports[0], w.RowBytes(0))
		} else {
			w.multiply(n, sums, sums, w.Sums)
		}
	}
	if len(w.Terms) > 1 { // or products that are not made of pieces
		w.When(w.Arg(squaresMultiply), multiply)
	} else {
		multiply()
	}
	if plain || w.Epilogue == nil {
		return
	}
	for j := range w.Vectors {
		count := 0
		if j == w.Vectors-1 {
			count = w.Tail
		}
		for row := range rows {
			v := w.Load(w.Kind, sums, vector.Access{Offset: row*w.Sums + j*w.Lanes()*4})
			w.epilogue.WriteVector(v, ports, w.RowLoop, row, j, count)
		}
	}
}

// multiply writes the sums of a row of squares to where rows are so far apart.
func (w *squares) multiply(n, sums, to vector.Val, toRow int) {
	a, fetch := w.Along(w.Arg(squaresA), n, w.ANext), w.Arg(squaresFetch)
	at := 1 // squares at once
	if w.Together {
		at = across
	}
	lines := 64 * w.Fetches
	fetch = w.Along(fetch, n, across/at*w.Depth*lines)
	for first := 0; first < across; first += at {
		for i := range at {
			if w.Waits {
				w.Tile(vector.TileLoad, i, w.Sums, w.Offset(sums, vector.TileRow*(first+i)))
			} else {
				w.Tile(vector.TileZero, i, 0)
			}
		}
		last := w.Loop(w.Word(w.Depth), 1, []vector.Val{a, w.Arg(squaresB), fetch}, func(_ vector.Val, c []vector.Val) []vector.Val {
			for line := range w.Fetches {
				w.Prefetch(c[2], 64*line)
			}
			w.step(c[0], w.Offset(c[1], first*w.BNext), at)
			return []vector.Val{w.Offset(c[0], w.AStep), w.Offset(c[1], w.BStep), w.Offset(c[2], lines)}
		})
		fetch = last[2]
		for i := range at {
			w.Tile(vector.TileStore, i, toRow, w.Offset(to, vector.TileRow*(first+i)))
		}
	}
}

// step writes the products of squares at one place of the depth.
func (w *squares) step(a, b vector.Val, at int) {
	load := vector.TileLoad
	if w.Far {
		load = vector.TileLoadFar
	}
	held := [2]int{-1, -1} // pieces of A and of B that the registers hold
	for _, term := range w.Terms {
		for i := range at {
			if held[0] != term[0] {
				held[0] = term[0]
				w.Tile(load, vector.TileRows, w.ARow, w.Offset(a, term[0]*w.PieceA))
			}
			if held[1] != term[1] || at > 1 {
				held[1] = term[1]
				w.Tile(vector.TileLoad, vector.TileColumns, w.BRow, w.Offset(b, term[1]*w.PieceB+i*w.BNext))
			}
			w.Tile(w.Dot, i, 0)
		}
	}
}

// SquaresCode is the code of squares.
type SquaresCode struct{ *vector.Machine }

// SquaresCall says what a call computes: rows of squares below each other in a panel.
type SquaresCall struct {
	A, B     uintptr
	Count    int     // of all rows
	Low      bool    // a lower one follows
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
	block[squaresA], block[squaresB] = call.A, call.B
	block[squaresCount], block[squaresLow], block[squaresMultiply] = uintptr(call.Count), one(call.Low), one(call.Multiply)
	block[squaresFetch], block[squaresSums] = call.Fetch, call.Sums
	copy(block[squaresPorts:], call.Ports)
	c.Machine.Call(unsafe.Pointer(unsafe.SliceData(block)))
}
